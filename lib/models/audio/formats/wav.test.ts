import { expect, test } from "bun:test";
import { distance, recording, tones, wavFile } from "../testing.ts";
import { decodeWav, wavHead } from "./wav.ts";

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
