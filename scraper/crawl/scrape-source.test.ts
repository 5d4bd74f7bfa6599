import { expect, test } from "bun:test";
import { ListingMemory } from "./scrape-source.ts";

function listing(content: string) {
  const entry = { url: "https://example.org/a", title: "", publishedAt: null, updatedAt: null, author: "" };
  return { entries: [{ ...entry, categories: [], summary: "", content, image: null }], validators: new Map() };
}

test("a listing is remembered for its profile and address, as it was read last", () => {
  const memory = new ListingMemory();
  memory.put("one", "https://example.org/feed", listing("old"));
  memory.put("one", "https://example.org/feed", listing("new"));
  expect(memory.get("one", "https://example.org/feed")?.entries[0]?.content).toBe("new");
  expect(memory.get("two", "https://example.org/feed")).toBeUndefined();
});

test("the listings read longest ago are forgotten when there is no room", () => {
  const memory = new ListingMemory({ maxChars: 5000 });
  for (const name of ["a", "b", "a", "c"]) memory.put(name, "feed", listing("x".repeat(1500)));
  expect(["a", "b", "c"].map((name) => memory.get(name, "feed") !== undefined)).toEqual([true, false, true]);
  memory.put("huge", "feed", listing("x".repeat(6000)));
  expect(memory.get("huge", "feed")).toBeUndefined();
  memory.put("d", "feed", listing(""));
  expect(memory.get("d", "feed")).toBeDefined();
});
