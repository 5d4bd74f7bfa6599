import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { normalForm } from "../../text/mod.ts";
import type { GlossaryEntry } from "./glossary.ts";

const FUNCTION_WORDS = new URL("../../../nlp/lexicon/dialect-words.tsv", import.meta.url);
const REGIONS = new URL("../../../nlp/lexicon/regions/words.tsv", import.meta.url);

/** Words beside a corpus: function words with their spellings, and words that only other dialects have. */
export type DialectWords = {
  entries: readonly GlossaryEntry[];
  /** Returns the other dialects that a word is of, in normal form; none for one that this dialect, or MSA, has. */
  foreign(word: string): readonly string[];
};

/** The dialect of the corpus that ships, and the standard that all share. */
const SHARED_DIALECTS: ReadonlySet<string> = new Set(["levantine", "msa"]);

const linesOf = (url: URL): string[][] =>
  readFileSync(fileURLToPath(url), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));

/** Opens the words that ship. Throws when a file cannot be read. */
export function openDialectWords(): DialectWords {
  const dialects = new Map<string, Set<string>>();
  for (const [dialect = "", word = ""] of linesOf(REGIONS)) {
    const form = normalForm(word);
    dialects.set(form, (dialects.get(form) ?? new Set()).add(dialect));
  }
  const entries = linesOf(FUNCTION_WORDS).map(functionWord);
  const own = new Set(entries.flatMap(({ forms }) => [...forms]));
  return {
    entries,
    foreign(word) {
      const form = normalForm(word);
      const all = [...(dialects.get(form) ?? [])];
      return own.has(form) || all.some((each) => SHARED_DIALECTS.has(each)) ? [] : all;
    },
  };
}

/** Returns what a line says: spellings, MSA lemma, dialect lemma, part of speech, gloss. */
function functionWord([
  spellings = "",
  lemma_msa = "",
  lemma_dialect = "",
  pos = "",
  gloss = "",
]: string[]): GlossaryEntry {
  const forms = [lemma_dialect, ...spellings.split(" ")].map((each) => normalForm(each.replaceAll("_", " ")));
  return {
    ...{ gloss, lemma_msa, lemma_dialect, pos, sentence_ids: [], count: 0 },
    ...{ stem: normalForm(lemma_dialect), forms: new Set(forms.filter((form) => form !== "" && !form.includes(" "))) },
  };
}
