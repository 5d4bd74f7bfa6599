import { expect, test } from "bun:test";
import { extractPage } from "../extract.ts";
import { parsePage } from "../page/dom.ts";
import { imageAddress } from "./image.ts";

const sentence = (i: number) =>
  `<p>The authority said on day ${i} that the new pier would open to ferries in spring.</p>`;
const text = Array.from({ length: 8 }, (_, i) => sentence(i)).join("");
const imageOf = (inside: string, { head = "", box = "article" } = {}) =>
  extractPage({
    html: `<html><head><title>Pier to open to ferries</title>${head}</head><body><div class="top"><img src="/site-logo.png"></div><${box}><h1>Pier to open to ferries</h1>${inside}${text}</${box}></body></html>`,
    url: "https://n.example/news/1",
  }).image;
const PIER = "https://n.example/img/pier.jpg";
const GIF = "data:image/gif;base64,R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7";

test.each([
  ["data-src", `<img data-src="/img/pier.jpg">`],
  ["data-src behind a placeholder", `<img src="${GIF}" data-src="/img/pier.jpg">`],
  ["data-src behind a drawn placeholder", `<img src="data:image/svg+xml,%3Csvg/%3E" data-src="/img/pier.jpg">`],
  ["data-lazy-src", `<img src="/img/blank.gif" data-lazy-src="/img/pier.jpg">`],
  ["data-original", `<img src="/assets/1x1.png" data-original="/img/pier.jpg">`],
  ["srcset alone", `<img srcset="/img/small.jpg 320w, /img/pier.jpg 1200w, /img/m.jpg 640w">`],
  ["srcset by density", `<img srcset="/img/m.jpg, /img/pier.jpg 2x">`],
  ["data-srcset", `<img src="/loading.gif" data-srcset="/img/pier.jpg 800w">`],
  ["a picture's source", `<picture><source data-srcset="/img/pier.jpg 800w"><img src="${GIF}"></picture>`],
  ["what is shown without scripts", `<img src="${GIF}" class="lazy"><noscript><img src="/img/pier.jpg"></noscript>`],
  ["AMP", `<amp-img src="/img/pier.jpg" width="800" height="500"></amp-img>`],
  ["a placeholder of the theme", `<img src="/themes/x/placeholder-16x9.svg" data-url="/img/pier.jpg">`],
  ["a background", `<div class="hero" style="background-image: url('/img/pier.jpg')"></div>`],
  ["a background that is loaded late", `<div class="hero" data-bg="/img/pier.jpg"></div>`],
  ["a video's first picture", `<video poster="/img/pier.jpg"></video>`],
])("the lead image is found by %s, in an article and in plain boxes", (_, html) => {
  expect(imageOf(`<figure>${html}</figure>`)).toBe(PIER);
  expect(imageOf(`<div>${html}</div>`, { box: "div" })).toBe(PIER);
});

test("what the page states comes first, unless that is a placeholder", () => {
  const figure = '<figure><img src="/img/pier.jpg"></figure>';
  const og = (address: string) => `<meta property="og:image" content="${address}">`;
  expect(imageOf(figure, { head: og("/og.jpg?a=1&amp;amp;b=2") })).toBe("https://n.example/og.jpg?a=1&b=2");
  for (const address of ["/static/placeholder.png", "/no-image.jpg", GIF, ""]) {
    expect(imageOf(figure, { head: og(address) })).toBe(PIER);
  }
  const twitter = '<meta name="twitter:image" content="/tw.jpg">';
  expect(imageOf("", { head: og("/placeholder.png") + twitter })).toBe("https://n.example/tw.jpg");
});

test.each([
  ["an icon", '<img src="/a.png" width="16" height="16">'],
  ["a counter", '<img src="/count?id=1" width="1" height="1">'],
  ["an author's portrait", '<img class="avatar" src="/people/7.jpg">'],
  ["a logo", '<img src="/img/logo.png">'],
  ["a placeholder", `<img src="${GIF}"><img src="/img/spacer.gif">`],
])("%s is no lead image", (_, html) => {
  expect(imageOf(html)).toBeNull();
  expect(imageOf(`${html}<p><img src="/img/pier.jpg"></p>`)).toBe(PIER);
});

test("a file whose name only begins like a placeholder's is an image", () => {
  for (const name of ["pixel-phone-review.jpg", "loading-dock-fire.jpg", "blank-cheque.jpg", "icons-of-jazz.jpg"]) {
    expect(imageOf(`<figure><img src="/img/${name}"></figure>`)).toBe(`https://n.example/img/${name}`);
  }
});

