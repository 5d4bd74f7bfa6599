import { describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { recording } from "../testing.ts";
import { decodeFlac, decodeFlacFrame, flacHead } from "./flac.ts";

describe("the samples have the checksum that the encoder wrote into the head", () => {
  test.each(["tones.flac", "noise.flac"])("%s", (name) => {
    const bytes = recording(name);
    const { from, seconds, ...stream } = flacHead(bytes);
    expect(seconds).toBeGreaterThan(0.2);
    const sum = createHash("md5");
    for (let at = from; at < bytes.length; ) {
      const { channels, bits, end } = decodeFlacFrame(bytes, at, stream);
      const width = bits / 8;
      const raw = Buffer.alloc((channels[0]?.length ?? 0) * channels.length * width);
      for (const [c, channel] of channels.entries()) {
        for (const [i, value] of channel.entries()) raw.writeIntLE(value, (i * channels.length + c) * width, width);
      }
      sum.update(raw);
      at = end;
    }
    expect(sum.digest("hex")).toBe(bytes.subarray(26, 42).toString("hex"));
  });
});

test("a bit that was flipped is found by the checksum of its frame", () => {
  const bytes = recording("noise.flac");
  bytes[6_000] = (bytes[6_000] ?? 0) ^ 1;
  expect(() => [...decodeFlac(bytes)]).toThrow(expect.objectContaining({ code: "damaged" }));
});

test("a tag behind the last frame is no frame", () => {
  const bytes = recording("tones.flac");
  const length = (file: Uint8Array) => [...decodeFlac(file)].reduce((sum, { samples }) => sum + samples.length, 0);
  expect(length(Buffer.concat([bytes, Buffer.from(`TAG${"x".repeat(125)}`)]))).toBe(length(bytes));
});
