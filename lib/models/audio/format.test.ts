import { describe, expect, test } from "bun:test";
import { audioFormat } from "./format.ts";

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
