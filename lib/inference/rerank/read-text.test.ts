import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createPieceTokenizer, FIRST, LAST } from "../piece-tokenizer.ts";
import { openRegistry } from "../registry.ts";
import { createTextTokenizer } from "../text-tokenizer.ts";
import { createReading, queryOf, stretchesOf } from "./read-text.ts";

const registry = openRegistry();
const json = (name: string) => JSON.parse(readFileSync(join(registry.dir(name), "tokenizer.json"), "utf8"));
const tokenizer = createTextTokenizer(json("static-ar-en-256"));
const pieces = createPieceTokenizer(json("pieces-ar-en"));
const read = createReading(tokenizer, pieces);

describe("createReading()", () => {
  test("reads tokens and pieces of the same words, as each tokenizer reads the whole text", () => {
    for (const text of ["The council's bridge\t(opened, 1932)", "افتتح المجلس\u0000الجسر؛ فوق النهر"]) {
      const tokens: number[] = [];
      tokenizer.eachId(text, (id) => tokens.push(id));
      const found = read([text], 320);
      expect(found.tokens).toEqual(tokens);
      expect(found.pieces).toEqual(pieces.encode(text, 192).slice(1, -1));
      expect(found.starts).toHaveLength(tokens.length);
      expect([...found.starts]).toEqual([...found.starts].sort((a, b) => a - b));
    }
  });

  test("a token's word starts with the piece that is told", () => {
    const { starts, tokens } = read(["bridge river"], 320);
    expect(starts[0]).toBe(0);
    expect(starts[tokens.length - 1]).toBe(pieces.idsOf("bridge").length);
  });

  test("the title is read before the text, and all to a bound", () => {
    expect(read(["bridge", "river"], 320)).toEqual(read(["bridge river"], 320));
    const { tokens, pieces: found } = read(["", "city ".repeat(9000)], 320);
    expect(tokens).toHaveLength(320);
    expect(found.length).toBeLessThanOrEqual(640);
  });

  test("where there is no word there is the unknown one", () => {
    for (const text of ["", " \n", "\u0000"])
      expect(read([text], 48)).toEqual({ tokens: [0], pieces: [3], starts: [] });
  });
});

test("stretchesOf() cuts each text from its window on, filled up with padding", () => {
  const long = Array.from({ length: 100 }, (_, i) => 10 + i);
  const starts = long.map((_, i) => i);
  const texts = [
    { tokens: long, pieces: long, starts },
    { tokens: [5, 6], pieces: [7, 8], starts: [0, 1] },
    { tokens: [0], pieces: [3], starts: [] },
  ];
  const { ids, length } = stretchesOf(texts, [24, 0, 12]);
  expect(length).toBe(34);
  expect([...ids.subarray(0, 2)]).toEqual([FIRST, 34]);
  expect([...ids.subarray(32, 34)]).toEqual([65, LAST]);
  expect([...ids.subarray(34, 39)]).toEqual([FIRST, 7, 8, LAST, 0]);
  expect([...ids.subarray(68, 72)]).toEqual([FIRST, 3, LAST, 0]);
  expect(stretchesOf([], [])).toEqual({ ids: new Int32Array(), length: 0 });
});

test("queryOf() reads a query to a bound", () => {
  const long = Array.from({ length: 100 }, (_, i) => 10 + i);
  const { ids, length } = queryOf({ tokens: long, pieces: long, starts: long });
  expect([length, ids[0], ids[1], ids[62], ids[63]]).toEqual([64, FIRST, 10, 71, LAST]);
});
