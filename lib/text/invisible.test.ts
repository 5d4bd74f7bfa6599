import { expect, test } from "bun:test";
import { withoutInvisible } from "./invisible.ts";

test.each([
  ["a soft hyphen", "\u00ad"],
  ["a zero-width space", "\u200b"],
  ["a word joiner", "\u2060"],
  ["a byte order mark", "\ufeff"],
  ["an invisible separator", "\u2063"],
  ["an anchor", "\ufff9"],
])("%s in the middle of a word goes, in every script", (_, char) => {
  expect(withoutInvisible(`har${char}bour المهند${char}سون при${char}чал`)).toBe("harbour المهندسون причал");
});

test("joiners stay where they shape a letter or a picture, and go elsewhere", () => {
  for (const text of ["می\u200cخواهم", "ه\u200d", "क\u094d\u200dष", "👩\u200d🚀", "👩\u{1F3FD}\u200d🚀"]) {
    expect(withoutInvisible(text)).toBe(text);
  }
  expect(withoutInvisible("\u200char\u200dbour, \u200cx 20\u200c26")).toBe("harbour, x 2026");
});

test("direction marks stay where they order a line, and go from the middle of a word", () => {
  for (const text of ["C++\u200e، قال", "\u200f20\u200f/11", "(\u200eAFP)\u200f"])
    expect(withoutInvisible(text)).toBe(text);
  expect(withoutInvisible("har\u200ebour المهند\u200fسون")).toBe("harbour المهندسون");
});

test("white space and visible marks are none of it", () => {
  const text = "a\u00a0b\u2009c مَرَّاكُش مـراكش ❤\ufe0f";
  expect(withoutInvisible(text)).toBe(text);
});
