import { expect, test } from "bun:test";
import { processorMs } from "./testing-processor.ts";
import { trimEnd } from "./trim-end.ts";

test("removes what matches at the end, and nothing else", () => {
  expect(trimEnd("a/b//", /\//)).toBe("a/b");
  expect(trimEnd(" who? !؟", /[\s?!؟]/)).toBe(" who");
  expect(trimEnd("???", /\?/)).toBe("");
  expect(trimEnd("a/b", /\//)).toBe("a/b");
  expect(trimEnd("", /\//)).toBe("");
});

test("goes by code points", () => {
  expect(trimEnd("a😀😀", /[^\p{L}]/u)).toBe("a");
  expect(trimEnd("𝒜", /[^\p{L}]/u)).toBe("𝒜");
  expect(trimEnd("a\ud83d", /[^\p{L}]/u)).toBe("a");
  expect(trimEnd("\ude00", /[^\p{L}]/u)).toBe("");
});

test("runs within the text cost nothing", async () => {
  const text = `${"/".repeat(200_000)}x`;
  expect(await processorMs(() => trimEnd(text, /\//))).toBeLessThan(5);
});
