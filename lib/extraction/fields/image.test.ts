import { expect, test } from "bun:test";
import { extractPage } from "../extract.ts";

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
