import { expect, test } from "bun:test";
import { FeedError } from "./feed.ts";
import { readJsonFeed } from "./json-feed.ts";

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
