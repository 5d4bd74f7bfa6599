import { expect, test } from "bun:test";
import { readBagRows } from "./bag-rows.ts";

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
