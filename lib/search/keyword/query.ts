import { FILTERS, type FilterKind, type Filters, givenFilters } from "../../contract/filter-table.ts";
import { at } from "../../std/mod.ts";
import { forEachSearchWord, parseQuery, queryWords, type WordTerms, wordTermsAt } from "../../text/mod.ts";
import { ARTICLE_FIELDS, isUnfiltered, passes } from "../filters.ts";
import type { QueryWord } from "./exact-match.ts";
import type { Scratch } from "./invert.ts";
import { documentsOf, documentsWithAll, type Segment } from "./postings.ts";
import type { Projection } from "./projection.ts";
import { frequencyTable, inverseFrequency, type WeightedTerm } from "./score.ts";
import type { KeywordQuery } from "./types.ts";
import type { TermNumbers } from "./words.ts";

/** A word that a query repeats counts so often at most. */
const MOST = 3;

/** What a query asks for, in the texts of forms and terms. */
export type AnalysedQuery = {
  /** The stems and roots that it looks for, and how often each; without stop words, unless it has no others. */
  stems: ReadonlyMap<string, number>;
  roots: ReadonlyMap<string, number>;
  /** Its words in order, stop words too. */
  words: readonly WordTerms[];
  /** Phrases that a document must hold. */
  phrases: readonly (readonly WordTerms[])[];
  /** Whether it has other words, and may do without phrases where no document holds them all. */
  loose: boolean;
  /** Words and phrases that a document must not hold. */
  excludedWords: readonly WordTerms[];
  excludedPhrases: readonly (readonly WordTerms[])[];
};

/** Takes a query apart and analyses its words. */
export function analyseSearch(query: string): AnalysedQuery {
  const { text, phrases, excluded, others } = parseQuery(query);
  const sought = queryWords(text).map(({ terms, count }) => ({ terms, times: Math.min(count, MOST) }));
  const runs = excluded.words.map(wordsOf);
  const quoted = phrases.map(wordsOf).filter((words) => words.length > 0);
  const stems = timesOf(sought, ({ stems }) => stems);
  // A phrase of stop words alone is asked for all the same: what holds it is an answer.
  for (const words of quoted.filter((each) => each.every(({ stop }) => stop))) {
    for (const stem of words.flatMap((word) => word.stems)) stems.set(stem, stems.get(stem) ?? 1);
  }
  return {
    stems,
    roots: timesOf(sought, ({ coarse }) => coarse),
    words: wordsOf(text),
    phrases: quoted,
    loose: wordsOf(others).length > 0,
    excludedWords: runs.filter((words) => words.length === 1).flat(),
    // What is written as one, such as a date, is one thing to leave out, not each of its parts.
    excludedPhrases: [...excluded.phrases.map(wordsOf), ...runs.filter((words) => words.length > 1)].filter(
      (words) => words.length > 0,
    ),
  };
}

/** The words of a text in order, those of which something is left. */
export function wordsOf(text: string): WordTerms[] {
  const words: WordTerms[] = [];
  forEachSearchWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    if (terms.form !== "") words.push(terms);
  });
  return words;
}

function timesOf(
  sought: readonly { terms: WordTerms; times: number }[],
  termsOf: (terms: WordTerms) => readonly string[],
): Map<string, number> {
  const times = new Map<string, number>();
  for (const word of sought) {
    for (const term of termsOf(word.terms)) times.set(term, (times.get(term) ?? 0) + word.times);
  }
  return times;
}

/** A phrase by the numbers of its forms in order, and of their stems; one that no document has is 0. */
type Phrase = { forms: readonly number[]; stems: readonly number[] };

/**
 * Returns the documents of a segment that hold the words of a phrase one after another, as written, in title or
 * content; or in the title alone.
 */
export function documentsWithPhrase(
  segment: Segment,
  { forms, stems }: Phrase,
  scratch: Scratch,
  field: "title" | "any" = "any",
): number[] {
  if (forms.includes(0)) return [];
  return documentsWithAll(segment, stems, field).filter((doc) => {
    const { content, end } = scratch.decode(segment.forward, doc);
    if (holds(scratch.forms, 1, content, forms)) return true;
    return field === "any" && holds(scratch.forms, content, end, forms);
  });
}

