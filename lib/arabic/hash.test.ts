import { expect, test } from "bun:test";
import { hashOf } from "./hash.ts";

test("the hash is that of FNV-1a, 32 bits without a sign", () => {
  // http://www.isthe.com/chongo/tech/comp/fnv/ has these values.
  expect(hashOf("")).toBe(0x811c9dc5);
  expect(hashOf("a")).toBe(0xe40c292c);
  expect(hashOf("foobar")).toBe(0xbf9cf968);
});

test("texts that differ in a letter, or in order, have other hashes", () => {
  const texts = ["كتب", "كتاب", "بتك", "كتب ", " كتب", "كَتب"];
  expect(new Set(texts.map(hashOf)).size).toBe(texts.length);
});
