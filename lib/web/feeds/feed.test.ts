import { expect, test } from "bun:test";
import { FeedError, readEntry, readFeed, readJsonFeed } from "./feed.ts";
import { readXml } from "./xml.ts";

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
    image: null,
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

test.each([
  "Use the &amp;lt;head&amp;gt; element. More.",
  "Use the &lt;head&gt; element. More.",
  "<![CDATA[Use the <head> element. More.]]>",
  "<p>Use the <head> element. More.</p>",
])("the text stays whole where it names an element: %s", (description) => {
  const feed = readFeed(`<rss><channel><item><description>${description}</description></item></channel></rss>`);
  expect(feed.entries[0]?.summaryText).toBe("Use the head element. More.");
});

const rss = (item: string, attributes = "") =>
  readFeed(`<rss ${attributes}><channel><item>${item}</item></channel></rss>`);

test.each([
  ["content", "https://purl.org/rss/1.0/modules/content/", "<NS:encoded>whole</NS:encoded>", { contentText: "whole" }],
  ["content", "http://purl.org/rss/1.0/modules/content", "<NS:encoded>whole</NS:encoded>", { contentText: "whole" }],
  ["c", "HTTPS://www.purl.org/rss/1.0/modules/content//", "<NS:encoded>whole</NS:encoded>", { contentText: "whole" }],
  ["content", "http://purl.org/rss/modules/contents/1.0", "<NS:encoded>whole</NS:encoded>", { contentText: "whole" }],
  ["d", "https://purl.org/dc/elements/1.1/", "<NS:creator>Layla</NS:creator>", { author: "Layla" }],
  ["d", "http://purl.org/dc/elements/1.1", "<NS:creator>Layla</NS:creator>", { author: "Layla" }],
  ["m", "https://search.yahoo.com/mrss", "<NS:description>short</NS:description>", { summaryText: "short" }],
  ["m", "http://www.rssboard.org/media-rss/", "<NS:description>short</NS:description>", { summaryText: "short" }],
])("the prefix %s for %s", (prefix, space, item, expected) => {
  const feed = rss(item.replaceAll("NS", prefix), `xmlns:${prefix}="${space}"`);
  expect(feed.entries[0]).toMatchObject(expected);
});

test("an unknown namespace under a prefix of its own stays unknown", () => {
  expect(rss("<x:title>no</x:title>", `xmlns:x="https://x.example/"`).entries[0]?.title).toBe("");
});

test("what a group of media says counts where the entry itself is silent", () => {
  const group = `<media:group><media:title>A film</media:title><media:description>short</media:description>
    <media:content url="/film.mp4" type="video/mp4"/><media:thumbnail url="/still.jpg"/></media:group>`;
  expect(
    readFeed(`<feed><entry><title/>${group}</entry></feed>`, { url: "https://a.example/feed" }).entries[0],
  ).toMatchObject({
    title: "A film",
    summaryText: "short",
    enclosures: [{ url: "https://a.example/film.mp4", type: "video/mp4" }],
    image: "https://a.example/still.jpg",
  });
});

test("an episode's own title and cover are read", () => {
  const item = `<itunes:title>Episode 1</itunes:title><itunes:image href="https://a.example/cover.jpg"/>`;
  expect(rss(item).entries[0]).toMatchObject({ title: "Episode 1", image: "https://a.example/cover.jpg" });
  expect(rss(`${item}<title>One</title>`).entries[0]?.title).toBe("One");
});

test("of several alternate links the one to an HTML page counts", () => {
  const links = `<link rel="alternate" type="application/json" href="https://a.example/1.json"/>
    <link rel="alternate" type="text/html" href="https://a.example/1"/>`;
  const feed = readFeed(`<feed xmlns="http://www.w3.org/2005/Atom">${links}<entry>${links}</entry></feed>`);
  expect(feed.link).toBe("https://a.example/1");
  expect(feed.entries[0]?.link).toBe("https://a.example/1");
});

test.each([
  ["<pubDate>Mon, 15 Jan 2024 10:00:00</pubDate>", "2024-01-15T07:00:00Z"],
  ["<pubDate>2024-07-15T10:00:00</pubDate>", "2024-07-15T07:00:00Z"],
  ["<pubDate>15/01/2024 10:00</pubDate>", "2024-01-15T07:00:00Z"],
  ["<pubDate>Mon, 15 Jan 2024 10:00:00 GMT</pubDate>", "2024-01-15T10:00:00Z"],
  ["<pubDate>2024-01-15T10:00:00+01:00</pubDate>", "2024-01-15T09:00:00Z"],
])("a time without a zone is one of the zone that is given: %s", (item, time) => {
  const text = `<rss><channel><item>${item}</item></channel></rss>`;
  expect(readFeed(text, { zone: "Asia/Riyadh" }).entries[0]?.publishedAt).toBe(time);
});

