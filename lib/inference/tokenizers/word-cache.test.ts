import { expect, test } from "bun:test";
import { createWordCache, remembering } from "./word-cache.ts";

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

test("a value is computed once, but for words that are too long to keep", () => {
  const asked: string[] = [];
  const size = remembering((word) => asked.push(word) && word.length, { capacity: 10, longest: 3 });
  expect([size("abc"), size("abc"), size("long"), size("long")]).toEqual([3, 3, 4, 4]);
  expect(asked).toEqual(["abc", "long", "long"]);
});
