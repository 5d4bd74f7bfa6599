import { expect, test } from "bun:test";
import { createWordCache } from "./word-cache.ts";

test("a value that was set is found", () => {
  const cache = createWordCache<number>(10);
  cache.set("a", 1);
  expect(cache.get("a")).toBe(1);
  expect(cache.get("b")).toBeUndefined();
});

test("the cache forgets words that nobody asks for", () => {
  const cache = createWordCache<number>(10);
  for (let i = 0; i < 1000; i++) cache.set(`w${i}`, i);
  const kept = Array.from({ length: 1000 }, (_, i) => cache.get(`w${i}`)).filter((v) => v !== undefined);
  expect(kept.length).toBeLessThanOrEqual(10);
});

test("a word in use outlives many that are not", () => {
  const cache = createWordCache<number>(10);
  cache.set("kept", 7);
  for (let i = 0; i < 1000; i++) {
    cache.set(`w${i}`, i);
    expect(cache.get("kept")).toBe(7);
  }
});
