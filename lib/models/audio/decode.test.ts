import { describe, expect, test } from "bun:test";
import { audioFormat, checkAudio, decodeAudio } from "./decode.ts";
import { decoded, distance, flacFile, recording, tones, wavFile } from "./testing.ts";

const half = (t: number) => tones(t) * 0.8; // the mean of a channel and one with 0.6 of it

describe("decodeAudio() gives what was recorded, at the rate that is asked for", () => {
  test.each([
    ["tones.flac", half, 0.001, 1, 0],
    ["tones.opus", half, 0.06, 1, 0],
    // MP3 begins with a delay that its coder adds.
    ["tones.mp3", tones, 0.05, 1_200, 1_700],
  ])("%s", async (name, like, limit, shifts, longer) => {
    const samples = await decoded(recording(name));
    expect(distance(samples, like, { shifts, to: 0.18 })).toBeLessThan(limit);
    expect(samples.length).toBeWithin(3_999, 4_002 + longer);
  });

  test.each([8_000, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000, 11_127])(
    "WAV of %d samples a second",
    async (rate) => {
      const samples = Array.from({ length: rate / 4 }, (_, i) => tones(i / rate));
      const sound = await decoded(wavFile(samples, { rate, channels: 2 }));
      expect(Math.abs(sound.length - 4_000)).toBeLessThan(2);
      expect(distance(sound, tones)).toBeLessThan(rate === 11_127 ? 0.003 : 0.0005);
    },
  );
});

test("a recording comes in stretches, as it is asked for, and ends when the signal aborts", async () => {
  const gone = new AbortController();
  const stretches = decodeAudio(wavFile(new Float32Array(160_000)), {
    rate: 16_000,
    maxSeconds: 60,
    signal: gone.signal,
  });
  expect((await stretches.next()).value?.length).toBeLessThan(50_000);
  gone.abort(new Error("gone"));
  await expect(stretches.next()).rejects.toThrow("gone");
});

describe("a recording that is longer than may be read is refused", () => {
  test.each(["tones.flac", "tones.opus", "alaw.wav"])("before anything of it is decoded: %s", async (name) => {
    const stretches = decodeAudio(recording(name), { rate: 16_000, maxSeconds: 0.1 });
    await expect(stretches.next()).rejects.toMatchObject({ code: "too-long" });
  });

  test("where it goes on for longer than its head says, or says nothing", async () => {
    const silent = recording("noise.flac");
    silent.fill(0, 22, 26);
    for (const bytes of [silent, recording("tones.mp3")]) {
      await expect(decoded(bytes, { maxSeconds: 0.1 })).rejects.toMatchObject({ code: "too-long" });
    }
  });
});

test("a recording may change its samples a second, but not with every frame", async () => {
  const twice = [8_000, 32_000, 8_000].flatMap((rate) => Array.from({ length: rate / 8 }, () => rate));
  expect(await decoded(flacFile(twice))).toHaveLength(6_000);
  const always = Array.from({ length: 200 }, (_, i) => (i % 2 === 0 ? 8_000 : 32_000));
  await expect(decoded(flacFile(always))).rejects.toMatchObject({ code: "damaged" });
});

describe("checkAudio() looks at the head alone", () => {
  test.each(["tones.flac", "tones.opus", "tones.ogg", "tones.mp3", "alaw.wav"])("%s is a recording", (name) => {
    expect(checkAudio(recording(name)).name.toLowerCase()).toBe(name.replace(/.*\./, "").replace("opus", "ogg"));
  });

  test.each([
    ["a text", Buffer.from("hello"), "no-audio"],
    ["RIFF without chunks", Buffer.from("RIFF\x04\0\0\0WAVE"), "damaged"],
    ["a chunk whose length passes the end", wavFile([0], { head: { 16: 255, 17: 255 } }), "damaged"],
    ["no samples", wavFile([]), "no-audio"],
    ["no channel", wavFile([0], { head: { 22: 0 } }), "damaged"],
    ["a hundred channels", wavFile([0], { head: { 22: 100 } }), "damaged"],
    ["no rate", wavFile([0], { rate: 0 }), "damaged"],
    ["an endless rate", wavFile([0], { rate: 0xf_ffff }), "damaged"],
    ["a codec that nobody knows", wavFile([0], { head: { 20: 99 } }), "unsupported"],
    ["samples of 13 bits", wavFile([0], { head: { 34: 13 } }), "unsupported"],
    ["a cut FLAC head", recording("tones.flac").subarray(0, 30), "damaged"],
    ["a FLAC head alone", recording("tones.flac").subarray(0, 60), "no-audio"],
    ["a cut page of Ogg", recording("tones.opus").subarray(0, 40), "damaged"],
    ["an MP3 tag and nothing", Buffer.from("ID3\x04\0\0\x7f\x7f\x7f\x7f"), "no-audio"],
    ["an MP3 tag and text", Buffer.from(`ID3\x04\0\0\0\0\0\0${"text ".repeat(99)}`), "no-audio"],
  ])("%s is none", (_, bytes, code) => {
    expect(() => checkAudio(bytes)).toThrow(expect.objectContaining({ name: "AudioError", code }));
  });
});

