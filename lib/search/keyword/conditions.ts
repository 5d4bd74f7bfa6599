import { type FilterKind, FILTERS, type Filters, givenFilters } from "../../contract/filters.ts";
import { at } from "../../std/mod.ts";
import { ARTICLE_FIELDS, isUnfiltered, passes } from "../filters.ts";
import { wordsOf } from "./analysed-query.ts";
import type { TermNumbers } from "./words.ts";
import { documentsWithPhrase, type Phrase } from "./phrases.ts";
import { documentsWithAll } from "./postings.ts";
import type { Projection } from "./projection.ts";
import { documentsOf, type Segment } from "./segment.ts";
import type { KeywordQuery } from "./types.ts";

const FIELDS: readonly string[] = ARTICLE_FIELDS;

/** What the documents of an answer must be, beside holding a word of the query. */
export type Conditions = {
  filters: Filters;
  term: KeywordQuery["term"];
  phrases: readonly Phrase[];
  /** Each the stems of one word. */
  excludedWords: readonly (readonly number[])[];
  excludedPhrases: readonly Phrase[];
};

/** 1 for each document of a segment that meets the conditions; undefined where all do. Not to be changed. */
export function documentsMeeting(
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
