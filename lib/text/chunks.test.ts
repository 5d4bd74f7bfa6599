import { expect, test } from "bun:test";
import { chunkText, MAX_CHUNK_UNITS } from "./chunks.ts";
import { codePointLength, codePointSlice } from "./characters.ts";
import { pieces, randomTexts } from "./testing.ts";

const sentence = (words: number, name: string) =>
  `${Array.from({ length: words }, (_, i) => `${name}${i}`).join(" ")}.`;
const words = (text: string) => text.split(/\s+/).filter(Boolean).length;

test("a short article is one chunk, with the title before it", () => {
  expect(chunkText("عنوان", "نص قصير. جدا.")).toEqual([{ no: 0, start: 0, end: 13, text: "عنوان\nنص قصير. جدا." }]);
});

test("a long one is cut between sentences into parts of about the same size", () => {
  const content = Array.from({ length: 21 }, (_, i) => sentence(20, `S${i}w`)).join(" ");
  const chunks = chunkText("", content);
  expect(chunks.map((c) => words(c.text))).toEqual([140, 140, 140]);
  expect(chunks.map((c) => c.no)).toEqual([0, 1, 2]);
  for (const chunk of chunks) {
    expect(chunk.text).toEndWith(".");
    expect(codePointSlice(content, chunk.start, chunk.end)).toBe(chunk.text);
  }
});

test("a sentence longer than a chunk is cut between words", () => {
  const chunks = chunkText("", sentence(450, "و"));
  expect(chunks.map((c) => words(c.text))).toEqual([200, 200, 50]);
});

test("chunks can repeat the last sentences of the one before", () => {
  const content = Array.from({ length: 10 }, (_, i) => sentence(10, `S${i}w`)).join(" ");
  const chunks = chunkText("", content, { maxWords: 40, overlapWords: 10 });
  expect(chunks.length).toBeGreaterThan(2);
  for (const [i, chunk] of chunks.entries()) if (i > 0) expect(chunk.start).toBeLessThan(chunks[i - 1]?.end ?? 0);
});

test("a text without a break is cut between code points, no chunk longer than the bound", () => {
  for (const content of [
    "x".repeat(200_000),
    "😀a".repeat(70_000),
    `${"كلمة ".repeat(50)}${"ب".repeat(9_000)} نهاية.`,
  ]) {
    const chunks = chunkText("", content);
    expect(
      chunks
        .map(({ text }) => text)
        .join("")
        .replace(/\s/g, ""),
    ).toBe(content.replace(/\s/g, ""));
    for (const { text } of chunks) {
      expect(text.length).toBeLessThanOrEqual(MAX_CHUNK_UNITS);
      expect(text.isWellFormed()).toBe(true);
    }
  }
});

test("what stands without words between two sentences makes no chunk longer than the bound", () => {
  const chunks = chunkText("", `One sentence. ${"! ".repeat(20_000)} Another one.`);
  expect(chunks.length).toBeGreaterThan(1);
  for (const { start, end } of chunks) expect(end - start).toBeLessThanOrEqual(MAX_CHUNK_UNITS);
});

test("a text without words is one chunk, its beginning, which has the title for its text", () => {
  const [chunk, ...others] = chunkText("عنوان", "  ؟!… 😀 ".repeat(30_000));
  expect(others).toEqual([]);
  expect(chunk).toMatchObject({ no: 0, start: 2, text: "عنوان" });
  expect(chunk?.end).toBeGreaterThan(700);
  expect(chunk?.end).toBeLessThanOrEqual(MAX_CHUNK_UNITS + 2);
});

test("an empty content gives the title", () => {
  expect(chunkText("عنوان", "")).toEqual([{ no: 0, start: 0, end: 0, text: "عنوان" }]);
});

test("chunks cover the whole text in order, whatever it is", () => {
  for (const text of randomTexts(500, pieces.scripts)) {
    let at = 0;
    for (const chunk of chunkText("t", text, { maxWords: 3 })) {
      expect(chunk.start).toBeGreaterThanOrEqual(at);
      expect(codePointSlice(text, at, chunk.start)).not.toMatch(/[\p{L}\p{N}]/u);
      expect(words(chunk.text)).toBeLessThanOrEqual(4);
      at = chunk.end;
    }
    expect(codePointSlice(text, at, codePointLength(text))).not.toMatch(/[\p{L}\p{N}]/u);
  }
});