describe("a damaged recording gives what is whole of it, or says that it is damaged, soon and with little memory", () => {
  const files = ["tones.flac", "noise.flac", "tones.opus", "tones.mp3", "alaw.wav"];

  test.each(files)("%s, cut anywhere", async (name) => {
    const bytes = recording(name);
    const whole = await decoded(bytes);
    for (let end = 50; end < bytes.length; end += Math.ceil(bytes.length / 9)) {
      const part = await decoded(bytes.subarray(0, end)).catch((error: unknown) => error);
      if (part instanceof Float32Array) expect(part.length).toBeLessThanOrEqual(whole.length + 2);
      else expect(part).toMatchObject({ name: "AudioError" });
    }
  });

  test.each(files)("%s, with bytes that were altered", async (name) => {
    const bytes = recording(name);
    const longest = (await decoded(bytes)).length * 8;
    for (let seed = 1; seed <= 9; seed++) {
      const altered = Buffer.from(bytes);
      for (let i = 0; i < 4; i++) altered[(seed * 7919 + i * 104_729) % altered.length] = (seed * 31 + i * 97) & 255;
      const part = await decoded(altered).catch((error: unknown) => error);
      if (part instanceof Float32Array) expect(part.length).toBeLessThan(Math.max(longest, 100_000));
      else expect(part).toMatchObject({ name: "AudioError" });
    }
  });

  test.each(["RIFF\x24\0\0\0WAVE", "fLaC", "OggS\0\x02", "ID3", "\xff\xfb\x90\x64"])(
    "%j and then noise",
    async (head) => {
      const noise = Buffer.alloc(300_000);
      for (let i = 0, x = 1; i < noise.length; i++, x = (x * 48_271) % 0x7fff_ffff) noise[i] = x >> 8;
      noise.write(head, "latin1");
      const part = await decoded(noise).catch((error: unknown) => error);
      if (part instanceof Float32Array) expect(part.length).toBeLessThan(1_000_000);
      else expect(part).toMatchObject({ name: "AudioError" });
    },
  );
});

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part, "latin1") : Buffer.from(part))));

describe("audioFormat() tells by the first bytes", () => {
  test.each([
    ["WAV", bytes("RIFF", [36, 0, 0, 0], "WAVEfmt ")],
    ["FLAC", bytes("fLaC", [0, 0, 0, 34])],
    ["Ogg", bytes("OggS", [0, 2])],
    ["MP4", bytes([0, 0, 0, 32], "ftypM4A ")],
    ["MP4", bytes([0, 0, 0, 32], "ftypisom")],
    ["WebM", bytes([0x1a, 0x45, 0xdf, 0xa3, 1])],
    ["AIFF", bytes("FORM", [0, 0, 0, 1], "AIFF")],
    ["AMR", bytes("#!AMR\n")],
    ["AAC", bytes([0xff, 0xf1, 0x50, 0x80])],
    ["MP3", bytes("ID3", [4, 0, 0])],
    ["MP3", bytes([0xff, 0xfb, 0x90, 0x64])],
  ])("%s", (name, head) => {
    expect(audioFormat(head)?.name).toBe(name);
  });

  test.each([
    ["nothing", bytes()],
    ["a text", bytes("this is a text, not a recording")],
    ["JSON", bytes('{"a": 1}')],
    ["a picture in RIFF", bytes("RIFF", [36, 0, 0, 0], "WEBP")],
    ["a picture in ISO's container", bytes([0, 0, 0, 32], "ftypheic")],
    ["PNG", bytes([0x89], "PNG\r\n")],
    ["JPEG", bytes([0xff, 0xd8, 0xff, 0xe0])],
    ["a UTF-16 text", bytes([0xff, 0xfe, 0x41, 0x00])],
    ["zeros", bytes(new Array(64).fill(0))],
    ["ones", bytes(new Array(64).fill(0xff))],
    ["a cut head", bytes("RIFF")],
    ["PDF", bytes("%PDF-1.7")],
  ])("%s is no recording", (_, head) => {
    expect(audioFormat(head)).toBeUndefined();
  });
});
