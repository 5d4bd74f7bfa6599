import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { EntitySentence, RelationSentence } from "@isnad/lib/contract";
import {
  dialectProblems,
  doubleProblems,
  entityProblems,
  exampleProblems,
  linesProblems,
  relationProblems,
  vectorSummary,
} from "./sentences.ts";

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

describe("offsets", () => {
  const text = "😀 زار الوزير عمان";
  const entity = (start: number, end: number, type = "GPE" as const) => ({ start, end, type });
  const problems = (...entities: EntitySentence["entities"]) => entityProblems({ id: "news-1-0001", text, entities });

  test("count code points, and are places in the text without white space around them", () => {
    expect(problems()).toEqual([]);
    expect(problems(entity(13, 17), entity(6, 17), entity(0, 1))).toEqual([]);
    expect(problems(entity(0, 17))).toEqual([]);
    expect(problems(entity(13, 18))).toEqual(["13-18 is no place in the text"]);
    expect(problems(entity(5, 5))).toEqual(["5-5 is no place in the text"]);
    expect(problems(entity(6, 3))).toEqual(["6-3 is no place in the text"]);
    expect(problems(entity(12, 17))).toEqual(['12-17 has white space around it: " عمان"']);
    expect(problems(entity(6, 13))).toEqual(['6-13 has white space around it: "الوزير "']);
  });

  test("of entities lie within each other or apart, none twice with its type", () => {
    expect(problems(entity(2, 12), entity(6, 17))).toEqual(["2-12 and 6-17 cross each other"]);
    expect(problems(entity(6, 17), entity(2, 12))).toEqual(["6-17 and 2-12 cross each other"]);
    // One after the other, be it within a word, from one beginning, to one end.
    expect(problems(entity(2, 4), entity(4, 5))).toEqual([]);
    expect(problems(entity(4, 5), entity(2, 4))).toEqual([]);
    expect(problems(entity(2, 5), entity(6, 12))).toEqual([]);
    expect(problems(entity(2, 5), entity(2, 12))).toEqual([]);
    expect(problems(entity(2, 12), entity(6, 12))).toEqual([]);
    expect(problems(entity(2, 5), entity(2, 5), { ...entity(2, 5), type: "ORG" })).toEqual(["GPE 2-5 stands twice"]);
  });

  test("of an event's arguments do not cross its trigger", () => {
    const event = (...places: [number, number][]): RelationSentence["events"][number] => ({
      ...{ trigger: { start: 2, end: 12 }, type: "visit" },
      arguments: places.map(([start, end]) => ({ role: "place", start, end })),
    });
    const problems = (...events: RelationSentence["events"]) => relationProblems({ id: "news-1-0001", text, events });
    expect(problems()).toEqual([]);
    expect(problems(event([13, 17], [6, 12]), event())).toEqual([]);
    expect(problems(event([6, 17]))).toEqual(["6-17 crosses the trigger"]);
    expect(problems(event([0, 5]))).toEqual(["0-5 crosses the trigger"]);
    expect(problems({ ...event([99, 100]), trigger: { start: 1, end: 1 } })).toEqual([
      "1-1 is no place in the text",
      "99-100 is no place in the text",
    ]);
  });
});

describe("the tokens of a dialect sentence", () => {
  const word = { coda: "x", segments: ["x"], msa_lemma: "x", dialect_lemma: "x", gloss: "x" };
  const problems = (text: string, ...tokens: string[]) =>
    dialectProblems({
      id: "home-1-0001",
      text,
      region: "syrian",
      tokens: tokens.map((token) => ({ ...word, token, pos: "ADV" })),
    });

  test("follow each other in its text, and leave no word out", () => {
    expect(problems("شو هاد؟ شو!", "شو", "هاد", "شو")).toEqual([]);
    expect(problems("شو هاد؟", "شو", "هاد", "؟")).toEqual([]);
    expect(problems("شو هاد", "هاد", "شو")).toEqual(["no token for شو"]);
    expect(problems("هاد شو", "شو", "هاد")).toEqual(["no token for هاد"]);
    expect(problems("شو هاد", "شو", "شو")).toEqual(["the token شو is not in the text after those before it"]);
    expect(problems("شو هاد 3", "شو", "هاد")).toEqual(["no token for 3"]);
    expect(problems("شو كمان هاد", "شو", "هاد")).toEqual(["no token for كمان"]);
  });
});

describe("a file of lines", () => {
  const line = (id: string) => JSON.stringify({ id, text: id });
  const problems = (...lines: string[]) => linesProblems("news-1", lines.join("\n"), () => []);

  test("ends its last line, and its ids ascend under the name of the file", () => {
    expect(problems(line("news-1-0001"), line("news-1-0003"), "")).toEqual([]);
    expect(problems("")).toEqual([]);
    expect(problems(line("news-1-0001"))).toEqual(["1: the last line has no end"]);
    expect(problems(line("news-1-0002"), line("news-1-0001"), "")).toEqual(["2: ids must ascend, none twice"]);
    expect(problems(line("news-1-0002"), line("news-1-0002"), "")).toEqual(["2: ids must ascend, none twice"]);
    expect(problems(line("news-1-0000"), "")).toEqual(["1: ids must ascend, none twice"]);
    expect(problems(line("news-10-0001"), "")).toEqual(["1: the id does not begin with the name of its file"]);
  });

  test("has the problems of its lines first, each with the number of its line", () => {
    const text = `${line("a-0001")}\n{}\n`;
    expect(linesProblems("b", text, (each) => [`${each.length} letters`])).toEqual([
      `1: ${line("a-0001").length} letters`,
      "1: the id does not begin with the name of its file",
      "2: 2 letters",
    ]);
  });
});

test("sentences that stand twice, and senses and examples alike, are told with both ids", () => {
  const lines = (...entries: object[]) => entries.map((entry) => JSON.stringify(entry));
  expect(doubleProblems("news", lines({ id: "a-1", text: "one" }, { id: "a-2", text: "two" }))).toEqual([]);
  expect(
    doubleProblems("news", [...lines({ id: "a-1", text: "one" }, { id: "b-1", text: "one" }), "not json", "{}"]),
  ).toEqual(["news: a-1 and b-1 have the same: one"]);
  const sense = { id: "a-1", lemma: "عَيْن", gloss: "عضو البصر", examples: ["في عينه"] };
  const others = [
    { ...sense, id: "a-2", gloss: "نبع الماء" },
    { ...sense, id: "a-3", examples: ["عين ماء"] },
  ];
  expect(doubleProblems("senses", lines(sense, ...others))).toEqual([
    "senses: a-1 and a-2 have the same: في عينه",
    "senses: a-1 and a-3 have the same: عَيْن: عضو البصر",
  ]);
});