function holds(words: Uint32Array, from: number, to: number, forms: readonly number[]): boolean {
  const first = forms[0] ?? 0;
  const last = to - forms.length;
  // Engines search an array for a number much faster than a loop does.
  for (let i = words.indexOf(first, from); i >= 0 && i <= last; i = words.indexOf(first, i + 1)) {
    if (forms.every((form, at) => words[i + at] === form)) return true;
  }
  return false;
}

const FIELDS: readonly string[] = ARTICLE_FIELDS;

/** What the documents of an answer must be, beside holding a word of the query. */
type Conditions = {
  filters: Filters;
  term: KeywordQuery["term"];
  phrases: readonly Phrase[];
  /** Each the stems of one word. */
  excludedWords: readonly (readonly number[])[];
  excludedPhrases: readonly Phrase[];
};

/** 1 for each document of a segment that meets the conditions; undefined where all do. Not to be changed. */
function documentsMeeting(
  segment: Segment,
  { filters, term, phrases, excludedWords, excludedPhrases }: Conditions,
  projection: Projection,
  numbers: TermNumbers,
): Uint8Array | undefined {
  const unfiltered = isUnfiltered(filters) && term === undefined;
  const unquoted = phrases.length + excludedWords.length + excludedPhrases.length === 0;
  if (unfiltered && unquoted) return segment.size === segment.forward.count ? undefined : segment.live;
  const marked = Uint8Array.from(segment.live);
  for (const { filter, wanted } of givenFilters(filters)) {
    keep(segment, marked, { field: filter.field, kind: filter.kind, wanted, ofSource: "of" in filter }, projection);
  }
  if (filters.articleIds !== undefined) keepOnly(marked, documentsOf(segment, filters.articleIds));
  if (term !== undefined) keepTerm(segment, marked, term, projection, numbers);
  for (const phrase of phrases) keepOnly(marked, documentsWithPhrase(segment, phrase, projection.scratch));
  for (const stems of excludedWords) for (const doc of documentsWithAll(segment, stems)) marked[doc] = 0;
  for (const phrase of excludedPhrases) {
    for (const doc of documentsWithPhrase(segment, phrase, projection.scratch)) marked[doc] = 0;
  }
  return marked;
}

type FieldCondition = { field: string; kind: FilterKind; wanted: string | number; ofSource: boolean };

function keep(
  { forward }: Segment,
  marked: Uint8Array,
  { field, kind, wanted, ofSource }: FieldCondition,
  { tiers }: Projection,
): void {
  const column = (name: string) => at(forward.columns, FIELDS.indexOf(name));
  if (ofSource) {
    column("sourceId").keepAllowed(marked, (source) => passes(kind, tiers.get(String(source)) ?? null, wanted));
  } else column(field).keep(marked, kind, wanted);
}

function keepTerm(
  segment: Segment,
  marked: Uint8Array,
  { field, value }: NonNullable<KeywordQuery["term"]>,
  projection: Projection,
  numbers: TermNumbers,
): void {
  if (field === "article_id") keepOnly(marked, documentsOf(segment, [Number(value)]));
  else if (field === "title" || field === "content") {
    const stems = wordsOf(String(value)).flatMap((word) => word.stems.map((stem) => numbers.term(stem)));
    keepOnly(marked, documentsWithAll(segment, stems, field));
  } else {
    const filter = FILTERS[field];
    const condition = { field: filter.field, kind: "equals", wanted: value, ofSource: "of" in filter } as const;
    keep(segment, marked, condition, projection);
  }
}

function keepOnly(marked: Uint8Array, docs: readonly number[]): void {
  const kept = docs.filter((doc) => marked[doc] === 1);
  marked.fill(0);
  for (const doc of kept) marked[doc] = 1;
}

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
export function documentsPassing(
  projection: Projection,
  numbers: TermNumbers,
  { filters = {}, term, condition }: Pick<KeywordQuery, "filters" | "term" | "condition">,
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
  if (phrases.length === 0 || !loose || condition !== undefined || masks.some((mask) => mask?.includes(1)))
    return masks;
  return meeting({ ...conditions, phrases: [] });
}

/** Returns a phrase of these words. */
export function phraseOf(words: readonly WordTerms[], numbers: TermNumbers): Phrase {
  return { forms: words.map((word) => numbers.form(word)), stems: stemsOf(words, numbers) };
}

function stemsOf(words: readonly WordTerms[], numbers: TermNumbers): number[] {
  return words.flatMap(({ stems }) => stems.map((stem) => numbers.term(stem)));
}
