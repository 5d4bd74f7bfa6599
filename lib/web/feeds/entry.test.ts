import { expect, test } from "bun:test";
import { readEntry } from "./entry.ts";
import { readXml } from "./xml.ts";

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
