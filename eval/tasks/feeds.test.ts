import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { feeds, measureFeeds } from "./feeds.ts";

const root = mkdtempSync(join(tmpdir(), "isnad-feeds-"));
afterAll(() => rmSync(root, { recursive: true }));

type Assert = { path: (string | number)[]; op?: string; value?: unknown };
type Made = {
  feedparser?: { file: string; xml: string; asserts: Assert[] | null; http_headers?: Record<string, string> }[];
  gofeed?: Record<string, string | object>;
  pages?: Record<string, string>;
  charsets?: Record<string, { bytes: Uint8Array; charset: string }>;
};

/** Writes the four collections with these cases, and returns how each came out. */
function measured({ feedparser = [], gofeed = {}, pages = {}, charsets = {} }: Made, waived = {}) {
  const dir = mkdtempSync(join(root, "set-"));
  const write = (path: string, content: string | Uint8Array): void => {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  };
  for (const { file, xml } of feedparser) write(`feedparser/${file}`, xml);
  const cases = feedparser.map(({ xml: _, asserts, ...rest }) => ({
    ...rest,
    asserts: asserts?.map((each) => ({ op: "==", ...each })) ?? null,
  }));
  write(
    "feedparser/cases.jsonl",
    cases.map((each) => `${JSON.stringify(each)}\n`).join("") || '{"file":"","asserts":null}',
  );
  for (const [path, content] of Object.entries(gofeed)) {
    write(`gofeed/${path}`, typeof content === "string" ? content : JSON.stringify(content));
  }
  mkdirSync(join(dir, "miniflux/sanitizer/testdata"), { recursive: true });
  for (const [name, page] of Object.entries(pages)) write(`miniflux/sanitizer/testdata/${name}`, page);
  for (const [file, { bytes }] of Object.entries(charsets)) write(file, bytes);
  const expected = Object.fromEntries(Object.entries(charsets).map(([file, { charset }]) => [file, charset]));
  const results = measureFeeds(dir, expected, waived);
  const [parser, go, sanitiser, charset] = results;
  if (parser === undefined || go === undefined || sanitiser === undefined || charset === undefined) {
    throw new Error("a collection is missing");
  }
  return { dir, parser, go, sanitiser, charset };
}

const rss = (item: string, channel = ""): string =>
  `<rss version="2.0"><channel><title>Harbour news</title><link>https://n.example/</link>${channel}<item>${item}</item></channel></rss>`;

