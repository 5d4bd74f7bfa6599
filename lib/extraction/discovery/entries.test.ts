import { expect, test } from "bun:test";
import { readFeed } from "../../web/feeds/mod.ts";
import { entriesOfFeed, entriesOfLinks, entriesOfSitemap } from "./entries.ts";
import { readSitemap } from "./read-sitemap.ts";

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
