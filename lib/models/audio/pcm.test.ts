import { describe, expect, test } from "bun:test";
import { createResampler, decodeWav, wavHead } from "./pcm.ts";
import { distance, recording, tones, wavFile } from "./testing.ts";

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

const all = (bytes: Uint8Array): Float32Array =>
  Float32Array.from([...decodeWav(bytes)].flatMap(({ samples }) => [...samples]));

/** A file with one value after the other, written by `write`. */
function fileOf(
  code: number,
  bits: number,
  values: number[],
  write: (bytes: Buffer, value: number, at: number) => void,
) {
  const file = wavFile([]);
  file.writeUInt16LE(code, 20);
  file.writeUInt16LE(bits, 34);
  const data = Buffer.alloc((values.length * bits) / 8);
  for (const [i, value] of values.entries()) write(data, value, (i * bits) / 8);
  file.writeUInt32LE(data.length, 40);
  return Buffer.concat([file, data]);
}

const values = [0, 0.5, -0.5, -1, 0.25];

test.each([
  [1, 8, (b: Buffer, v: number, at: number) => b.writeUInt8(128 + v * 128, at)],
  [1, 16, (b: Buffer, v: number, at: number) => b.writeInt16LE(v * 0x8000, at)],
  [1, 24, (b: Buffer, v: number, at: number) => b.writeIntLE(v * 0x800000, at, 3)],
  [1, 32, (b: Buffer, v: number, at: number) => b.writeInt32LE(v * 0x80000000, at)],
  [3, 32, (b: Buffer, v: number, at: number) => b.writeFloatLE(v, at)],
  [3, 64, (b: Buffer, v: number, at: number) => b.writeDoubleLE(v, at)],
])("samples of format %d with %d bits", (code, bits, write) => {
  expect([...all(fileOf(code, bits, values, write))]).toEqual(values);
});

test.each(["alaw.wav", "ulaw.wav"])("%s is expanded as the telephone's law says", (name) => {
  const samples = Float32Array.from(all(recording(name)));
  expect(distance(samples, tones, { rate: 8_000 })).toBeLessThan(0.02);
});

test("an extensible head names the format in its sub-format", () => {
  const plain = fileOf(1, 24, values, (b, v, at) => b.writeIntLE(v * 0x800000, at, 3));
  const extension = Buffer.alloc(24);
  extension.writeUInt16LE(22, 0);
  extension.writeUInt16LE(1, 8);
  const file = Buffer.concat([plain.subarray(0, 36), extension, plain.subarray(36)]);
  file.writeUInt32LE(40, 16);
  file.writeUInt16LE(0xfffe, 20);
  expect([...all(file)]).toEqual(values);
});

test("floats beyond the range and those that are no numbers do no harm", () => {
  const odd = [Number.NaN, Number.POSITIVE_INFINITY, -1e30, 0.5];
  expect([...all(fileOf(3, 32, odd, (b, v, at) => b.writeFloatLE(v, at)))]).toEqual([0, 1, -1, 0.5]);
});

test("other chunks are passed over, of odd length too", () => {
  const file = wavFile([0.5, -0.5]);
  const note = Buffer.from("LIST\x03\0\0\0abc\0", "latin1");
  expect(all(Buffer.concat([file.subarray(0, 12), note, file.subarray(12)]))).toHaveLength(2);
});

test.each([0xffff_ffff, 0x7fff_fff0])("a length of %d, as streams state it, means all that is there", (length) => {
  const file = wavFile([0.5, -0.5, 0.25]);
  file.writeUInt32LE(length, 40);
  expect(all(file)).toHaveLength(3);
  expect(wavHead(file.subarray(0, 49))).toMatchObject({ from: 44, to: 48 });
});
