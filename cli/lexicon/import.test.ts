import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCommand } from "@isnad/lib/service/cli";
import { captureIo } from "@isnad/lib/service/cli/testing";
import { importedPath, readImported } from "../../lib/arabic/dialect/corpus.ts";
import { lexiconImport } from "./import.ts";

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "isnad-lexicon-"));
});
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const HEAD = "sentenceId,wordPosition,rawToken,Token,Prefixes,Stem,Suffixes,POS,MSALemma,MSALemmaID,DALemma,Gloss";
const GOOD = [
  HEAD,
  "7,2,البيت,البيت,⟨ال/DET⟩,بيت,,NOUN,بَيْت,12,بيت,the house",
  "7,1,وعم,وعم,{⟨و/CONJ⟩ + ⟨ع/PREP⟩},م,,PART,على,0,ع,and on",
  "8,1,شو,شو,,شو,,INTERROG_PRON,ماذا,0,شو,what",
];

async function importing(lines: readonly string[], ...options: string[]) {
  const file = join(dir, "words.csv");
  writeFileSync(file, lines.join("\n"));
  const { io, out, err } = captureIo({ DATA_DIR: join(dir, "data") });
  const code = await runCommand(lexiconImport, ["nabra", file, ...options], io);
  const corpus = readImported(importedPath(join(dir, "data")));
  const sentences = Array.from({ length: corpus?.sentences.size ?? 0 }, (_, place) => corpus?.sentences.at(place));
  return { code, out: out(), err: err(), stored: corpus && { head: corpus.head, sentences } };
}

test("a corpus is stored sentence by sentence, words by their position, segments from prefixes, stem and suffixes", async () => {
  const { code, out, stored } = await importing(GOOD, "--licence", "CC BY 4.0");
  expect([code, out]).toEqual([0, "3 rows: 2 sentences of 3 words are right. Imported.\n"]);
  expect(stored?.head).toMatchObject({ corpus: "nabra", licence: "CC BY 4.0", sentences: 2 });
  expect(stored?.sentences[0]).toMatchObject({ sentence_id: 7, text: "وعم البيت", dialect: "syrian" });
  expect(stored?.sentences[0]?.tokens.map(({ segmentation }) => segmentation)).toEqual([
    ["و", "ع", "م"],
    ["ال", "بيت"],
  ]);
  expect(stored?.sentences[0]?.tokens[1]).toMatchObject({ lemma_msa: "بَيْت", lemma_dialect: "بيت", gloss: "the house" });
});

test("what is wrong is told by row, column and rule, and the corpus that stood stays", async () => {
  await importing(GOOD);
  const bad = [
    ...GOOD,
    "8,1,مكرر,مكرر,,مكرر,,NOUN,,,,",
    "x,1,,كلمة,و,كلمة,,NOUN,#N/A,,,",
    "9,1,طيب,طيب,,,⟨ة/SUFF⟩,ADJ,,,,\ufffd,more",
  ];
  const { code, out, err, stored } = await importing(bad);
  expect(err.split("\n")).toEqual([
    "row 5, wordPosition: is that of row 4 in the same sentence",
    "row 6, sentenceId: must be a whole number of at most ten digits",
    "row 6, rawToken: must not be empty",
    "row 6, MSALemma: is an error of the spreadsheet: #N/A",
    "row 6, Prefixes: must be empty, or forms with their tags: ⟨form/TAG⟩ + ⟨form/TAG⟩",
    "row 7: has 13 cells where the head has 12",
    "row 7, Gloss: holds U+FFFD: the file was saved in another encoding once",
    "row 7, Stem: must not be empty beside prefixes or suffixes",
    "",
  ]);
  expect([code, out]).toEqual([1, "6 rows: 1 sentences of 2 words are right, 8 problems. Nothing was imported.\n"]);
  expect(stored?.sentences).toHaveLength(2);
  const skipped = await importing(bad, "--skip-invalid", "--json");
  expect([skipped.code, JSON.parse(skipped.out)]).toMatchObject([0, { imported: true, sentences: 1, rows: 6 }]);
  expect(skipped.stored?.sentences.map((sentence) => sentence?.sentence_id)).toEqual([7]);
});

test("a file without the columns, or none, is refused; --dry-run and --remove leave nothing behind", async () => {
  const path = importedPath(join(dir, "data"));
  expect((await importing(["a,b", "1,2"])).err).toContain(
    "row 1: these columns are missing: sentenceId, wordPosition, rawToken,",
  );
  expect((await importing([])).err).toContain("is empty");
  expect((await importing(GOOD, "--dry-run")).code).toBe(0);
  expect(existsSync(path)).toBe(false);
  await importing(GOOD);
  expect(readdirSync(join(dir, "data", "lexicon"))).toEqual(["nabra.jsonl"]);
  const { io, out } = captureIo({ DATA_DIR: join(dir, "data") });
  expect(await runCommand(lexiconImport, ["nabra", "--remove"], io)).toBe(0);
  expect([out(), existsSync(path)]).toEqual(["Removed; the sentences that ship answer again\n", false]);
  expect(await runCommand(lexiconImport, ["curras", "x.csv"], io)).toBe(2);
  expect(await runCommand(lexiconImport, ["nabra", join(dir, "none.csv")], io)).toBe(1);
});
