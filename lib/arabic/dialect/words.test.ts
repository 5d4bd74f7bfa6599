import { expect, test } from "bun:test";
import { glossaryAnswer, openShippedCorpus } from "./answer.ts";
import { openDialectWords } from "./glossary.ts";

const corpus = openShippedCorpus();
const words = openDialectWords();

async function meaningOf(text: string) {
  const [token] = await glossaryAnswer(corpus, { text, topK: 1, threshold: 0.65 });
  return token;
}

test.each([
  ["هلأ", "الآن"],
  ["هلق", "الآن"],
  ["هسا", "الآن"],
  ["هيدا", "هذا"],
  ["هادا", "هذا"],
  ["هديك", "تلك"],
  ["يالله", "هيا"],
  ["ايمتى", "متى"],
  ["امتى", "متى"],
  ["هونيك", "هناك"],
])("a function word is found in its spellings: %s", async (word, lemma) => {
  expect(await meaningOf(word)).toMatchObject({ matches: [{ lemma_msa: lemma, score: 1 }] });
});

test.each([
  ["دلوقتي", "egyptian"],
  ["بزاف", "maghrebi"],
  ["شكو", "iraqi"],
  ["الحين", "gulf"],
])("a word that only another dialect has is no false friend: %s", async (word, dialect) => {
  const token = await meaningOf(word);
  expect(token?.matches).toEqual([]);
  expect(token?.dialects).toContain(dialect);
});

test("a word of this dialect, or of the standard language, is of no other", async () => {
  for (const word of ["هلأ", "شو", "بيت", "كتاب"]) expect((await meaningOf(word))?.dialects).toBeUndefined();
});

test("no spelling of a function word is given twice for the same word, and there are a hundred and fifty of them", () => {
  const keys = words.entries.map(
    ({ lemma_dialect, lemma_msa, pos, gloss }) => `${lemma_dialect} ${lemma_msa} ${pos} ${gloss}`,
  );
  expect(new Set(keys).size).toBe(keys.length);
  expect(keys.length).toBeGreaterThanOrEqual(145);
});
