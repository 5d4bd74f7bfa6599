import { describe, expect, test } from "bun:test";
import { canonicalOf, itemId } from "./canonical.ts";

const LISTED = "https://news.example.org/world/bridge-closed-123";

describe("the canonical address", () => {
  const of = (declared: string | null, fetched: string | null = LISTED) =>
    canonicalOf({ listed: LISTED, fetched, declared });

  test("is the one that the page declares, in canonical form", () => {
    expect(of("https://www.example.org/a/bridge-closed-123/?utm_source=x#top")).toBe(
      "https://www.example.org/a/bridge-closed-123",
    );
    expect(of("https://news.example.org/bridge-closed-after-flood")).toBe(
      "https://news.example.org/bridge-closed-after-flood",
    );
  });

  test.each([
    "https://news.example.org/",
    "https://news.example.org/world",
    "https://news.example.org",
    "https://other.example.com/bridge-closed-123",
    "not an address",
    "javascript:alert(1)",
  ])("is not %s, which cannot be the article's own", (declared) => {
    expect(of(declared)).toBe(LISTED);
  });

  test("is where the listed address led to, when the page declares none", () => {
    expect(of(null, "https://example.org/real-story-9/")).toBe("https://example.org/real-story-9");
  });

  test("is the listed one for a page that was not had", () => {
    expect(of(null, null)).toBe(LISTED);
  });
});

test("an id is stable for source and address, and differs wherever one of them does", () => {
  const id = itemId("bbc", LISTED);
  expect(id).toBe(itemId("bbc", LISTED));
  expect(id).toMatch(/^[0-9a-f]{32}$/);
  expect(new Set([id, itemId("cnn", LISTED), itemId("bbc", `${LISTED}4`)]).size).toBe(3);
});