test("the zone holds for JSON Feeds too, and is UTC unless given", () => {
  const text = JSON.stringify({ items: [{ id: 1, date_published: "2024-01-15T10:00:00" }], version: "jsonfeed.org" });
  expect(readFeed(text, { zone: "Asia/Riyadh" }).entries[0]?.publishedAt).toBe("2024-01-15T07:00:00Z");
  expect(readFeed(text).entries[0]?.publishedAt).toBe("2024-01-15T10:00:00Z");
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

test("a feed that is too large, or whose zone nobody knows, says so", () => {
  expect(() => readFeed(" ".repeat(20_000_001))).toThrow(expect.objectContaining({ code: "too-large" }));
  const dated = "<rss><channel><item><pubDate>2026-01-15T10:00:00</pubDate></item></channel></rss>";
  expect(() => readFeed(dated, { zone: "Mars/Olympus" })).toThrow(RangeError);
});

test("at most 5,000 entries are read, those inside the channel before those beside it", () => {
  const items = (count: number, id: string) => `<item><guid>${id}</guid></item>`.repeat(count);
  const feed = readFeed(`<rdf:RDF><channel>${items(4999, "in")}</channel>${items(2, "beside")}</rdf:RDF>`);
  expect(feed.format).toBe("rdf");
  expect(feed.entries).toHaveLength(5000);
  expect(feed.entries.at(-1)?.id).toBe("beside");
});

const VERSION = "https://jsonfeed.org/version/1.1";
const item = (fields: Record<string, unknown>, feed: Record<string, unknown> = {}) =>
  readJsonFeed(JSON.stringify({ version: VERSION, items: [fields], ...feed }), { url: "https://a.example/feed.json" })
    .entries[0];

test("an item is read whole", () => {
  const fields = {
    id: 7,
    url: "/1",
    title: "A &amp; B",
    content_html: "<p>one</p><p>two</p>",
    summary: "short",
    date_published: "2026-01-01T10:00:00+02:00",
    date_modified: "2026-01-02T10:00:00Z",
    authors: [{ name: "Layla" }, { name: "Omar" }, { name: "Layla" }, {}],
    tags: ["world", "world", "", 5],
    attachments: [{ url: "/a.mp3", mime_type: "audio/mpeg", size_in_bytes: 9 }, { url: "javascript:1" }],
    banner_image: "/banner.jpg",
  };
  expect(item(fields)).toEqual({
    id: "7",
    title: "A & B",
    link: "https://a.example/1",
    publishedAt: "2026-01-01T08:00:00Z",
    updatedAt: "2026-01-02T10:00:00Z",
    author: "Layla, Omar",
    contentText: "one\n\ntwo",
    summaryText: "short",
    categories: ["world", "5"],
    enclosures: [{ url: "https://a.example/a.mp3", type: "audio/mpeg", length: 9 }],
    image: "https://a.example/banner.jpg",
  });
});

test("what an item leaves out comes from elsewhere, or is empty", () => {
  expect(item({ external_url: "https://b.example/1" })).toMatchObject({
    id: "https://b.example/1",
    link: "https://b.example/1",
    publishedAt: null,
    contentText: "",
    image: null,
  });
  expect(item({ content_text: "1 < 2" }, { author: { name: "Desk" } })).toMatchObject({
    author: "Desk",
    contentText: "1 < 2",
  });
  expect(item({ content_html: "<b>a</b>", content_text: "b", image: "/a.jpg", banner_image: "/b.jpg" })).toMatchObject({
    contentText: "a",
    image: "https://a.example/a.jpg",
  });
});

test("values of another type count as missing, and what is no item is left out", () => {
  const wrong = { id: null, title: ["x"], tags: "one", attachments: "x", authors: "Layla", date_published: {} };
  expect(item(wrong)).toMatchObject({ id: "", title: "", categories: ["one"], enclosures: [], author: "" });
  expect(item({ attachments: [{ url: "/a", size_in_bytes: -5 }] })?.enclosures).toMatchObject([{ length: null }]);
  expect(readJsonFeed(JSON.stringify({ items: [1, null, "x", { id: "a" }] })).entries.map(({ id }) => id)).toEqual([
    "a",
  ]);
});

test.each(["[]", "{", '{"title":"x"}', '{"version":"https://example.com/feed"}'])("%s is no JSON Feed", (source) => {
  expect(() => readJsonFeed(source)).toThrow(FeedError);
});

test("at most 5,000 items are read", () => {
  const items = Array.from({ length: 5001 }, (_, id) => ({ id }));
  expect(readJsonFeed(JSON.stringify({ items })).entries).toHaveLength(5000);
});

const entry = (inner: string, { tag = "item", attributes = "" } = {}) => {
  const element = readXml(`<${tag} ${attributes}>${inner}</${tag}>`);
  if (element === null) throw new Error("there is no element");
  return readEntry(element, { url: "https://a.example/feeds/all" });
};
const atom = (inner: string, attributes = "") => entry(inner, { tag: "entry", attributes });

test.each([
  ["<guid>https://a.example/1</guid>", "https://a.example/1", "https://a.example/1"],
  ['<guid isPermaLink="true">/1</guid>', "/1", "https://a.example/1"],
  ['<guid isPermaLink="false">https://a.example/1</guid>', "https://a.example/1", null],
  ["<guid>tag:1</guid>", "tag:1", null],
  ["<link>/1</link>", "https://a.example/1", "https://a.example/1"],
  ["<link>mailto:a@a.example</link><guid>7</guid>", "7", null],
])("an item with %s has the id %j and the link %j", (inner, id, link) => {
  expect(entry(inner)).toMatchObject({ id, link });
});

test("an Atom id is taken as it is, a relative one by the base around it", () => {
  expect(atom("<id>urn:x:1</id>").id).toBe("urn:x:1");
  expect(atom("<id>/1</id>").id).toBe("https://a.example/1");
  expect(atom("<id>1</id>", 'xml:base="https://b.example/x/"').id).toBe("https://b.example/x/1");
  expect(entry("", { attributes: 'rdf:about=" https://a.example/1 "' }).id).toBe("https://a.example/1");
});

test("links of other relations are no link of the entry", () => {
  const links = ["self", "enclosure", "via", "edit"].map((rel) => `<link rel="${rel}" href="/${rel}"/>`).join("");
  expect(atom(links).link).toBeNull();
  expect(atom(`${links}<link href="/page"/>`).link).toBe("https://a.example/page");
  expect(atom(`${links}<link rel="http://www.iana.org/assignments/relation/alternate" href="/page"/>`).link).toBe(
    "https://a.example/page",
  );
});

test("publication and change are told apart, the last of one name counts, an unreadable date does not", () => {
  const times = "<pubDate>Thu, 01 Jan 2026 10:00:00 GMT</pubDate><dc:date>2026-01-02T10:00:00Z</dc:date>";
  expect(entry(times)).toMatchObject({ publishedAt: "2026-01-01T10:00:00Z", updatedAt: "2026-01-02T10:00:00Z" });
  expect(atom("<updated>2026-01-02T10:00:00Z</updated>")).toMatchObject({
    publishedAt: null,
    updatedAt: "2026-01-02T10:00:00Z",
  });
  const twice = "<published>2026-01-01T00:00:00Z</published><published>2026-01-03T00:00:00Z</published>";
  expect(atom(twice).publishedAt).toBe("2026-01-03T00:00:00Z");
  expect(atom("<published>soon</published><issued>2026-01-01T00:00:00Z</issued>").publishedAt).toBe(
    "2026-01-01T00:00:00Z",
  );
});

test("of two descriptions the second is the text, unless an element is for that", () => {
  const both = "<description>short</description><summary>the long text</summary>";
  expect(entry(both)).toMatchObject({ summaryText: "short", contentText: "the long text" });
  expect(entry(`${both}<content:encoded>whole</content:encoded>`)).toMatchObject({ contentText: "whole" });
});

test("categories are read from attributes and texts, nested ones and keywords too, each once", () => {
  const inner = `<category term="world"/><category label="Sport"/><category>world</category>
    <itunes:category text="News"><itunes:category text="Politics"/></itunes:category>
    <keywords>floods، north, floods</keywords><category> </category>`;
  expect(entry(inner).categories).toEqual(["world", "Sport", "News", "Politics", "floods", "north"]);
  const many = Array.from({ length: 500 }, (_, i) => `<category>${i}</category>`).join("");
  expect(entry(many).categories).toHaveLength(200);
});

test("enclosures come from every element that may name one, each address once, without a negative length", () => {
  const inner = `<enclosure url="/a.mp3" type="audio/mpeg" length="-1"/><link rel="Enclosure" href="/a.mp3"/>
    <link rel="enclosure" href="/b.pdf" length="7"/><media:content url="/c.mp4" fileSize="9"/><enclosure url="file:///x"/>`;
  expect(entry(inner).enclosures).toEqual([
    { url: "https://a.example/a.mp3", type: "audio/mpeg", length: null },
    { url: "https://a.example/b.pdf", type: null, length: 7 },
    { url: "https://a.example/c.mp4", type: null, length: 9 },
  ]);
});

test("a picture among the media counts before a thumbnail, that before a cover", () => {
  const [cover, thumbnail] = ['<itunes:image href="/cover.jpg"/>', '<media:thumbnail url="/small.jpg"/>'];
  const picture = '<media:content medium="Image" url="/large.jpg"/>';
  expect(entry(cover).image).toBe("https://a.example/cover.jpg");
  expect(entry(cover + thumbnail).image).toBe("https://a.example/small.jpg");
  expect(entry(cover + thumbnail + picture).image).toBe("https://a.example/large.jpg");
});
