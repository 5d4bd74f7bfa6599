import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createReferenceTokenizer } from "./reference-tokenizer.ts";
import { tokenizerOf } from "../tasks/rerank/testing.ts";

const json = JSON.parse(tokenizerOf("unigram"));
const { charsmap } = JSON.parse(readFileSync(join(import.meta.dirname, "../fixtures/precompiled.json"), "utf8"));

test("a tokenizer normalises by its own map of characters, alone and among others", () => {
  const map = { type: "Precompiled", precompiled_charsmap: charsmap };
  const inner = { type: "Sequence", normalizers: [map] };
  for (const normalizer of [map, { type: "Sequence", normalizers: [{ type: "Lowercase" }, inner] }]) {
    const tokenizer = createReferenceTokenizer({ ...json, normalizer });
    // the library by itself would compose what this map does not
    expect(tokenizer.normalizer?.("o\u0301 ﬁ")).toBe("o\u0301 fi");
  }
});

test("words are split at the white space of Unicode: at a next line, not at a byte order mark", () => {
  const split = { type: "WhitespaceSplit" };
  for (const pre_tokenizer of [split, { type: "Sequence", pretokenizers: [split] }]) {
    const tokenizer = createReferenceTokenizer({ ...json, pre_tokenizer });
    expect(tokenizer.pre_tokenizer?.("one\u0085two\ufeffthree\u3000 four")).toEqual(["one", "two\ufeffthree", "four"]);
    expect(tokenizer.pre_tokenizer?.(" \u2029")).toEqual([]);
  }
});

test("a tokenizer that is none, or whose map is damaged, is refused", () => {
  expect(() => createReferenceTokenizer({})).toThrow();
  const normalizer = { type: "Precompiled", precompiled_charsmap: charsmap.slice(0, 40) };
  expect(() => createReferenceTokenizer({ ...json, normalizer })).toThrow("damaged");
});

test("a letter with a hundred thousand marks is normalised like one with as many as writings have", () => {
  const tokenizer = createReferenceTokenizer({ ...json, normalizer: { type: "NFC" } });
  const marks = "\u064b\u0301";
  expect(tokenizer.normalizer?.(`e${marks.repeat(50_000)}`)).toBe(`\u00e9${"\u064b".repeat(15)}${"\u0301".repeat(14)}`);
});
