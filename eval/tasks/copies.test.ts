import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { areNearBySimHash, calibrationError, copies, longestShared, reliability, trueShares } from "./copies.ts";

const links = (count: number, confidence: number, right: number) =>
  Array.from({ length: count }, (_, i) => ({ confidence, isRight: i < right }));

test("a table tells for each range of confidences the share that is right", () => {
  expect(reliability([...links(10, 0.5, 6), ...links(4, 0.99, 4), ...links(2, 0.3, 0)])).toEqual([
    { from: 0.4, links: 10, confidence: 0.5, right: 0.6 },
    { from: 0.99, links: 4, confidence: 0.99, right: 1 },
  ]);
});

test("the error is the mean difference over links; without links it is none", () => {
  expect(calibrationError(reliability([...links(30, 0.5, 15), ...links(10, 0.7, 3)]))).toBeCloseTo(0.1);
  expect(calibrationError(reliability(links(10, 0.5, 5)))).toBe(0);
  expect(calibrationError([])).toBe(0);
});

const words = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, i) => `word${from + i}`).join(" ");

test("the longest passage is counted in words, whatever parts them and however they are spelt", () => {
  expect(longestShared("a b c d e", "x b c d y")).toBe(3);
  expect(longestShared("a b x a b c", "a b c")).toBe(3);
  expect(longestShared("One, TWO; three.", "one two — three")).toBe(3);
  expect(longestShared("أُعلنت نتائجُ ٢٠٢٤ المدرسةِ", "اعلنت نتائج 2024 المدرسه")).toBe(4);
  expect([longestShared("", "a"), longestShared("a", ""), longestShared("a b", "b a")]).toEqual([0, 0, 1]);
});

test("what two texts share is the share of words that lie in runs of five of the other", () => {
  expect(trueShares(words(0, 10), words(0, 10))).toEqual({ share: 1, ofShorter: 1 });
  // Six of ten words of the one, six of twenty of the other.
  const half = `${words(0, 6)} ${words(100, 114)}`;
  expect(trueShares(words(0, 10), half)).toEqual({ share: 6 / 10, ofShorter: 6 / 10 });
  expect(trueShares(half, words(0, 10))).toEqual({ share: 6 / 10, ofShorter: 6 / 10 });
  expect(trueShares(words(0, 10), `${words(0, 4)} ${words(200, 206)}`).share).toBe(0);
  expect(trueShares("", words(0, 10))).toEqual({ share: 0, ofShorter: 0 });
  expect(trueShares(words(0, 4), words(0, 4)).share).toBe(0);
});

test("runs that meet are counted once", () => {
  expect(trueShares(words(0, 7), `${words(0, 5)} x ${words(2, 7)}`).share).toBe(1);
});

test("near by SimHash are texts that differ in little, and not those of other words", () => {
  const text = words(0, 400);
  expect(areNearBySimHash(text, text)).toBe(true);
  expect(areNearBySimHash(text, text.replace("word200", "other"))).toBe(true);
  expect(areNearBySimHash(text, text.toUpperCase().replaceAll(" ", ", "))).toBe(true);
  expect(areNearBySimHash(text, words(1000, 1400))).toBe(false);
  expect(areNearBySimHash("one", "two")).toBe(false);
  expect(areNearBySimHash("", "")).toBe(true);
});

const dir = mkdtempSync(join(tmpdir(), "isnad-copies-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("copies with known edits are measured whole: what is joined wrongly and what is missed is told", async () => {
  const subjects = [
    "harbour",
    "bank",
    "school",
    "desert",
    "orchestra",
    "vaccine",
    "railway",
    "election",
    "museum",
    "storm",
  ];
  const rows = Array.from({ length: 60 }, (_, n) => {
    const line = (i: number) =>
      `In ${subjects[n % 10]} matter ${n * 97 + i * 13} officials of district ${n * 7 + i} named ${subjects[(n + i) % 10]} plan ${n * 31 + i * 5} first.`;
    return {
      id: `a${n}`,
      source: `paper${n % 3}`,
      title: `Case ${n} of ${subjects[n % 10]}`,
      text: [0, 1, 2, 3, 4, 5, 6, 7].map(line).join(" "),
    };
  });
  const path = join(dir, "news.jsonl.gz");
  writeFileSync(path, gzipSync(rows.map((row) => JSON.stringify(row)).join("\n")));
  const { measure } = await copies.load({ full: false });
  const { figures, size, predictions } = await measure({ set: "own", path });
  expect(size).toBeGreaterThan(100);
  expect(figures["recall whole"]).toBe(1);
  for (const [name, value] of Object.entries(figures)) {
    if (!Number.isNaN(value)) expect([name, value >= 0 && value <= 1]).toEqual([name, true]);
  }
  const kinds = new Set(predictions.map((line) => line.split("\t")[0] ?? ""));
  expect(kinds.difference(new Set(["wrong", "missed", "first", "kind", "confidence"])).size).toBe(0);
  const links = predictions.filter((line) => line.startsWith("confidence")).map((line) => line.split("\t").map(Number));
  const wrong = predictions.filter((line) => line.startsWith("wrong")).length;
  const joined = links.reduce((sum, [, , count = 0]) => sum + count, 0);
  expect(figures["copies precision"]).toBeCloseTo((joined - wrong) / joined, 6);
});

test("credits and copies are sets of one folder, and each credits set is told from copies by its name", () => {
  const sets = copies.sets("/data", { full: false });
  expect(sets.filter(({ set }) => set.startsWith("credits")).map(({ path }) => path)).toEqual(
    Array(3).fill("/data/news"),
  );
  expect(sets.filter(({ path }) => path.endsWith(".jsonl.gz"))).toHaveLength(3);
});
