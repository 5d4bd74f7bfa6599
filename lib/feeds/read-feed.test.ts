import { expect, test } from "bun:test";
import { FeedError } from "./feed.ts";
import { readFeed } from "./read-feed.ts";

test("RSS 2.0 with namespaces is read whole", () => {
  const feed = readFeed(
    `<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:dc="http://purl.org/dc/elements/1.1/">
    <channel><title>أخبار</title><link>/home</link><language>ar</language><item><guid isPermaLink="false">7</guid>
    <title>A &amp;amp; B</title><link>/a</link><pubDate>Thu, 01 Jan 2004 19:48:21 EST</pubDate><dc:creator>Layla</dc:creator>
    <description>&lt;p&gt;short&lt;/p&gt;</description><content:encoded><![CDATA[<p>one</p><p>two</p>]]></content:encoded>
    <category>world</category><enclosure url="/m.mp3" type="audio/mpeg" length="9"/></item></channel></rss>`,
    { url: "https://a.example/feed" },
  );
  expect(feed).toMatchObject({ format: "rss", title: "أخبار", link: "https://a.example/home", language: "ar" });
  expect(feed.entries[0]).toEqual({
    id: "7",
    title: "A & B",
    link: "https://a.example/a",
    publishedAt: "2004-01-02T00:48:21Z",
    updatedAt: null,
    author: "Layla",
    contentText: "one\n\ntwo",
    summaryText: "short",
    categories: ["world"],
    enclosures: [{ url: "https://a.example/m.mp3", type: "audio/mpeg", length: 9 }],
  });
});

test.each([
  "<script>alert(1)</script>safe",
  "&lt;script&gt;alert(1)&lt;/script&gt;safe",
  "&amp;lt;img src=x onerror=alert(1)&amp;gt;safe",
  "<![CDATA[<style>x</style><b onclick='y'>safe</b>]]>",
])("no markup or script stays in a text: %s", (description) => {
  const feed = readFeed(`<rss><channel><item><description>${description}</description></item></channel></rss>`);
  expect(feed.entries[0]?.summaryText).toBe("safe");
});

test("a link to a script is no link", () => {
  expect(readFeed("<rss><channel><link>javascript:alert(1)</link></channel></rss>").link).toBeNull();
});

test("entities that a document defines out of each other are not expanded", () => {
  const feed = readFeed(
    `<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><rss><channel><title>&a; &b;</title></channel></rss>`,
  );
  expect(feed.title).toBe("ha &b;");
});

test("an Atom feed's author is that of its entries, and JSON Feeds are read too", () => {
  const atom = readFeed(
    `<feed xmlns="http://www.w3.org/2005/Atom"><author><name>N</name></author><entry><id>x</id></entry></feed>`,
  );
  expect(atom.entries[0]).toMatchObject({ id: "x", author: "N" });
  const json = readFeed(
    `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":1,"content_html":"<p>a</p>"}]}`,
  );
  expect(json).toMatchObject({ format: "json", title: "J", entries: [{ id: "1", contentText: "a" }] });
});

test.each(["<html><body>x</body></html>", "", "{}", "plain"])("%p is not a feed", (source) => {
  expect(() => readFeed(source)).toThrow(FeedError);
});

test.each([
  ["elements nested without end", `<rss>${"<a>".repeat(100_000)}`],
  ["20,000 namespaces", `<rss ${Array.from({ length: 20_000 }, (_, i) => `xmlns:a${i}="1"`).join(" ")}>`],
  ["a million brackets", `<rss><channel>${"<".repeat(1_000_000)}`],
  [
    "an author who is all commas",
    `<rss><channel><item><author>${"a,".repeat(100_000)}</author></item></channel></rss>`,
  ],
])("%s end as a feed without an entry's worth of it", (_, source) => {
  const { entries } = readFeed(source);
  expect(entries.length).toBeLessThanOrEqual(1);
  expect(entries[0]?.author.length ?? 0).toBeLessThan(1000);
});

test("an entity at the border of two pieces of a long feed is still one", () => {
  const title = "a &amp;amp; b, ".repeat(10_000);
  expect(readFeed(`<rss><channel><title>${title}</title></channel></rss>`).title).toBe("a & b, ".repeat(10_000).trim());
});
