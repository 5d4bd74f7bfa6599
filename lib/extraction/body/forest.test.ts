import { expect, test } from "bun:test";
import { predict, readForest } from "./forest.ts";

/** Two trees over two features: the first splits on feature 1 at 0.5, the second is one leaf. */
function forestBytes(): Uint8Array {
  const parts = [
    new Uint32Array([0x31465349, 2, 2, 1, 3]),
    new Int32Array([0, -3]),
    new Int32Array([-1]),
    new Int32Array([-2]),
    new Float32Array([0.5]),
    new Float32Array([-2, 3, 1]),
    new Uint16Array([1]),
  ];
  return Buffer.concat(parts.map((part) => Buffer.from(part.buffer)));
}

test("a row goes left where its value is at most the threshold; leaves add up to a logit", () => {
  const probabilities = predict(readForest(forestBytes()), new Float32Array([9, 0.5, 9, 0.6]));
  const logistic = (x: number) => 1 / (1 + Math.exp(-x));
  expect(probabilities[0]).toBeCloseTo(logistic(-1), 6);
  expect(probabilities[1]).toBeCloseTo(logistic(4), 6);
});

test("bytes at any offset of their buffer are read", () => {
  const shifted = new Uint8Array(forestBytes().length + 3);
  shifted.set(forestBytes(), 3);
  expect(readForest(shifted.subarray(3)).features).toBe(2);
});

/** The same with one of its numbers changed; `place` counts in 32-bit words, of which the lower half is set. */
function withNumber(place: number, value: number): Uint8Array {
  const bytes = forestBytes();
  new DataView(bytes.buffer, bytes.byteOffset).setInt16(place * 4, value, true);
  return bytes;
}

test.each([
  ["names a node that it lacks", withNumber(5, 1)],
  ["names a leaf that it lacks", withNumber(7, -4)],
  ["names a feature that it lacks", withNumber(13, 2)],
])("a file that %s is refused", (_, bytes) => {
  expect(() => readForest(bytes)).toThrow("that it lacks");
});

test.each([
  ["empty", new Uint8Array()],
  ["cut short", forestBytes().subarray(0, 40)],
  ["too long", new Uint8Array([...forestBytes(), 0])],
  ["of another kind", new Uint8Array(60)],
])("a file that is %s is refused", (_, bytes) => {
  expect(() => readForest(bytes)).toThrow(RangeError);
});
