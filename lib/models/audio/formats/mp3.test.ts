import { expect, test } from "bun:test";
import { AudioError } from "../error.ts";
import { recording } from "../testing.ts";
import { decodeMp3 } from "./mp3.ts";

/** What comes of a file: its samples, or "damaged". */
async function outcome(bytes: Uint8Array): Promise<number | string> {
  let samples = 0;
  try {
    for await (const stretch of decodeMp3(bytes, { timeoutMs: 2_000 })) samples += stretch.samples.length;
    return samples;
  } catch (error) {
    return error instanceof AudioError ? error.code : String(error);
  }
}

test("files that the decoder never comes back from are given up", async () => {
  const files = [0xc0, 0x80, 0x40].map((value) => {
    const bytes = recording("tones.mp3").subarray(0, 1_252);
    bytes[859] = value;
    return bytes;
  });
  expect(await Promise.all(files.map(outcome))).toEqual(["damaged", "damaged", "damaged"]);
});

test("altered and cut files always come to an end", async () => {
  const whole = recording("tones.mp3");
  let state = 25;
  const random = (below: number): number => {
    state = (state * 48_271) % 0x7fff_ffff;
    return state % below;
  };
  const files = Array.from({ length: 12 }, () => {
    const bytes = Buffer.from(whole.subarray(0, 200 + random(whole.length - 200)));
    for (let i = random(6); i >= 0; i--) bytes[random(bytes.length)] = random(256);
    return bytes;
  });
  for (let at = 0; at < files.length; at += 4) {
    const outcomes = await Promise.all(files.slice(at, at + 4).map(outcome));
    for (const each of outcomes) {
      if (typeof each === "number") expect(each).toBeWithin(0, 100_000);
      else expect(each).toBe("damaged");
    }
  }
}, 30_000);
