import { expect, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readQuestions } from "./questions.ts";

const paragraph = (context: string, ...qas: [string, string[]][]) => ({
  context,
  qas: qas.map(([question, answers], id) => ({ id, question, answers: answers.map((text) => ({ text })) })),
});

function folder(...files: object[]): string {
  const dir = mkdtempSync(join(tmpdir(), "isnad-questions-"));
  for (const [i, data] of files.entries()) writeFileSync(join(dir, `${i}.json`), JSON.stringify({ data: [data] }));
  return dir;
}

test("a folder is one pool: a passage that occurs twice is one, a question without an answer is left out", () => {
  const first = { title: "Nile_river", paragraphs: [paragraph("A", ["Q1 ", ["a", " "]], ["Q2", []])] };
  const second = { title: "Other", paragraphs: [paragraph("B", ["Q3", ["b"]]), paragraph("A", ["Q4", ["c"]])] };
  const { passages, questions } = readQuestions(folder(first, second));
  expect(passages.map(({ title, text }) => [title, text])).toEqual([
    ["Nile river", "A"],
    ["Other", "B"],
  ]);
  expect(questions.map(({ text, answers, passage }) => [text, answers, passage])).toEqual([
    ["Q1", ["a"], 0],
    ["Q3", ["b"], 1],
    ["Q4", ["c"], 0],
  ]);
});

test("a folder without questions, and a file of another format, are refused", () => {
  expect(() => readQuestions(folder())).toThrow("no .json");
  const dir = folder({ title: 3 });
  expect(() => readQuestions(join(dir, "0.json"))).toThrow();
});
