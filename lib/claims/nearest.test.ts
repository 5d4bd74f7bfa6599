import { expect, test } from "bun:test";
import { cosine, NearestVectors, signedBytesOf } from "./nearest.ts";

const DIMS = 128;
let seed = 1;
function random(): number {
  seed = (seed * 16_807) % 2_147_483_647;
  return seed / 2_147_483_647 - 0.5;
}
const vector = () => signedBytesOf(Float32Array.from({ length: DIMS }, random));
const mixed = (a: Int8Array, b: Int8Array, share: number) =>
  signedBytesOf(Float32Array.from(a, (value, i) => share * value + (1 - share) * (b[i] ?? 0)));

test("finds what is near among thousands, within a bound", () => {
  const nearest = new NearestVectors(DIMS);
  const wanted = vector();
  for (let id = 1; id <= 5_000; id++) nearest.add(id, id % 1_000 === 0 ? mixed(wanted, vector(), 0.8) : vector());
  const candidates = nearest.near(wanted, { least: 0.5, count: 10 });
  const ids = candidates.map(({ id }) => id);
  for (const id of [1_000, 2_000, 3_000, 4_000, 5_000]) expect(ids).toContain(id);
  expect(candidates.length).toBeLessThanOrEqual(200);
});

test("what was dropped is not found, nor anything after it was cleared", () => {
  const nearest = new NearestVectors(DIMS);
  const own = vector();
  nearest.add(7, own);
  nearest.add(8, new Int8Array(DIMS));
  nearest.add(9, new Int8Array(3).fill(1));
  expect(nearest.size).toBe(1);
  const [found] = nearest.near(own, { least: 0.5, count: 5 });
  expect(found?.id).toBe(7);
  nearest.drop([found?.row ?? 0]);
  expect(nearest.near(own, { least: 0.5, count: 5 })).toEqual([]);
  nearest.clear();
  nearest.add(1, own);
  expect(nearest.near(own, { least: 0.5, count: 5 })).toEqual([{ id: 1, row: 0 }]);
  expect(nearest.near(new Int8Array(DIMS), { least: 0.5, count: 5 })).toEqual([]);
});

test("few dimensions are refused", () => {
  expect(() => new NearestVectors(8)).toThrow(RangeError);
});

test("a vector as signed bytes keeps its direction; one without a direction is zeros", () => {
  const floats = Float32Array.from({ length: DIMS }, random);
  expect(cosine(floats, signedBytesOf(floats))).toBeGreaterThan(0.999);
  expect(signedBytesOf(new Float32Array(2))).toEqual(new Int8Array(2));
  expect(signedBytesOf(Float32Array.from([Number.NaN, 1]))).toEqual(new Int8Array(2));
  expect(cosine(new Int8Array(2), new Int8Array([1, 1]))).toBe(0);
});