describe("cases of feedparser", () => {
  const item = `<title>Pier &amp; port</title><link>https://n.example/1</link><guid>tag:1</guid>
    <pubDate>Thu, 01 Jan 2004 19:48:21 GMT</pubDate><author>Layla Haddad</author><category>Sea</category>
    <category>Port</category><description>&lt;p&gt;It opens.&lt;/p&gt;</description>
    <enclosure url="https://n.example/a.mp3" type="audio/mpeg" length="12"/>`;
  const outcomeOf = (path: (string | number)[], value: unknown, xml = rss(item)) => {
    const { parser } = measured({ feedparser: [{ file: "a.xml", xml, asserts: [{ path, value }] }] });
    return parser.total === 0 ? "not ours" : parser.right === 1 ? "right" : "wrong";
  };

  test.each([
    [["feed", "title"], "Harbour news", "right"],
    [["feed", "title"], "Harbour  news\n", "right"],
    [["feed", "title"], "Harbor news", "wrong"],
    [["feed", "link"], "https://n.example/", "right"],
    [["entries", 0, "link"], "https://n.example/2", "wrong"],
    [["entries", 0, "title"], "Pier & port", "right"],
    [["entries", 0, "id"], "tag:1", "right"],
    [["entries", 0, "id"], "tag:2", "wrong"],
    [["entries", 0, "id"], " tag:1", "wrong"],
    [["entries", 0, "link"], " https://n.example/1", "right"],
    [["entries", 0, "published_parsed"], [2004, 1, 1, 19, 48, 21, 3, 1, 0], "right"],
    [["entries", 0, "published_parsed"], [2004, 2, 1, 19, 48, 21, 3, 1, 0], "wrong"],
    [["entries", 0, "published_parsed"], "2004", "wrong"],
    [["entries", 0, "author"], "Layla Haddad", "right"],
    [["entries", 0, "authors", 0, "name"], "Layla Haddad", "right"],
    [["entries", 0, "summary"], "<p>It opens.</p>", "right"],
    [["entries", 0, "summary"], "It closes.", "wrong"],
    [["entries", 0, "category"], "Sea", "right"],
    [["entries", 0, "tags", 1, "term"], "Port", "right"],
    [["entries", 0, "tags", 0, "term"], "Port", "wrong"],
    [["entries", 0, "enclosures", 0, "type"], "audio/mpeg", "right"],
    [["entries", 0, "enclosures", 0, "length"], "12", "right"],
    [["entries", 0, "enclosures", 0, "href"], "https://n.example/a.mp3", "right"],
    [["entries", 0, "enclosures", 0], { href: "https://n.example/a.mp3" }, "right"],
    [["entries", 0, "enclosures", 0], { url: "https://n.example/b.mp3" }, "wrong"],
    [["entries", 1, "title"], "there is none", "wrong"],
    [["entries", 1, "title"], "", "right"],
    [["feed", "image", "href"], "https://n.example/i.png", "not ours"],
    [["entries", 0, "comments"], "https://n.example/c", "not ours"],
  ] as const)("%j is %j: %s", (path, value, outcome) => {
    expect(outcomeOf([...path], value)).toBe(outcome);
  });

  test("a case is right when all that it expects of our fields is, and each field that is wrong is told", () => {
    const { parser } = measured({
      feedparser: [
        {
          ...{ file: "a.xml", xml: rss(item) },
          asserts: [
            { path: ["feed", "title"], value: "Harbour news" },
            { path: ["entries", 0, "id"], value: "x" },
            { path: ["feed", "title"], op: "!=", value: "not looked at" },
          ],
        },
        { file: "b.xml", xml: rss(item), asserts: [{ path: ["feed", "title"], value: "Harbour news" }] },
        { file: "c.xml", xml: rss(item), asserts: null },
      ],
    });
    expect(parser).toMatchObject({ right: 1, total: 2, waived: [] });
    expect(parser.wrong).toEqual([
      { file: "a.xml", field: "entries.0.id", right: false, expected: "x", found: "tag:1" },
    ]);
  });

  test("what cannot be read is wrong in every field, with the reason", () => {
    const asserts = [{ path: ["feed", "title"], value: "x" }];
    const { parser } = measured({ feedparser: [{ file: "a.xml", xml: "no feed at all", asserts }] });
    expect(parser).toMatchObject({ right: 0, total: 1 });
    expect(parser.wrong[0]?.found).toBeString();
  });

  test("addresses are resolved against the header that says where the feed lies", () => {
    const { parser } = measured({
      feedparser: [
        {
          ...{ file: "a.xml", xml: rss("<title>x</title><link>/1</link>") },
          ...{ http_headers: { "Content-Location": "http://n.example/feeds/", "Content-Type": "text/xml" } },
          asserts: [{ path: ["entries", 0, "link"], value: "http://n.example/1" }],
        },
      ],
    });
    expect(parser.right).toBe(1);
  });

  test("a waived case that fails is named and counts for nothing; one that holds counts", () => {
    const one = (file: string, title: string) => ({
      ...{ file, xml: rss(item) },
      asserts: [{ path: ["feed", "title"], value: title }],
    });
    const { parser } = measured(
      { feedparser: [one("a.xml", "other"), one("b.xml", "Harbour news")] },
      { "feedparser/a.xml": "reason", "feedparser/b.xml": "reason", "gofeed/a.xml": "of another collection" },
    );
    expect(parser).toMatchObject({ right: 1, total: 1, wrong: [], waived: ["feedparser/a.xml"] });
  });
});

