import { afterAll, describe, expect, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import type { DialectSentence } from "@isnad/lib/contract";
import { dataFolder, readJsonLines } from "../retrieval-sets.ts";
import { directionOf, evalGlossary, passagesOf, readQuestions } from "./cross.ts";

const folder = fileURLToPath(new URL("../cross/", import.meta.url));
const files = readdirSync(folder).filter((name) => name.endsWith(".jsonl"));
const shared = dataFolder(process.env);

describe("the questions across languages", () => {
  test("are in the language that the name of their file says", () => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const direction = directionOf(file);
      expect(direction).toBeDefined();
      for (const { text } of readJsonLines(`${folder}/${file}`)) {
        expect(/^\P{Script=Latin}/u.test(String(text))).toBe(direction === "ar-en");
      }
    }
  });

  test("are asked once, and no passage of the test answers one of the development set", () => {
    const rows = (part: string) =>
      files.filter((file) => file.startsWith(part)).flatMap((file) => readJsonLines(`${folder}/${file}`));
    const all = [...rows("development"), ...rows("test")];
    expect(new Set(all.map(({ _id }) => _id)).size).toBe(all.length);
    const tested = new Set(rows("test").map(({ passage }) => passage));
    expect(rows("development").filter(({ passage }) => tested.has(passage))).toEqual([]);
  });

  test.skipIf(shared === undefined)("have their passages in the data folder", () => {
    const file = files.find((name) => name.includes("en-ar")) ?? "";
    expect(readQuestions(`${folder}/${file}`, passagesOf(shared ?? "", "en-ar")).queries.length).toBeGreaterThan(50);
  });

  test("directionOf() knows no other name", () => {
    expect(directionOf("x/test.fr-en.jsonl")).toBeUndefined();
  });
});

const word = (token: string, msa_lemma: string, gloss: string) => ({
  ...{ token, coda: token, segments: [token], msa_lemma, dialect_lemma: token, gloss },
  pos: "ADV" as const,
});
const sentence = (id: string, tokens: DialectSentence["tokens"]): DialectSentence => ({
  ...{ id, region: "syrian", text: tokens.map(({ token }) => token).join(" "), tokens },
});

test("a word is looked up in the other subjects alone, its lemma and its meaning counted apart", () => {
  const all = [
    sentence("home-0001", [word("وين", "أين", "where"), word("هلق", "الآن", "now")]),
    sentence("home-0002", [word("هلق", "الآن", "now")]),
    sentence("street-0001", [word("وين", "أين", "where to")]),
  ];
  expect(evalGlossary(all)).toEqual({
    ...{ size: 4, found: 2 / 4, lemma: 2 / 4, gloss: 0 },
    predictions: [
      "وين\tأين\twhere\tأين\twhere to",
      "هلق\tالآن\tnow\t\t",
      "هلق\tالآن\tnow\t\t",
      "وين\tأين\twhere to\tأين\twhere",
    ],
  });
});

test("one subject alone cannot be measured", () => {
  expect(() => evalGlossary([sentence("home-0001", [word("وين", "أين", "where")])])).toThrow(RangeError);
});

const dir = mkdtempSync(join(tmpdir(), "isnad-cross-"));
afterAll(() => rmSync(dir, { recursive: true }));

const lines = (rows: readonly object[]): string => rows.map((row) => `${JSON.stringify(row)}\n`).join("");

function collection(path: string, ids: readonly string[]): void {
  const folder = join(dir, path);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "corpus.jsonl"), lines(ids.map((_id) => ({ _id, title: path, text: `text ${_id}` }))));
  writeFileSync(join(folder, "queries.jsonl"), lines([{ _id: "q", text: "x" }]));
  writeFileSync(join(folder, "qrels.tsv"), `q\t${ids[0]}\t1\n`);
}

test("passages are those of every collection of the language that is searched, each id once", () => {
  collection("retrieval/tydiqa-goldp/beir-ar-dev", ["1", "2"]);
  collection("retrieval/arcd-train", ["2", "3"]);
  collection("retrieval/tydiqa-goldp/beir-en", ["9"]);
  expect(passagesOf(dir, "en-ar").map(({ id }) => id)).toEqual(["1", "2", "3"]);
  expect(passagesOf(dir, "ar-en").map(({ id }) => id)).toEqual(["9"]);
});

test("a question has the one passage that answers it; one that is not there is told", () => {
  const documents = [{ id: "7", title: "", text: "x" }];
  const path = join(dir, "test.ar-en.jsonl");
  writeFileSync(path, lines([{ _id: 1, text: "asks", passage: 7 }]));
  expect(readQuestions(path, documents)).toEqual({
    documents,
    queries: [{ id: "1", text: "asks" }],
    grades: new Map([["1", new Map([["7", 1]])]]),
  });
  writeFileSync(
    path,
    lines([
      { _id: 1, text: "asks", passage: 7 },
      { _id: "q2", text: "asks", passage: "8" },
    ]),
  );
  expect(() => readQuestions(path, documents)).toThrow("q2: there is no passage 8");
});

test("signs are no words, and a lemma may be right where the meaning is not", () => {
  const all = [
    sentence("home-0001", [word("وين", "أين", "where"), word("؟", "؟", "?"), word("!!", "!", "!")]),
    sentence("street-0001", [word("وين", "أين", "where"), word("كتير", "كثير", "very")]),
    sentence("shop-0001", [word("كتير", "كثير", "many")]),
  ];
  const { size, lemma, gloss } = evalGlossary(all);
  expect([size, lemma, gloss]).toEqual([4, 1, 2 / 4]);
});
