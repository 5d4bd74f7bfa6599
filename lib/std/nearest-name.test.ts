import { expect, test } from "bun:test";
import { nearestName } from "./nearest-name.ts";

const NAMES = ["feeds", "list_pages", "SEARCH_CONCURRENCY"];

test("nearestName() finds what was meant, the nearest first, and nothing for what is another word", () => {
  expect(nearestName("feed", NAMES)).toBe("feeds");
  expect(nearestName("Feeds", NAMES)).toBe("feeds");
  expect(nearestName("listpage", NAMES)).toBe("list_pages");
  expect(nearestName("SEARCH_CONCURENCY", NAMES)).toBe("SEARCH_CONCURRENCY");
  expect(nearestName("fees", ["feel", "feeds"])).toBe("feel");
  expect(nearestName("sitemaps", NAMES)).toBeUndefined();
});
