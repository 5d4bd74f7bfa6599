import { expect, test } from "bun:test";
import { loadTaxonomy } from "@isnad/lib/service/config";
import type { FeedEntry } from "@isnad/lib/web/feeds";
import type { Source } from "@isnad/lib/store";
import { feedItem } from "./item.ts";

const taxonomy = loadTaxonomy();
const source: Source = {
  key: "paper",
  provider: "rss",
  name: "Paper",
  feedUrl: "https://paper.example/feed",
  homepage: null,
  language: "en",
  tier: 3,
  active: true,
  offSince: null,
  createdAt: "2025-01-01T00:00:00.000Z",
  updatedAt: "2025-01-01T00:00:00.000Z",
};
const LONG = "The council met again to speak about the new bridge over the river. ".repeat(4);

const item = (over: Partial<FeedEntry> = {}, language: string | null = "en-GB") =>
  feedItem(
    {
      id: "tag:paper.example,2025:1",
      title: "A bridge",
      link: "https://paper.example/1",
      publishedAt: null,
      updatedAt: null,
      author: "",
      contentText: LONG,
      summaryText: "A summary.",
      categories: [],
      enclosures: [],
      image: null,
      ...over,
    },
    { source, feed: { language }, taxonomy },
  );

test("the text is the content, else a summary that is long enough, else the longer of both", () => {
  expect(item().content).toBe(LONG);
  expect(item({ contentText: "Short.", summaryText: LONG }).content).toBe(LONG);
  expect(item({ contentText: "", summaryText: "A summary." }).content).toBe("A summary.");
  expect(item({ contentText: "Longer than that.", summaryText: "Short." }).content).toBe("Longer than that.");
});

test("an entry without a link is at its id, when that is an address; without either it has none", () => {
  expect(item({ link: null, id: "https://paper.example/by-id" }).url).toBe("https://paper.example/by-id");
  expect(item({ link: null, id: "urn:uuid:1" })).not.toHaveProperty("url");
});

test("an id that the contract would refuse is replaced, always by the same", () => {
  const long = `https://paper.example/${"x".repeat(300)}`;
  expect(item({ id: long }).external_id).toMatch(/^[0-9a-f]{64}$/);
  expect(item({ id: long }).external_id).toBe(item({ id: long }).external_id ?? "");
  expect(item({ id: "a\nb" }).external_id).toMatch(/^[0-9a-f]{64}$/);
  expect(item({ id: "plain" }).external_id).toBe("plain");
});

test.each([
  ["ar-EG", "ar"],
  ["EN_us", "en"],
  ["fr", "en"],
  [null, "en"],
])("a feed in %p of an English source has language %p", (language, expected) => {
  expect(item({}, language).lang).toBe(expected);
});

test("of several categories the one that maps best is sent; the time of the change stands in for that of publishing", () => {
  expect(item({ categories: ["Featured today", "Sport", "Zebra"] }).category_label).toBe("Sport");
  expect(item({ categories: ["Zebra", "Giraffe"] }).category_label).toBe("Zebra");
  expect(item()).not.toHaveProperty("category_label");
  expect(item({ updatedAt: "2025-02-03T04:05:06Z" }).published_at).toBe("2025-02-03T04:05:06Z");
});
