import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { openRegistry } from "../../cards/registry.ts";
import { createTextTokenizer, type TextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { createBagger, readBagRows, readStaticRows } from "./bag.ts";
import { createEmbedder } from "./embedder.ts";

/** Digits are ids, everything else is unknown. */
const digits: TextTokenizer = {
  vocabularySize: 10,
  eachId(text, take) {
    for (const letter of text) if (letter >= "0" && letter <= "9") take(Number(letter));
  },
};

test("an id stands once, weighed by a power of its count", () => {
  const { ids, weights } = createBagger(digits, 0.5)("7 3 7 7 7");
  expect([...ids]).toEqual([7, 3]);
  expect([...weights]).toEqual([2, 1]);
});

test("a text without a known token is the unknown token", () => {
  expect([...createBagger(digits, 0.5)("abc").ids]).toEqual([0]);
});

test("one text leaves nothing behind for the next", () => {
  const bag = createBagger(digits, 0.5);
  bag("1234567890");
  expect([...bag("5").weights]).toEqual([1]);
});

const WIDTH = 256;
const STEPS = WIDTH / 32;

/** Two rows: of the first every number is 7, of the second every other one is 7 and -8; steps of 1. */
function model(): Uint8Array {
  const packed = new Uint8Array(WIDTH).fill(0xff, 0, WIDTH / 2);
  for (let i = WIDTH / 2; i < WIDTH; i++) packed[i] = i % 2 === 0 ? 0xff : 0x00;
  const steps = new Uint8Array(new Uint16Array(2 * STEPS).fill(0x3c00).buffer);
  return Uint8Array.from([...packed, ...steps]);
}
const constants = { packed: { offset: 0, bytes: WIDTH }, steps: { offset: WIDTH, bytes: 4 * STEPS } };
const bag = (ids: number[], weights: number[]) => ({ ids: Int32Array.from(ids), weights: Float32Array.from(weights) });

test("the rows of a bag are summed by their weights, to unit length, where they are asked for", () => {
  const rows = readBagRows(model(), { constants });
  const out = new Float32Array(2 * WIDTH);
  rows.embed(bag([0, 1], [1, 3]), out, WIDTH);
  // In 127 levels of 8, 7 is 111 of them.
  const level = (111 * 8) / 127;
  const [even, odd] = [7 + 3 * level, 7 - 3 * 8];
  const length = Math.hypot(even, odd) * Math.sqrt(WIDTH / 2);
  expect([...out.slice(0, WIDTH)]).toEqual(new Array(WIDTH).fill(0));
  expect([out[WIDTH], out[WIDTH + 1]]).toEqual([expect.closeTo(even / length, 6), expect.closeTo(odd / length, 6)]);
  expect(Math.hypot(...out)).toBeCloseTo(1, 6);
});

test("a bag that weighs nothing is all zeros", () => {
  const out = new Float32Array(WIDTH).fill(1);
  readBagRows(model(), { constants }).embed(bag([0], [0]), out, 0);
  expect(out.every((value) => value === 0)).toBe(true);
});

const registry = openRegistry();
const dir = registry.dir("static-ar-en-256");
const bytes = readFileSync(join(dir, "model.onnx"));

test("the rows of a word's tokens, added up, are the vector that the embedding gives it", async () => {
  const rows = readStaticRows(bytes, registry.card("static-ar-en-256"));
  const tokenizer = createTextTokenizer(JSON.parse(readFileSync(join(dir, "tokenizer.json"), "utf8")));
  const embedder = await createEmbedder({ registry, model: "static-ar-en-256" });
  for (const word of ["government", "الحكومة"]) {
    const ids: number[] = [];
    tokenizer.eachId(word, (id) => ids.push(id));
    const found = rows.rowsOf(ids);
    const sum = Array.from({ length: rows.width }, (_, i) =>
      ids.reduce((total, _, place) => total + (found[place * rows.width + i] ?? 0), 0),
    );
    const norm = Math.hypot(...sum);
    const [vector = new Float32Array()] = await embedder.embed([word], "passage");
    const unlike = sum.map((value, i) => Math.abs(value / norm - (vector[i] ?? 0)));
    expect(Math.max(...unlike)).toBeLessThan(5e-3);
  }
  await embedder.close();
});

test("says so when the card names no rows, or the file is cut off", () => {
  const card = registry.card("static-ar-en-256");
  expect(() => readStaticRows(bytes, {})).toThrow("no packed rows");
  expect(() => readStaticRows(bytes.subarray(0, 5000), card)).toThrow("no step for each");
});
