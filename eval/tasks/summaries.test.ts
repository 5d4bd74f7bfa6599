import { afterAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beginning, lead, mean, readPairs, rouge } from "./summaries.ts";

const dir = mkdtempSync(join(tmpdir(), "isnad-pairs-"));
afterAll(() => rmSync(dir, { recursive: true }));

test("reads the test split, summaries and abstracts, gzipped or not, and nothing that lacks a text", () => {
  const rows = [
    { text: "a", summary: "s", split: "train" },
    { text: "b", summary: "s", split: "test" },
    { text: "c", abstract: "x" },
    { text: "d" },
    { text: "e", abstract: " " },
    { text: 7, summary: "s" },
  ];
  const lines = `${rows.map((row) => JSON.stringify(row)).join("\n")}\n`;
  writeFileSync(join(dir, "a.jsonl"), lines);
  writeFileSync(join(dir, "a.jsonl.gz"), gzipSync(lines));
  for (const name of ["a.jsonl", "a.jsonl.gz"]) {
    expect(readPairs(join(dir, name))).toEqual([
      { text: "b", summary: "s" },
      { text: "c", summary: "x" },
    ]);
  }
});

test("the same text is 1, another one 0, whatever the marks and letter forms", () => {
  expect(rouge("The cat sat.", "the CAT, sat")).toEqual({ rouge1: 1, rouge2: 1, rougeL: 1 });
  expect(rouge("a b", "c d")).toEqual({ rouge1: 0, rouge2: 0, rougeL: 0 });
  expect(rouge("", "c d")).toEqual({ rouge1: 0, rouge2: 0, rougeL: 0 });
  expect(rouge("قال الرئيس", "قـال الرئيس").rouge2).toBe(1);
});

test("follows the example of Lin (2004): police killed the gunman", () => {
  const reference = "police killed the gunman";
  expect(rouge("police kill the gunman", reference).rougeL).toBeCloseTo(0.75, 10);
  expect(rouge("the gunman kill police", reference).rougeL).toBeCloseTo(0.5, 10);
  expect(rouge("police kill the gunman", reference)).toMatchObject({ rouge1: 0.75, rouge2: 1 / 3 });
});

test("a word that is repeated counts as often as the reference has it", () => {
  expect(rouge("the the the", "the cat").rouge1).toBeCloseTo(0.4, 10);
});

test("the longest common subsequence may leave words out, and keeps their order", () => {
  expect(rouge("a x b y c", "a b c").rougeL).toBeCloseTo((2 * 3) / (5 + 3), 10);
  expect(rouge("c b a", "a b c").rougeL).toBeCloseTo((2 * 1) / (3 + 3), 10);
});

test("pairs of words are counted over one word fewer; a single word has none", () => {
  expect(rouge("a b c", "a b x").rouge2).toBeCloseTo((2 * 1) / (2 + 2), 10);
  expect(rouge("a", "a")).toEqual({ rouge1: 1, rouge2: 0, rougeL: 1 });
  expect(rouge("a b a b", "a b").rouge2).toBeCloseTo((2 * 1) / (3 + 1), 10);
});

test("the mean over articles weighs each the same, however long it is", () => {
  const pairs = [
    { text: "x", summary: "a b c d e f g h" },
    { text: "y", summary: "z" },
  ];
  const scores = mean(pairs, ({ text }) => (text === "x" ? "a b c d e f g h" : "other"));
  expect(scores).toEqual({ rouge1: 0.5, rouge2: 0.5, rougeL: 0.5 });
  expect(mean(pairs, (_, place) => (place === 1 ? "z" : "none")).rouge1).toBe(0.5);
});

test("what stands beside a summary is the first sentences, or as many words from the beginning", () => {
  const text = "  The pier opens. It rains!\nBoats wait at sea. Nobody knows. ";
  expect(lead(text, 1).trim()).toBe("The pier opens.");
  expect(lead(text, 3).replace(/\s+/g, " ").trim()).toBe("The pier opens. It rains! Boats wait at sea.");
  expect(lead("One sentence", 3)).toBe("One sentence");
  expect(beginning(text, "three words only")).toBe("The pier opens.");
  expect(beginning("too short", "more words than it has")).toBe("too short");
});

test("datelines are part of neither", () => {
  const row = {
    text: "القاهرة (رويترز) - أعلن الوزير أمرا جديدا اليوم.",
    summary: "القاهرة (رويترز) - أعلن الوزير أمرا.",
  };
  writeFileSync(join(dir, "dated.jsonl"), `${JSON.stringify(row)}\nno json\n[]\n`);
  const [pair, ...more] = readPairs(join(dir, "dated.jsonl"));
  expect(more).toEqual([]);
  expect(pair?.text.startsWith("أعلن")).toBe(true);
  expect(pair?.summary.startsWith("أعلن")).toBe(true);
});
