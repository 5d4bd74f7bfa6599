import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { decodeAudio, type DecodeOptions } from "./decode.ts";
import { crc } from "./formats/flac.ts";

/** A recording of 0.25 s of two tones, or of noise, that libsndfile wrote. */
export function recording(name: string): Buffer<ArrayBuffer> {
  return Buffer.from(readFileSync(fileURLToPath(new URL(`./fixtures/${name}`, import.meta.url))));
}

/** What the recordings of two tones hold at a time in seconds, in their first channel. */
export function tones(t: number): number {
  return 0.4 * Math.sin(2 * Math.PI * 440 * t) + 0.2 * Math.sin(2 * Math.PI * 1320 * t);
}

/** A WAV file of 16 bits with the given samples, from -1 to 1, in each channel; fields of the head can be altered. */
export function wavFile(
  samples: ArrayLike<number>,
  { rate = 16_000, channels = 1, head = {} }: { rate?: number; channels?: number; head?: Record<number, number> } = {},
): Buffer<ArrayBuffer> {
  const bytes = Buffer.alloc(44 + samples.length * channels * 2);
  bytes.write("RIFF", 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write("WAVEfmt ", 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(channels, 22);
  bytes.writeUInt32LE(rate, 24);
  bytes.writeUInt32LE(rate * channels * 2, 28);
  bytes.writeUInt16LE(channels * 2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write("data", 36);
  bytes.writeUInt32LE(samples.length * channels * 2, 40);
  for (const [i, value] of Array.from(samples).entries()) {
    for (let c = 0; c < channels; c++) bytes.writeInt16LE(Math.round(value * 32_767), 44 + (i * channels + c) * 2);
  }
  for (const [at, value] of Object.entries(head)) bytes.writeUInt8(value, Number(at));
  return bytes;
}

/** A FLAC file of silent frames of one sample each, with these samples a second, at most 65,535. */
export function flacFile(rates: readonly number[]): Buffer<ArrayBuffer> {
  const head = Buffer.alloc(42);
  head.write("fLaC", 0);
  head.writeUInt32BE(0x80000022, 4);
  head.writeUInt32BE((((rates[0] ?? 0) << 12) | (15 << 4)) >>> 0, 18);
  const frames = rates.map((rate) => {
    // A block of one sample, the rate at the end of the head, one channel of 16 bits that keeps one value.
    const frame = Buffer.from([0xff, 0xf8, 0x6d, 0x08, 0, 0, rate >> 8, rate & 0xff, 0, 0, 0, 0, 0, 0]);
    frame.writeUInt8(crc(frame, 0, 8, 8, 0x07), 8);
    frame.writeUInt16BE(crc(frame, 0, 12, 16, 0x8005), 12);
    return frame;
  });
  return Buffer.concat([head, ...frames]);
}

/** All of a recording's sound at 16 kHz. */
export async function decoded(bytes: Uint8Array, options: Partial<DecodeOptions> = {}): Promise<Float32Array> {
  const parts: number[] = [];
  for await (const part of decodeAudio(bytes, { rate: 16_000, maxSeconds: 60, ...options })) parts.push(...part);
  return Float32Array.from(parts);
}

/** How far sound is from a function of time in seconds, as a part of its loudness, at the shift that fits best. */
export function distance(
  samples: Float32Array,
  like: (t: number) => number,
  { rate = 16_000, from = 0.05, to = 0.2, shifts = 1 } = {},
): number {
  let best = Number.POSITIVE_INFINITY;
  for (let shift = 0; shift < shifts; shift++) {
    let [off, power] = [0, 0];
    for (let i = Math.round(from * rate); i < to * rate; i++) {
      const expected = like(i / rate);
      off += ((samples[i + shift] ?? 0) - expected) ** 2;
      power += expected ** 2;
    }
    best = Math.min(best, Math.sqrt(off / power));
  }
  return best;
}
