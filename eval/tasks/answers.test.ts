import { expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRegistry } from "@isnad/lib/models";
import { indexCollection } from "../indexed.ts";
import { measureAnswers, openAnswerModels, readQuestions } from "./answers.ts";

setDefaultTimeout(300_000);

test("counts the questions whose shown sentences hold an answer, beside what the right passage would give", async () => {
  const { close, passageReader: _, ...models } = await openAnswerModels(openRegistry());
  await using opened = new AsyncDisposableStack();
  opened.defer(close);
  const passages = [
    ["Ferry to Noma", "The ferry was built in 1961. It carries forty cars. Its captain is Salma Haddad."],
    ["Bridge of Sahlan", "The bridge opened in 2019. It is 900 metres long. It cost 38 million dinars."],
    ["Olive harvest", "Farmers begin in October. The oil is pressed in Sahlan. Rain was rare."],
  ].map(([title = "", text = ""], i) => ({ id: String(i + 1), title, text }));
  const questions = [
    { id: "a", text: "How much did the bridge of Sahlan cost?", answers: ["38 million", "38m"], passage: 1 },
    { id: "b", text: "Who is the captain of the ferry to Noma?", answers: ["SALMA HADDAD"], passage: 0 },
    { id: "c", text: "When did the bridge of Sahlan open?", answers: ["nowhere said"], passage: 1 },
  ];
  await using indexed = await indexCollection({ documents: passages }, models.embedder);
  const { figures, predictions } = await measureAnswers({ ...indexed, ...models }, { passages, questions });
  expect(figures).toMatchObject({ "within 3": 2 / 3, "reader within 3": 2 / 3, retrieved: 1 });
  expect(figures["within 1"]).toBeLessThanOrEqual(figures["within 3"]);
  expect(predictions.map((line) => line.split("\t").slice(0, 2))).toEqual([
    ["a", "1"],
    ["b", "1"],
    ["c", "0"],
  ]);
});

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
