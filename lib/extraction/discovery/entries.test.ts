import { expect, test } from "bun:test";
import { readFeed } from "../../web/feeds/mod.ts";
import { createUrlFilter, entriesOfFeed, entriesOfLinks, entriesOfSitemap } from "./entries.ts";
import { readSitemap } from "./sitemap.ts";

test("feed, sitemap and list page give entries of one shape, each address once", () => {
  const feed =
    readFeed(`<rss><channel><item><title>One</title><link>https://a.example/1</link><category>world</category>
    <enclosure url="https://a.example/1.mp3" type="audio/mpeg"/><enclosure url="https://a.example/1.jpg" type="image/jpeg"/></item>
    <item><title>no link</title></item><item><title>again</title><link>https://a.example/1</link></item></channel></rss>`);
  const [entry, ...others] = entriesOfFeed(feed);
  expect(others).toEqual([]);
  expect(entry).toEqual({
    url: "https://a.example/1",
    title: "One",
    publishedAt: null,
    updatedAt: null,
    author: "",
    categories: ["world"],
    summary: "",
    content: "",
    image: "https://a.example/1.jpg",
  });
  const sitemap = readSitemap(
    "<urlset><url><loc>https://a.example/2</loc><lastmod>2025-01-02</lastmod><news:news><news:title>Two</news:title></news:news></url></urlset>",
  );
  const pages = sitemap.kind === "pages" ? sitemap.pages : [];
  const links = entriesOfLinks([{ url: "https://a.example/3", text: "Three" }]);
  expect(
    [...entriesOfSitemap(pages), ...links].map(({ url, title, updatedAt }) => ({ url, title, updatedAt })),
  ).toEqual([
    { url: "https://a.example/2", title: "Two", updatedAt: "2025-01-02T00:00:00Z" },
    { url: "https://a.example/3", title: "Three", updatedAt: null },
  ]);
});

const passes = (path: string, keep: string[], block: string[] = []) =>
  createUrlFilter({ keep, block })(`https://a.example${path}`);

test.each([
  ["/news/1", ["/news/"], [], true],
  ["/sport/1", ["/news/"], [], false],
  ["/sport/1", ["/news/", "/sport/"], [], true],
  ["/news/video/1", ["/news/"], ["*/video/"], false],
  ["/news/1.html", ["*.html$"], [], true],
  ["/news/1.html?amp=1", ["*.html$"], [], false],
  ["/?p=12", ["/?p="], [], true],
  ["/news/1?amp=1", [], ["*amp="], false],
  ["/أخبار/1", ["/أخبار/"], [], true],
  ["/%D8%A3%D8%AE%D8%A8%D8%A7%D8%B1/1", ["/أخبار/"], [], true],
  ["/news/1", [], [], true],
])("%s passes keep %p and block %p: %p", (path, keep, block, expected) => {
  expect(passes(path, keep, block)).toBe(expected);
});

test("a pattern of many stars takes time in proportion to the address", () => {
  const pattern = `/${"*a".repeat(200)}$`;
  expect(passes(`/${"a".repeat(100_000)}b`, [pattern])).toBe(false);
});

test("what is no address does not pass", () => {
  expect(createUrlFilter({})("no address")).toBe(false);
});

test("the image of an entry is the enclosure that is one, by its type or else by its name", () => {
  const imageOf = (enclosures: string, more = "") =>
    entriesOfFeed(
      readFeed(`<rss><channel><item><link>https://a.example/1</link>${enclosures}${more}</item></channel></rss>`),
    )[0]?.image;
  const enclosure = (url: string, type?: string) =>
    `<enclosure url="https://a.example/${url}"${type === undefined ? "" : ` type="${type}"`}/>`;
  expect(imageOf(enclosure("a.bin", "IMAGE/png"))).toBe("https://a.example/a.bin");
  expect(imageOf(enclosure("a.webp?w=1"))).toBe("https://a.example/a.webp?w=1");
  expect(imageOf(enclosure("a.jpg", "video/mp4") + enclosure("b.jpeg"))).toBe("https://a.example/b.jpeg");
  expect(imageOf(enclosure("jpg") + enclosure("a.jpg.mp3"))).toBeNull();
});

test("a sitemap names what its pages are about, and when they changed", () => {
  const page = { url: "https://a.example/2", modifiedAt: "2025-01-02T00:00:00Z", image: "https://a.example/2.jpg" };
  const news = {
    title: "Two",
    publishedAt: "2025-01-01T00:00:00Z",
    keywords: ["a", "b"],
    publication: "",
    language: "",
  };
  const [first, second] = entriesOfSitemap([
    { ...page, news },
    { ...page, url: "https://a.example/3", news: null },
  ]);
  expect(first).toMatchObject({
    ...{ title: "Two", publishedAt: "2025-01-01T00:00:00Z", updatedAt: page.modifiedAt, categories: ["a", "b"] },
    image: page.image,
  });
  expect(second).toMatchObject({ title: "", publishedAt: null, categories: [], summary: "", author: "" });
});
