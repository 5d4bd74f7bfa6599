import { expect, test } from "bun:test";
import { seeded } from "./testing.ts";
import { WordCache } from "./word-cache.ts";

test("a word's value is made once, wherever the word stands", () => {
  const made: string[] = [];
  const cache = new WordCache((word) => {
    made.push(word);
    return { word };
  }, 10);
  const first = cache.get("xabcx", 1, 4);
  expect(first).toEqual({ word: "abc" });
  expect(cache.get("abc", 0, 3)).toBe(first);
  expect(made).toEqual(["abc"]);
});

test("every word has its own value, also when there are more than are kept", () => {
  const cache = new WordCache((word) => ({ word }), 10);
  const random = seeded(3);
  for (let i = 0; i < 300_000; i++) {
    const word = String(Math.floor(random() * 200_000));
    if (cache.get(`.${word}.`, 1, 1 + word.length).word !== word) throw new Error(`another value for ${word}`);
  }
});

test("long words are not kept", () => {
  const cache = new WordCache((word) => ({ word }), 3);
  const word = "long".repeat(5000);
  expect(cache.get(word, 0, word.length).word).toBe(word);
  expect(cache.get("long", 0, 4)).not.toBe(cache.get("long", 0, 4));
});

test("the empty word is a word", () => {
  const cache = new WordCache((word) => ({ word }), 3);
  expect(cache.get("abc", 1, 1)).toEqual({ word: "" });
});
