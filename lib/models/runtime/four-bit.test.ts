import { expect, test } from "bun:test";
import { BLOCK, BLOCK_BYTES, fourBit, fourBitBytes, int8Columns } from "./four-bit.ts";

/** A block with this scale, whose weights are 0 to 15 less 8 and then 15 to 0 less 8, in steps of the scale. */
function block(scale: number): Uint8Array {
  const bytes = new Uint8Array(BLOCK_BYTES);
  new DataView(bytes.buffer).setFloat16(0, scale, true);
  for (let i = 0; i < 16; i++) bytes[2 + i] = i | ((15 - i) << 4);
  return bytes;
}

test("a weight is its half byte less 8, times the scale of its block", () => {
  const out = new Float32Array(1 + 2 * BLOCK);
  fourBit(Uint8Array.from([...block(9), ...block(0.5), ...block(-2)])).unpack(1, 2, out, 1);
  const steps = Array.from({ length: 16 }, (_, i) => i - 8);
  const row = [...steps, ...steps.toReversed()];
  expect([...out]).toEqual([0, ...row.map((step) => step * 0.5), ...row.map((step) => step * -2)]);
});

test("int8 columns have the largest weight of each output at 127, one matrix after the other", () => {
  const packed = Uint8Array.from([...block(1), ...block(2), ...block(0.25)]);
  expect(packed).toHaveLength(fourBitBytes([2, 32]) + fourBitBytes([1, 32]));
  const out = int8Columns(packed, [
    [2, 32],
    [1, 32],
  ]);
  expect(out).toHaveLength(96);
  for (let input = 0; input < 32; input++) {
    const step = input < 16 ? input - 8 : 23 - input;
    const nearest = Math.round((step / 8) * 127);
    for (const value of [out[2 * input], out[2 * input + 1], out[64 + input]]) {
      expect(Math.abs((value ?? Number.NaN) - nearest)).toBeLessThanOrEqual(1);
    }
  }
  expect(out[0]).toBe(-127);
});

test("a matrix of zeros stays one", () => {
  expect(int8Columns(new Uint8Array(BLOCK_BYTES).fill(0x88, 2), [[1, 32]]).every((value) => value === 0)).toBe(true);
});
