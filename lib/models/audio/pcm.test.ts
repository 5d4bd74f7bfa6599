import { describe, expect, test } from "bun:test";
import { createResampler } from "./pcm.ts";

/** Decibels of what is left of a sine of this frequency after resampling, beside the sine itself. */
function gain(frequency: number, from: number, to: number): number {
  const resampler = createResampler(from, to);
  const source = Float32Array.from({ length: from / 4 }, (_, i) => Math.sin((2 * Math.PI * frequency * i) / from));
  const out = [...resampler.push(source.subarray(0, 999)), ...resampler.push(source.subarray(999)), ...resampler.end()];
  const middle = out.slice(out.length / 4, (out.length * 3) / 4);
  const power = middle.reduce((sum, x) => sum + x * x, 0) / middle.length;
  return 10 * Math.log10(2 * power);
}

const RATES = [8_000, 22_050, 44_100, 48_000, 96_000, 11_127, 655_349];

describe("the pass band is flat", () => {
  test.each(RATES)("from %d to 16,000 samples a second", (from) => {
    const limit = Math.min(from, 16_000) / 2;
    for (const part of [0.05, 0.3, 0.6, 0.8]) expect(Math.abs(gain(limit * part, from, 16_000))).toBeLessThan(0.05);
  });
});

describe("what the new rate cannot hold is gone instead of folded back", () => {
  test.each([22_050, 44_100, 48_000, 96_000, 655_349])("from %d to 16,000 samples a second", (from) => {
    for (const frequency of [8_200, 9_000, 10_500]) expect(gain(frequency, from, 16_000)).toBeLessThan(-60);
  });

  test("as are the images of a lower rate", () => {
    const resampler = createResampler(8_000, 16_000);
    const source = Float32Array.from({ length: 4_000 }, (_, i) => Math.sin((2 * Math.PI * 3_000 * i) / 8_000));
    const out = [...resampler.push(source), ...resampler.end()].slice(2_000, 6_000);
    // What a sine of 3,000 Hz leaves when it is taken away; its image would be at 5,000 Hz.
    const left = out.map((x, i) => x - Math.sin((2 * Math.PI * 3_000 * (i + 2_000)) / 16_000));
    expect(Math.max(...left.map(Math.abs))).toBeLessThan(0.002);
  });
});

test("stretches of any length join without a seam, and the length is right", () => {
  const source = Float32Array.from({ length: 10_000 }, (_, i) => Math.sin(i / 7));
  const whole = createResampler(44_100, 16_000);
  const cut = createResampler(44_100, 16_000);
  const expected = [...whole.push(source), ...whole.end()];
  const parts: number[] = [];
  for (let at = 0, step = 1; at < source.length; at += step, step = (step * 3) % 1_009) {
    parts.push(...cut.push(source.subarray(at, at + step)));
  }
  parts.push(...cut.end());
  expect(parts).toEqual(expected);
  expect(expected).toHaveLength(Math.round((10_000 * 16_000) / 44_100));
});

test("a rate that is right is left alone", () => {
  const source = Float32Array.of(0.1, 0.2);
  const same = createResampler(16_000, 16_000);
  expect(same.push(source)).toBe(source);
  expect(same.end()).toHaveLength(0);
});
