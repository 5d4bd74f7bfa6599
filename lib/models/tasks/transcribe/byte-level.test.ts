import { expect, test } from "bun:test";
import { createTokenText } from "./byte-level.ts";

const textOf = createTokenText({ Ġthe: 0, Ø: 1, "¨": 2, ÙĦ: 3, "<|end|>": 4, Ċ: 5, ïĥ: 6 });

test("letters stand for bytes, a blank and a line's end among them", () => {
  expect(textOf([0, 5, 3])).toBe(" the\nل");
});

test("a letter whose bytes are in two tokens is put together, and half of one is no letter", () => {
  expect(textOf([1, 2])).toBe("ب");
  expect(textOf([1, 0])).toBe("\ufffd the");
});

test("tokens that the vocabulary does not have are passed over", () => {
  expect(textOf([0, 99])).toBe(" the");
});
