import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPieceTokenizer, FIRST, LAST } from "../../tokenizers/piece-tokenizer.ts";
import { openRegistry } from "../../models/registry.ts";
import { createTextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { createReading, queryOf, stretchesOf } from "./read-text.ts";

const registry = openRegistry();
const json = (name: string) => JSON.parse(readFileSync(join(registry.dir(name), "tokenizer.json"), "utf8"));
const tokenizer = createTextTokenizer(json("static-ar-en-256"));
const pieces = createPieceTokenizer(json("pieces-ar-en"));
const read = createReading(tokenizer);

describe("createReading()", () => {
  test("reads the tokens and the pieces that each tokenizer reads of the whole text", () => {
    for (const text of ["The council's bridge\t(opened, 1932)", "افتتح المجلس\u0000الجسر؛ فوق النهر"]) {
      const tokens: number[] = [];
      tokenizer.eachId(text, (id) => tokens.push(id));
      const found = read([text], 320);
      expect(found.tokens).toEqual(tokens);
      expect([...queryOf(found, pieces).ids]).toEqual(pieces.encode(text, 64));
      expect(found.wordOf).toHaveLength(tokens.length);
      expect([...found.wordOf]).toEqual([...found.wordOf].sort((a, b) => a - b));
    }
  });

  test("the title is read before the text, and all to a bound", () => {
    expect(read(["bridge", "river"], 320)).toEqual(read(["bridge river"], 320));
    const { tokens, words } = read(["", "city ".repeat(9000)], 320);
    expect(tokens).toHaveLength(320);
    expect(words.length).toBeLessThanOrEqual(320);
  });

  test("where there is no word there is the unknown token and the unknown piece", () => {
    for (const text of ["", " \n", "\u0000"]) {
      const found = read([text], 48);
      expect(found).toEqual({ words: [], tokens: [0], wordOf: [] });
      expect([...queryOf(found, pieces).ids]).toEqual([FIRST, 3, LAST]);
    }
  });
});

const spelled = { idsOf: (word: string) => [...word].map((letter) => letter.charCodeAt(0)) };

test("stretchesOf() reads each text from the word of its window on, filled up with padding", () => {
  const words = Array.from({ length: 50 }, (_, i) => (i === 12 ? "xy" : "a"));
  const long = { words, tokens: words.map(() => 7), wordOf: words.map((_, i) => i) };
  const short = { words: ["b", "cd"], tokens: [5, 6, 7], wordOf: [0, 1, 1] };
  const none = { words: [], tokens: [0], wordOf: [] };
  const { ids, length } = stretchesOf([long, short, short, none], [12, 0, 24, 12], spelled);
  const row = (i: number) => [...ids.subarray(i * length, (i + 1) * length)].filter((id) => id !== 0);
  expect(length).toBe(34);
  expect(row(0)).toEqual([FIRST, 120, 121, ...Array<number>(30).fill(97), LAST]);
  expect(row(1)).toEqual([FIRST, 98, 99, 100, LAST]);
  expect(row(2)).toEqual([FIRST, 99, 100, LAST]);
  expect(row(3)).toEqual([FIRST, 3, LAST]);
  expect(stretchesOf([], [], spelled)).toEqual({ ids: new Int32Array(), length: 0 });
});

test("queryOf() reads a query to a bound", () => {
  const words = Array.from({ length: 40 }, () => "abc");
  const { ids, length } = queryOf({ words, tokens: [1], wordOf: [0] }, spelled);
  expect([length, ids[0], ids[1], ids[62], ids[63]]).toEqual([64, FIRST, 97, 98, LAST]);
});
