import { afterAll, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exampleProblems, vectorSummary } from "./sentences.ts";

const folder = mkdtempSync(join(tmpdir(), "isnad-examples-"));
afterAll(() => rmSync(folder, { recursive: true }));
for (const name of ["senses", "examples"]) mkdirSync(join(folder, name));
const senses = { "verbs-1": { held_out: false }, "verbs-2": { held_out: true } };
const subjects = { senses, entities: {}, relations: {}, dialect: {} };
writeFileSync(join(folder, "subjects.json"), JSON.stringify(subjects));
for (const part of Object.keys(senses)) {
  const sense = {
    ...{ id: `${part}-0001`, lemma: "كَتَبَ", pos: "verb", root: "ك ت ب", gloss: "رسم الكلمات بالقلم على الورق" },
    ...{ en: ["write"], examples: [`كتبت الطفلة اسمها في ${part}.`] },
  };
  writeFileSync(join(folder, "senses", `${part}.jsonl`), `${JSON.stringify(sense)}\n`);
}

const lemmasOf = (word: string): string[] => (/^[يت]?\u064e?كتب/.test(word) ? ["كتب"] : []);
const problemsOf = (part: string, ...lines: object[]): string[] => {
  const path = join(folder, "examples", `${part}.jsonl`);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  const problems = exampleProblems(folder, lemmasOf);
  rmSync(path);
  return problems;
};
const EXAMPLE = { sense: "verbs-1-0001", text: "يكتب الطالب رسالة." };

test("an example names a sense of its part and has a form of its word", () => {
  expect(problemsOf("verbs-1", EXAMPLE)).toEqual([]);
  expect(problemsOf("verbs-1", { ...EXAMPLE, sense: "verbs-1-0002" })).toEqual([
    "examples/verbs-1.jsonl:1: there is no sense verbs-1-0002 in senses/verbs-1.jsonl",
  ]);
  expect(problemsOf("verbs-1", { ...EXAMPLE, sense: "verbs-2-0001" })).toHaveLength(1);
  expect(problemsOf("verbs-1", EXAMPLE, { ...EXAMPLE, text: "قرأ الطالب رسالة." })).toEqual([
    "examples/verbs-1.jsonl:2: no word can be a form of كَتَبَ: قرأ الطالب رسالة.",
  ]);
  expect(problemsOf("verbs-1", { ...EXAMPLE, text: "" })).toHaveLength(1);
  expect(problemsOf("verbs-1", { ...EXAMPLE, gloss: "" })).toHaveLength(1);
});

test("no example stands twice, be it with other vowels or as the example of a held-out sense", () => {
  expect(problemsOf("verbs-1", EXAMPLE, { ...EXAMPLE, text: "يَكتب الطالب رسالة" })).toEqual([
    "examples/verbs-1.jsonl:2: verbs-1-0001 has the same example",
  ]);
  expect(problemsOf("verbs-1", { ...EXAMPLE, text: "كتبت الطفلة اسمها في verbs-2." })).toEqual([
    "examples/verbs-1.jsonl:1: verbs-2-0001 has the same example",
  ]);
});

test("a part that is held out, or unknown, has no file", () => {
  expect(problemsOf("verbs-2", { ...EXAMPLE, sense: "verbs-2-0001" })).toEqual([
    "examples/verbs-2.jsonl: examples of verbs-2 are not trained on",
  ]);
  expect(problemsOf("verbs-3")).toHaveLength(1);
});

test("senses of words with several that have no vector are listed", () => {
  const folder = mkdtempSync(join(tmpdir(), "isnad-vectors-"));
  const entry = (id: string, lemma: string) =>
    JSON.stringify({ id, lemma, pos: "noun", root: "", gloss: `معنى ${id}`, en: ["x"], examples: ["مثال"] });
  const entries = [entry("n-0001", "عَيْن"), entry("n-0002", "عَيْن"), entry("n-0003", "بَيْت")];
  writeFileSync(join(folder, "n.jsonl"), entries.join("\n"));
  const of = (known: string) =>
    vectorSummary(folder, { of: ({ id }) => (id <= known ? new Float32Array(1) : undefined) });
  expect(of("n-0003")).toBe("2 of 2 senses of words with several have a vector in senses-ar");
  expect(of("n-0001")).toBe(
    "1 of 2 senses of words with several have a vector in senses-ar; python -m isnad_senses --vectors makes those of n-0002",
  );
  rmSync(folder, { recursive: true });
});
