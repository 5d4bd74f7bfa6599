import { expect, test } from "bun:test";
import { parseAtomFeed, parseJsonFeed } from "feedsmith";
import { writeAtom, writeJsonFeed } from "./feed.ts";

const hostile = `</title><script>alert(1)</script> ]]> & "x" عنوان\u0000\u000b\ud800`;
const feed = {
  ...{ id: "urn:isnad:search:1", title: hostile, self: "https://api.example/feed?key=a&b=c" },
  updatedAt: "2026-11-28T10:00:00.000Z",
  items: [
    {
      ...{ id: "urn:uuid:1", url: "https://news.example/1?a=1&b=2", title: hostile, summary: "Two <b>bold</b> words" },
      ...{ authors: ["A & B"], lang: "ar", publishedAt: "2026-11-27T10:00:00.000Z" },
      updatedAt: "2026-11-28T10:00:00.000Z",
    },
    {
      id: "urn:uuid:2",
      url: "https://news.example/2",
      title: "t",
      publishedAt: null,
      updatedAt: "2026-11-28T09:00:00.000Z",
    },
  ],
};

test("an Atom feed is read again as it was written, whatever its texts hold", () => {
  const written = writeAtom(feed);
  const readable = `</title><script>alert(1)</script> ]]> & "x" عنوان`;
  expect(written).not.toContain("<script>alert(1)</script> & ");
  expect(written).not.toMatch(/>\s+<!\[CDATA/);
  const read = parseAtomFeed(written);
  expect(read).toMatchObject({ id: feed.id, title: { value: readable }, links: [{ href: feed.self, rel: "self" }] });
  expect(read.entries).toMatchObject([
    {
      id: "urn:uuid:1",
      title: { value: readable },
      links: [{ href: feed.items[0]?.url }],
      authors: [{ name: "A & B" }],
    },
    { id: "urn:uuid:2", title: { value: "t" } },
  ]);
  expect(read.entries?.[1]?.published).toBeUndefined();
});

test("a JSON feed has the address, the text and the times of each item", () => {
  const written = JSON.parse(writeJsonFeed(feed));
  expect(parseJsonFeed(written).items).toHaveLength(2);
  expect(written).toMatchObject({ version: "https://jsonfeed.org/version/1.1", feed_url: feed.self });
  expect(written.items).toMatchObject([
    { id: "urn:uuid:1", content_text: "Two <b>bold</b> words", date_published: "2026-11-27T10:00:00.000Z" },
    { id: "urn:uuid:2", content_text: "t" },
  ]);
});

test("a JSON feed without items has an empty list of them", () => {
  expect(JSON.parse(writeJsonFeed({ ...feed, items: [] }))).toMatchObject({ feed_url: feed.self, items: [] });
});
