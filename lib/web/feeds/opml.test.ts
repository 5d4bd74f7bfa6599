import { expect, test } from "bun:test";
import { OpmlError, type OpmlFeed, readOpml, writeOpml } from "./opml.ts";

const feed = (part: Partial<OpmlFeed> & { xmlUrl: string }): OpmlFeed => ({
  title: part.xmlUrl,
  htmlUrl: null,
  description: "",
  language: null,
  folders: [],
  categories: [],
  extra: {},
  ...part,
});

test("nested outlines become folders, and attributes are found however they are written", () => {
  const read = readOpml(`<?xml version="1.0"?><OPML version="1.1"><head><title>My &amp; feeds</title></head><body>
    <outline text="News"><outline text="Arabic"><outline text="A" XMLURL="https://a.example/rss?x=1&amp;y=2"
    htmlUrl="https://a.example/" category="/news/world,sport" language="ar"/></outline></outline>
    <outline title="B" text="b" type="rss" xmlUrl="http://b.example/feed"/></body></OPML>`);
  expect(read).toEqual({
    title: "My & feeds",
    feeds: [
      feed({
        title: "A",
        xmlUrl: "https://a.example/rss?x=1&y=2",
        htmlUrl: "https://a.example/",
        folders: ["News", "Arabic"],
        categories: ["news/world", "sport"],
        language: "ar",
      }),
      feed({ title: "B", xmlUrl: "http://b.example/feed" }),
    ],
    problems: [],
  });
});

test("what is no feed is named with its reason", () => {
  const read = readOpml(`<opml><body><outline text="empty"/><outline text="script" xmlUrl="javascript:alert(1)"/>
    <outline text="other file" type="include" url="https://x.example/more.opml"/>
    <outline text="one" xmlUrl="https://a.example/rss"/><outline text="two" xmlUrl="https://a.example/rss"/></body></opml>`);
  expect(read.feeds.map(({ title }) => title)).toEqual(["one"]);
  expect(read.problems).toEqual([
    { title: "empty", reason: "no-address", address: "" },
    { title: "script", reason: "bad-address", address: "javascript:alert(1)" },
    { title: "other file", reason: "link", address: "https://x.example/more.opml" },
    { title: "two", reason: "duplicate", address: "https://a.example/rss" },
  ]);
});

test.each(["", "plain", "<rss/>", "<opml/>", "{}", "<".repeat(200_000)])("%# is not OPML", (source) => {
  expect(() => readOpml(source)).toThrow(OpmlError);
});

test("outlines nested without end are read as far as the cap", () => {
  const read = readOpml(`<opml><body>${'<outline text="f">'.repeat(50_000)}`);
  expect(read.feeds).toEqual([]);
});

test("what is written is read back the same", () => {
  const feeds = [
    feed({
      title: 'أخبار "اليوم" & <غدا>',
      xmlUrl: "https://a.example/rss?x=1&y=%22",
      htmlUrl: "https://a.example/",
      description: "one & <two",
      language: "ar",
      categories: ["news/world", "sport"],
      extra: { source_id: "a-example", tier: "1" },
    }),
    feed({ title: "b", xmlUrl: "https://b.example/feed", folders: ["News", "R&D"] }),
    feed({ title: "c", xmlUrl: "https://c.example/feed", folders: ["News"] }),
  ];
  const text = writeOpml({ title: "مصادر & more", createdAt: new Date(0), feeds });
  expect(text).toStartWith('<?xml version="1.0" encoding="UTF-8"?>\n<opml version="2.0"');
  const read = readOpml(text);
  expect(read.title).toBe("مصادر & more");
  expect(read.problems).toEqual([]);
  const byUrl = (list: readonly OpmlFeed[]) => list.toSorted((a, b) => a.xmlUrl.localeCompare(b.xmlUrl));
  expect(byUrl(read.feeds)).toEqual(byUrl(feeds));
  expect(byUrl(readOpml(writeOpml({ title: "", feeds: read.feeds })).feeds)).toEqual(byUrl(read.feeds));
});

test("a name that XML does not allow is refused, control characters are left out", () => {
  const bad = { title: "t\u0001", xmlUrl: "https://a.example/", extra: { "a b": "x" } };
  expect(() => writeOpml({ title: "", feeds: [bad] })).toThrow(RangeError);
  expect(writeOpml({ title: "", feeds: [{ ...bad, extra: {} }] })).toContain('text="t"');
});
