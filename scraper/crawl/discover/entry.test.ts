import { expect, test } from "bun:test";
import type { DiscoveredEntry } from "../../../lib/extraction/discovery/mod.ts";
import { canonicalOrNull, fromDiscovery, toDiscovery } from "./entry.ts";

const ENTRY: DiscoveredEntry = {
  url: "https://Example.org/a/?utm_source=rss",
  title: "Title",
  publishedAt: "2026-11-20T10:00:00Z",
  updatedAt: null,
  author: "A. Writer",
  categories: ["one", "two"],
  summary: "summary",
  content: "content",
  image: "https://example.org/i.jpg",
};

test("an entry goes under its canonical address and comes back as it was", () => {
  const kept = toDiscovery(ENTRY, "feed", "politics");
  expect(kept).toMatchObject({ url: "https://example.org/a", category: "politics" });
  expect(fromDiscovery(kept?.url ?? "", kept?.entry ?? {})).toEqual(ENTRY);
});

test("the stamp follows what the listing says of the version, and nothing else", () => {
  const stamp = (more: Partial<DiscoveredEntry>) => toDiscovery({ ...ENTRY, ...more }, "feed", null)?.stamp;
  expect(stamp({ summary: "other", content: "other", categories: [], image: null })).toBe(stamp({}) ?? "");
  const versions = [stamp({}), stamp({ title: "New title" }), stamp({ updatedAt: "2026-11-20T11:00:00Z" })];
  expect(new Set(versions).size).toBe(3);
});

test("a list page says nothing of the version, and the text of its link is no title", () => {
  expect(toDiscovery(ENTRY, "list", null)).toMatchObject({ stamp: "", entry: { title: "" } });
  expect(toDiscovery({ ...ENTRY, title: "5 minutes ago" }, "list", null)?.stamp).toBe("");
});

test("what is no address is no entry", () => {
  expect(toDiscovery({ ...ENTRY, url: "mailto:someone@example.org" }, "feed", null)).toBeUndefined();
  expect(canonicalOrNull("nowhere")).toBeNull();
});

test("an entry of an older or another form is read for what it has", () => {
  expect(fromDiscovery("https://example.org/a", { title: 5, categories: ["x", 1, null], author: "A" })).toEqual({
    url: "https://example.org/a",
    title: "",
    publishedAt: null,
    updatedAt: null,
    author: "A",
    categories: ["x"],
    summary: "",
    content: "",
    image: null,
  });
});
