import { expect, test } from "bun:test";
import { isDecodable } from "./percent-encoding.ts";

test.each(["", "plain", "%41", "%D8%A7", "%00", "سؤال"])("%p can be decoded", (text) => {
  expect(isDecodable(text)).toBe(true);
});

test.each(["%", "100%", "%4", "%zz", "%FF", "%D8", "%ED%A0%80"])("%p cannot be decoded", (text) => {
  expect(isDecodable(text)).toBe(false);
});