test("a profile's image is read as it is loaded, too", () => {
  const html = `<h1>Pier</h1><div class="lead"><img src="${GIF}" data-src="/img/pier.jpg"></div>${text}`;
  for (const image of [".lead", ".lead img"]) {
    expect(extractPage({ html, url: "https://n.example/1", selectors: { image } }).image).toBe(PIER);
  }
});

/** Returns the address that the first image of a fragment is shown from. */
const addressOf = (html: string): string | null => {
  const image = parsePage(html).querySelector("img");
  if (image === null) throw new Error("no image");
  return imageAddress(image, "https://n.example/news/1");
};

test.each([
  [
    "what is loaded late before what is shown meanwhile",
    '<img src="/tiny.jpg" data-src="/a.jpg" srcset="/b.jpg 2x">',
    "/a.jpg",
  ],
  ["what is shown before a set", '<img src="/a.jpg" srcset="/b.jpg 1200w">', "/a.jpg"],
  ["a set before other names", '<img data-url="/b.jpg" srcset="/a.jpg 2x">', "/a.jpg"],
  [
    "the image's own set before its picture's",
    '<picture><source srcset="/b.jpg"><img srcset="/a.jpg"></picture>',
    "/a.jpg",
  ],
  [
    "the first source of a picture",
    '<picture><source srcset="/a.jpg"><source srcset="/b.jpg"><img></picture>',
    "/a.jpg",
  ],
  ["the widest of a set", '<img srcset="/b.jpg 320w, /a.jpg 1200w, /c.jpg 640w">', "/a.jpg"],
  ["the first of equals", '<img srcset="/a.jpg 2x, /b.jpg 2x">', "/a.jpg"],
  ["the densest, by halves too", '<img srcset="/b.jpg 1x, /a.jpg 1.5x">', "/a.jpg"],
  ["an address with commas", '<img srcset="/w_1,h_2/a.jpg 2x, /b.jpg">', "/w_1,h_2/a.jpg"],
  ["addresses that no space parts", '<img srcset="/b.jpg 1x,/a.jpg 2x">', "/a.jpg"],
  ["a set without sizes", '<img srcset="/a.jpg,">', "/a.jpg"],
  ["an address of another host", '<img src="//cdn.example/a.jpg">', "https://cdn.example/a.jpg"],
])("an image is shown from %s", (_, html, address) => {
  expect(addressOf(html)).toBe(new URL(address, "https://n.example/").href);
});

test.each([
  ["no address", "<img>"],
  ["an empty one", '<img src="" data-src=" ">'],
  ["no address of the web", '<img src="javascript:x()" data-src="mailto:a@b">'],
  ["a set without an address", '<img srcset=", ,">'],
  ["a set of placeholders", '<img srcset="/blank.gif 1x, /spacer.png 2x">'],
  ["an endless set", `<img srcset="${"/a.jpg 1x, ".repeat(2_100)}/a.jpg 2x">`],
])("an image of %s is shown from nowhere", (_, html) => {
  expect(addressOf(html)).toBeNull();
});

test.each([
  ["of 100 pixels", '<img src="/img/pier.jpg" width="100" height="100">', PIER],
  ["of 99 pixels on a side", '<img src="/img/pier.jpg" width="99" height="600">', null],
  ["whose size is no number", '<img src="/img/pier.jpg" width="auto" height="">', PIER],
  ["of a gravatar", '<img src="https://secure.gravatar.com/avatar/1">', null],
  ["of a host that ends so", '<img src="https://notgravatar.com/1.jpg">', "https://notgravatar.com/1.jpg"],
  ["in a folder of icons", '<img src="/icons/pier.jpg">', null],
])("an image %s leads or not", (_, html, address) => {
  expect(imageOf(`<figure>${html}</figure>`)).toBe(address);
});

test.each([
  ["url(/img/pier.jpg)", PIER],
  ["url( &quot;/img/pier.jpg&quot; )", PIER],
  ["url(&quot;/img/pier.jpg&quot;) no-repeat", PIER],
  ["linear-gradient(red, blue), url('/img/pier.jpg')", PIER],
  ["url('/img/blank.gif')", null],
  ["url('/logos/pier.svg')", null],
  ["red", null],
])("a background of %s leads or not", (style, address) => {
  expect(imageOf(`<figure><div style="color: red; background: ${style}"></div></figure>`)).toBe(address);
});

test("a figure of the article comes before an image above it, and more images than three hundred are not read", () => {
  expect(imageOf('<p><img src="/img/first.jpg"></p><figure><img src="/img/pier.jpg"></figure>')).toBe(PIER);
  const icons = (count: number) => `${'<img src="/a.png" width="16">'.repeat(count)}<img src="/img/pier.jpg">`;
  expect(imageOf(icons(299))).toBe(PIER);
  expect(imageOf(icons(300))).toBeNull();
});
