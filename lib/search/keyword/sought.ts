import type { WordTerms } from "../../text/mod.ts";
import type { AnalysedQuery } from "./analysed-query.ts";
import { frequencyTable, inverseFrequency, type WeightedTerm } from "./bm25.ts";
import { type Conditions, documentsMeeting } from "./conditions.ts";
import type { QueryWord } from "./exactness.ts";
import type { TermNumbers } from "./words.ts";
import type { Phrase } from "./phrases.ts";
import type { Projection } from "./projection.ts";
import type { KeywordQuery } from "./types.ts";

/**
 * What a root is worth beside a stem. On the Arabic sets of `eval --task keyword`, 0.5 and 0.7 gain about .012 nDCG@10
 * over none.
 */
const ROOT_WEIGHT = 0.5;

/**
 * How many documents have a term. Numbers are read from the database, which may have been written since the projection
 * was: a term that it does not have yet is in none.
 */
const holding = (documents: Uint32Array, term: number): number => documents[term] ?? 0;

/** The terms that are looked for, rare ones first. */
export function weightedTerms(
  { stems, roots }: AnalysedQuery,
  { documents, count }: Projection,
  numbers: TermNumbers,
  { title, content }: { title: number; content: number },
): WeightedTerm[] {
  const weighted = (times: ReadonlyMap<string, number>, frequencies: Float64Array): WeightedTerm[] =>
    Array.from(times, ([text, repeated]) => {
      const term = numbers.term(text);
      return { term, weight: repeated * inverseFrequency(count, holding(documents, term)), frequencies };
    }).filter(({ term }) => term !== 0);
  return [
    ...weighted(stems, frequencyTable(title, content)),
    ...weighted(roots, frequencyTable(ROOT_WEIGHT * title, ROOT_WEIGHT * content)),
  ].sort((a, b) => holding(documents, a.term) - holding(documents, b.term) || a.term - b.term);
}

/** The words of a query with what each is worth. */
export function weightedWords(
  words: readonly WordTerms[],
  { documents, count }: Projection,
  numbers: TermNumbers,
): QueryWord[] {
  return words.map((word) => {
    const stem = numbers.term(word.stems[0] ?? "");
    return {
      form: numbers.form(word),
      stem,
      weight: stem === 0 ? 0 : inverseFrequency(count, holding(documents, stem)),
    };
  });
}

/** For each segment which documents the answer is chosen from; undefined for all. */
export function documentsAllowed(
  projection: Projection,
  numbers: TermNumbers,
  { filters = {}, term }: Pick<KeywordQuery, "filters" | "term">,
  { phrases, loose, excludedWords, excludedPhrases }: AnalysedQuery,
): (Uint8Array | undefined)[] {
  const meeting = (conditions: Conditions) =>
    projection.segments.map((segment) => documentsMeeting(segment, conditions, projection, numbers));
  const conditions: Conditions = {
    ...{ filters, term },
    phrases: phrases.map((words) => phraseOf(words, numbers)),
    excludedWords: excludedWords.map((word) => stemsOf([word], numbers)),
    excludedPhrases: excludedPhrases.map((words) => phraseOf(words, numbers)),
  };
  const masks = meeting(conditions);
  if (phrases.length === 0 || !loose || masks.some((mask) => mask?.includes(1))) return masks;
  return meeting({ ...conditions, phrases: [] });
}

function phraseOf(words: readonly WordTerms[], numbers: TermNumbers): Phrase {
  return { forms: words.map((word) => numbers.form(word)), stems: stemsOf(words, numbers) };
}

function stemsOf(words: readonly WordTerms[], numbers: TermNumbers): number[] {
  return words.flatMap(({ stems }) => stems.map((stem) => numbers.term(stem)));
}
