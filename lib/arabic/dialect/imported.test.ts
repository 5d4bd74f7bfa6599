import { expect, test } from "bun:test";
import { appendFileSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createDialectCorpus, importedHead, importedPath, readImported, writeImported } from "./corpus.ts";
import type { CorpusSentence } from "./glossary.ts";

const about = { corpus: "Nabra", licence: "CC BY 4.0", imported_at: "2026-11-29T00:00:00Z" };

const sentence = (sentence_id: number, text: string): CorpusSentence => ({
  ...{ sentence_id, text, dialect: "syrian" },
  tokens: [
    {
      ...{ token: "شو", coda: "شو", segmentation: ["شو"] },
      ...{ lemma_msa: "ماذا", lemma_dialect: "شو", pos: "PRON", gloss: "what" },
    },
  ],
});
const SENTENCES = [sentence(7, "شو في"), sentence(3, "شو عم تعمل\u2028اليوم"), sentence(12, "كيفك 😀")];

/** The path of a corpus in a new data folder, which nothing has been written to. */
const newPath = (): string => importedPath(mkdtempSync(join(tmpdir(), "isnad-nabra-")));

test("what is written is read again, sentence by sentence, and its folder is made", () => {
  const path = newPath();
  const head = writeImported(path, SENTENCES, about);
  expect(head).toMatchObject({ format: 1, ...about, sentences: 3, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) });
  const imported = readImported(path);
  expect(imported?.head).toEqual(head);
  expect(imported?.sentences.size).toBe(3);
  expect([2, 0, 1].map((place) => imported?.sentences.at(place))).toEqual([2, 0, 1].map((place) => SENTENCES[place]));
  expect(importedHead(path)).toEqual(head);
  expect(readdirSync(dirname(path))).toEqual(["nabra.jsonl"]);
});

test("a corpus that was imported answers as one that ships does", () => {
  const path = newPath();
  writeImported(path, SENTENCES, about);
  const { sentences } = readImported(path) ?? {};
  const corpus = createDialectCorpus(sentences ?? { size: 0, at: () => sentence(0, "") }, "nabra");
  expect(corpus.byId(12)).toMatchObject({ text: "كيفك 😀", source: "nabra" });
  expect(corpus.byText("شو في", { fuzzy: false })).toMatchObject({ sentence_id: 7, match_type: "exact" });
  expect(corpus.nearestId(5)?.sentence_id).toBe(7);
  expect(corpus.nearestId(4)?.sentence_id).toBe(3);
  expect(corpus.byId(4)).toBeUndefined();
});

test("a corpus takes the place of the one before it, and one without sentences is one", () => {
  const path = newPath();
  const first = writeImported(path, SENTENCES, about);
  const second = writeImported(path, [], { ...about, corpus: "other" });
  expect(second.sha256).not.toBe(first.sha256);
  expect(readImported(path)?.sentences.size).toBe(0);
  expect(importedHead(path)?.corpus).toBe("other");
  const corpus = createDialectCorpus({ size: 0, at: () => sentence(0, "") }, "other");
  expect([corpus.closest("شو"), corpus.nearestId(1), corpus.byText("شو", { fuzzy: true })]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("where nothing was imported there is nothing", () => {
  expect([readImported(newPath()), importedHead(newPath())]).toEqual([undefined, undefined]);
});

test.each([
  ["a sentence more", (path: string) => appendFileSync(path, `${JSON.stringify(sentence(99, "x"))}\n`)],
  ["a letter that is another", (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace("شو", "شي"))],
  ["no first line", (path: string) => writeFileSync(path, readFileSync(path, "utf8").replace(/^.*\n/, ""))],
  ["nothing in it", (path: string) => writeFileSync(path, "")],
])("a file with %s is told to be damaged", (_, damage) => {
  const path = newPath();
  writeImported(path, SENTENCES, about);
  damage(path);
  expect(() => readImported(path)).toThrow(`${path} is damaged; import the corpus again, or remove the file`);
});

test("a first line that cannot be read says nothing of the corpus", () => {
  const path = newPath();
  writeImported(path, SENTENCES, about);
  writeFileSync(path, "{}\n");
  expect(importedHead(path)).toBeUndefined();
});

test("two sentences of one number are refused", () => {
  const twins = [sentence(1, "شو"), sentence(1, "في")];
  expect(() => createDialectCorpus({ size: 2, at: (place) => twins[place] ?? sentence(0, "") }, "twins")).toThrow(
    new RangeError("two sentences have number 1"),
  );
});
