import { afterAll, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { AudioError } from "../pcm.ts";
import { decoded, distance, recording, tones } from "../testing.ts";
import { decodeMp3, decodeWithFfmpeg } from "./program.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-ffmpeg-"));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** A program that stands where ffmpeg would. */
function program(name: string, script: string): string {
  const path = join(dir, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

async function lengthOf(options: { program: string; timeoutMs?: number }): Promise<number> {
  let length = 0;
  for await (const { samples } of decodeWithFfmpeg(Buffer.alloc(200_000), options)) length += samples.length;
  return length;
}

test("gives what the program writes, cut anywhere, as samples", async () => {
  expect(await lengthOf({ program: program("whole", "cat > /dev/null; head -c 100003 /dev/zero") })).toBe(25_000);
});

test("a program that reads nothing of its input and writes does no harm", async () => {
  expect(await lengthOf({ program: program("deaf", "head -c 4000 /dev/zero") })).toBe(1_000);
});

test("one that fails is told by what it says", async () => {
  const failing = lengthOf({ program: program("failing", "echo 'moov atom not found' >&2; exit 1") });
  await expect(failing).rejects.toMatchObject({ code: "damaged", cause: { message: "moov atom not found" } });
});

test("one that writes nothing is ended", async () => {
  const silent = lengthOf({ program: program("silent", "exec sleep 100"), timeoutMs: 50 });
  await expect(silent).rejects.toMatchObject({ code: "damaged" });
});

test("one that writes without end is ended by who reads it", async () => {
  for await (const { samples } of decodeWithFfmpeg(Buffer.alloc(9), {
    program: program("endless", "exec cat /dev/zero"),
  })) {
    expect(samples.length).toBeGreaterThan(0);
    break;
  }
});

test("without the program the recording is one that nothing here reads", async () => {
  await expect(lengthOf({ program: join(dir, "nowhere") })).rejects.toMatchObject({ code: "unsupported" });
});

const installed = spawnSync("ffmpeg", ["-version"]).status === 0;
test.skipIf(!installed)("Ogg with Vorbis is read by ffmpeg (skipped where it is not installed)", async () => {
  expect(distance(await decoded(recording("tones.ogg")), tones, { shifts: 200 })).toBeLessThan(0.1);
});

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
}, 300_000);