describe("cases of gofeed", () => {
  const atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Harbour</title><link href="https://n.example/"/>
    <entry><title>Pier</title><id>urn:1</id><link href="https://n.example/1"/><updated>2024-02-03T10:00:00Z</updated>
    <author><name>Layla</name></author><category term="Sea"/><summary>It opens.</summary></entry></feed>`;
  const expected = {
    title: "Harbour",
    links: [
      { href: "https://n.example/self", rel: "self" },
      { href: "https://n.example/", rel: "alternate" },
    ],
    entries: [
      {
        ...{ title: "Pier", id: "urn:1", links: [{ href: "https://n.example/1" }], summary: "It opens." },
        ...{ updatedParsed: "2024-02-03T10:00:00Z", authors: [{ name: "Layla" }], categories: [{ term: "Sea" }] },
      },
    ],
  };
  const of = (expectation: object) =>
    measured({ gofeed: { "parser/atom/a.xml": atom, "parser/atom/a.json": expectation } }).go;

  test("a feed that reads as expected is right in all fields that we carry", () => {
    expect(of(expected)).toMatchObject({ right: 1, total: 1, wrong: [] });
  });

  test.each([
    ["feed.title", { title: "Port" }],
    ["feed.link", { links: [{ href: "https://o.example/" }] }],
    ["entries.0.title", { entries: [{ title: "Port" }] }],
    ["entries.0.id", { entries: [{ id: "urn:2" }] }],
    ["entries.0.link", { entries: [{ link: "https://n.example/2" }] }],
    ["entries.0.summary", { entries: [{ summary: "It closes." }] }],
    ["entries.0.content", { entries: [{ content: { value: "More." } }] }],
    ["entries.0.published", { entries: [{ publishedParsed: "2024-02-03T10:00:00Z" }] }],
    ["entries.0.updated", { entries: [{ updatedParsed: "2024-02-03T10:00:01Z" }] }],
    ["entries.0.author", { entries: [{ authors: [{ name: "Omar" }] }] }],
    ["entries.0.category", { entries: [{ categories: ["Land"] }] }],
    ["entries.0.enclosure", { entries: [{ enclosures: [{ url: "https://n.example/a.mp3" }] }] }],
    ["entries.1.title", { entries: [{}, { title: "There is but one" }] }],
  ])("%s that is not so is wrong", (field, expectation) => {
    expect(of(expectation).wrong.map((each) => each.field)).toEqual([field]);
  });

  test("empty texts, relative addresses and fields that we do not carry are no expectation", () => {
    const none = {
      title: " ",
      link: "/here",
      generator: "x",
      items: [{ guid: { value: "" }, link: "ftp://n.example" }, "x"],
    };
    expect(of(none)).toMatchObject({ right: 0, total: 0 });
  });

  test("a feed that is JSON has its expectation beside it, and a feed without one is no case", () => {
    const { go } = measured({
      gofeed: {
        "parser/json/a.json": { version: "https://jsonfeed.org/version/1", title: "Harbour", items: [] },
        "parser/json/a_expected.json": { title: "Harbour" },
        "parser/json/b.json": { version: "https://jsonfeed.org/version/1", title: "Alone", items: [] },
        "parser/rss/c.xml": rss("<title>x</title>"),
        "parser/rss/notes.txt": "no feed",
      },
    });
    expect(go).toMatchObject({ right: 1, total: 1 });
  });
});

test("markup and script that is left in a text is wrong, be it of a feed or of a page", () => {
  const { sanitiser } = measured({
    feedparser: [
      {
        file: "good.xml",
        xml: rss("<title>5 &amp;lt; 6</title><description>a &lt;b&gt;b&lt;/b&gt;</description>"),
        asserts: null,
      },
      { file: "bad.xml", xml: rss("<title>call alert(1) now</title>"), asserts: null },
      { file: "none.xml", xml: "no feed", asserts: null },
    ],
    pages: {
      "good.html": "<p onclick='x()'>It opens.</p><script>alert(1)</script>",
      "bad.html": "<p>javascript&#58;x()</p>",
    },
  });
  expect(sanitiser).toMatchObject({ right: 2, total: 4 });
  expect(sanitiser.wrong.map(({ file, found }) => [file.split("/").at(-1), found])).toEqual([
    ["bad.xml", "alert("],
    ["bad.html", "javascript:"],
  ]);
});

test("a charset is right when it is found by the bytes and every byte can be read", () => {
  const declared = (charset: string, ...bytes: number[]) =>
    Buffer.concat([Buffer.from(`<?xml version="1.0" encoding="${charset}"?><rss>`, "latin1"), Buffer.from(bytes)]);
  const { charset } = measured({
    charsets: {
      "a.xml": { bytes: declared("windows-1256", 0xe3, 0xd5, 0xd1), charset: "windows-1256" },
      "b.xml": { bytes: declared("windows-1256", 0xe3), charset: "utf-8" },
      "c.xml": { bytes: declared("utf-8", 0xff), charset: "utf-8" },
    },
  });
  expect(charset).toMatchObject({ right: 1, total: 3 });
  expect(charset.wrong.map(({ file }) => file)).toEqual(["b.xml", "c.xml"]);
});

test("a data folder without feeds has no set", () => {
  expect(feeds.sets(join(root, "nowhere"), { full: false })).toEqual([]);
  mkdirSync(join(root, "data/feeds"), { recursive: true });
  expect(feeds.sets(join(root, "data"), { full: false })).toEqual([
    { set: "public feeds", path: join(root, "data/feeds") },
  ]);
});
