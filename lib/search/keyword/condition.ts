import { asciiHost, normalForm } from "../../text/mod.ts";
import { at } from "../../std/mod.ts";
import { ARTICLE_FIELDS, withinDomain } from "../filters.ts";
import type { QueryField, QueryNode } from "../query-language/parse.ts";
import { parted, translatedQuery } from "./cross-language.ts";
import { documentsOf, documentsWithAll, postingsOf, type Segment } from "./postings.ts";
import type { Projection } from "./projection.ts";
import { type AnalysedQuery, documentsPassing, documentsWithPhrase, phraseOf, wordsOf } from "./query.ts";
import { readQuery } from "./reading.ts";
import type { KeywordQuery } from "./types.ts";
import type { TermNumbers } from "./words.ts";

/** Holds by the form of a word what else it may stand for, each as the terms of it. */
type Readings = ReadonlyMap<string, readonly (readonly number[])[]>;

/** Holds a segment, what a condition is looked up in, and what its words may stand for. */
type Place = { segment: Segment; projection: Projection; numbers: TermNumbers; readings?: Readings };

/** Returns for each segment which documents the answer is chosen from; undefined for all. Not to be changed. */
export function documentsAllowed(
  projection: Projection,
  numbers: TermNumbers,
  query: Omit<KeywordQuery, "limit">,
  analysed: AnalysedQuery,
): (Uint8Array | undefined)[] {
  const masks = documentsPassing(projection, numbers, query, analysed);
  const { condition } = query;
  if (condition === undefined) return masks;
  const readings = readingsOf(query, projection, numbers);
  return masks.map((mask, place) => {
    const segment = at(projection.segments, place);
    const meeting = documentsSatisfying(condition, { segment, projection, numbers, readings });
    const among = mask ?? segment.live;
    for (let doc = 0; doc < meeting.length; doc++) meeting[doc] = (meeting[doc] ?? 0) & (among[doc] ?? 0);
    return meeting;
  });
}

/** Returns what the words of a query may stand for: what was meant by a typing error, and what a begun word begins. */
function readingsOf(query: Omit<KeywordQuery, "limit">, projection: Projection, numbers: TermNumbers): Readings {
  const { corrections, guessed } = readQuery(query, projection, numbers);
  const readings = new Map<string, readonly (readonly number[])[]>();
  const termsOf = (text: string) => wordsOf(text).flatMap(({ stems }) => stems.map((stem) => numbers.term(stem)));
  for (const { word, readAs } of corrections) {
    for (const { form } of wordsOf(word)) readings.set(form, readAs.map(termsOf));
  }
  const begun = guessed.at(-1);
  const last = wordsOf(query.text).at(-1);
  if (query.prefix && last !== undefined && begun?.forms !== undefined) {
    readings.set(
      last.form,
      begun.guesses.map(({ stem }) => [stem]),
    );
  }
  return readings;
}

/** Returns 1 for each document of a segment that satisfies a condition, whether it was taken out or not. */
function documentsSatisfying(node: QueryNode, place: Place): Uint8Array {
  switch (node.is) {
    case "all":
      return combined(node.of, place, (a, b) => a & b);
    case "any":
      return combined(node.of, place, (a, b) => a | b);
    case "not":
      // What is excluded is excluded as it is written, not in translation, or where it looks like a typing error.
      return documentsSatisfying(node.of, {
        ...{ segment: place.segment, projection: place.projection, numbers: untranslated(place.numbers) },
      }).map((held) => 1 - held);
    case "among":
      return marked(place, documentsOf(place.segment, node.keys));
    case "phrase":
      return withPhrase(node.text, place, "any");
    case "word":
      return withWords(node.text, place);
    case "field":
      return withField(node, place);
  }
}

function combined(nodes: readonly QueryNode[], place: Place, join: (a: number, b: number) => number): Uint8Array {
  let all: Uint8Array | undefined;
  for (const node of nodes) {
    const next = documentsSatisfying(node, place);
    if (all === undefined) all = next;
    else for (let doc = 0; doc < all.length; doc++) all[doc] = join(all[doc] ?? 0, next[doc] ?? 0);
  }
  return all ?? marked(place, []);
}

function untranslated(numbers: TermNumbers): TermNumbers {
  return { form: (word) => numbers.form(word), term: (text) => numbers.term(text) };
}

function marked({ segment }: Pick<Place, "segment">, docs: Iterable<number>): Uint8Array {
  const marks = new Uint8Array(segment.live.length);
  for (const doc of docs) marks[doc] = 1;
  return marks;
}

/** Returns the documents that hold each word of a text in any form, in the other language in translation. */
function withWords(text: string, place: Place): Uint8Array {
  const { segment, projection, numbers } = place;
  let all: Uint8Array | undefined;
  for (const { form, stems } of wordsOf(text)) {
    const marks = marked(
      place,
      documentsWithAll(
        segment,
        stems.map((stem) => numbers.term(stem)),
      ),
    );
    for (const terms of place.readings?.get(form) ?? []) {
      for (const doc of documentsWithAll(segment, terms)) marks[doc] = 1;
    }
    for (const { from, to, groups } of parted(segment, translatedQuery(form, projection, numbers, BOTH))) {
      for (const { terms } of groups) for (const { term } of terms) markHolding(marks, term, { segment, from, to });
    }
    if (all === undefined) all = marks;
    else for (let doc = 0; doc < all.length; doc++) all[doc] = (all[doc] ?? 0) & (marks[doc] ?? 0);
  }
  return all ?? marked(place, []);
}

const BOTH = { title: 1, content: 1 };

/** Describes the documents of a segment from `from` to before `to`. */
type Range = { segment: Segment; from: number; to: number };

/** Marks the documents of a range that hold a term; where a table is given, as often as it counts for something. */
export function markHolding(
  marks: Uint8Array,
  term: number,
  { segment, from, to }: Range,
  frequencies?: Float64Array,
): void {
  const { docs, freqs } = segment;
  const postings = postingsOf(segment, term);
  for (let i = postings.from; i < postings.to; i++) {
    const doc = docs[i] ?? 0;
    if (doc >= from && doc < to && frequencies?.[freqs[i] ?? 0] !== 0) marks[doc] = 1;
  }
}

function withPhrase(text: string, place: Place, field: "title" | "any"): Uint8Array {
  const words = wordsOf(text);
  if (words.length === 0) return marked(place, []);
  const { segment, projection, numbers } = place;
  return marked(place, documentsWithPhrase(segment, phraseOf(words, numbers), projection.scratch, field));
}

function withField(
  { field, text, quoted }: { field: QueryField; text: string; quoted: boolean },
  place: Place,
): Uint8Array {
  if (field === "author") return byAuthor(text, place);
  if (field === "title") {
    const { segment, numbers } = place;
    if (quoted) return withPhrase(text, place, "title");
    const stems = wordsOf(text).flatMap((word) => word.stems.map((stem) => numbers.term(stem)));
    return marked(place, documentsWithAll(segment, stems, "title"));
  }
  const allows = ALLOWING[field]?.(text);
  const column = COLUMNS[field];
  // The articles that name an entity are looked up before.
  if (allows === undefined || column === undefined) return marked(place, []);
  const marks = new Uint8Array(place.segment.live.length).fill(1);
  at(place.segment.forward.columns, ARTICLE_FIELDS.indexOf(column)).keepAllowed(marks, (value) =>
    allows(String(value)),
  );
  return marks;
}

const COLUMNS: Partial<Record<QueryField, (typeof ARTICLE_FIELDS)[number]>> = {
  source: "sourceId",
  category: "categoryId",
  lang: "lang",
  domain: "domain",
};

/** Tells which values of a column a field asks for; the names of sources and the like in any case. */
const ALLOWING: Partial<Record<QueryField, (wanted: string) => (value: string) => boolean>> = {
  source: equalsFolded,
  category: equalsFolded,
  lang: equalsFolded,
  domain: (wanted) => {
    const host = asciiHost(wanted);
    return (value) => host !== undefined && withinDomain(value, host);
  },
};

function equalsFolded(wanted: string): (value: string) => boolean {
  const folded = wanted.toLowerCase();
  return (value) => value.toLowerCase() === folded;
}

/** Holds the authors of segments as they are compared. */
const folded = new WeakMap<Segment, readonly string[]>();

/** Returns the documents one of whose authors has the words of a name, one after another, in any spelling. */
function byAuthor(name: string, { segment }: Place): Uint8Array {
  const { authors } = segment.forward;
  let names = folded.get(segment);
  if (names === undefined) {
    names = authors.texts().map(authorKey);
    folded.set(segment, names);
  }
  const wanted = authorKey(name);
  const good = Uint8Array.from(["", ...names], (key, code) => Number(code > 0 && key.includes(wanted)));
  const marks = new Uint8Array(segment.live.length);
  if (wanted.trim() === "") return marks;
  for (let doc = 0; doc < marks.length; doc++) {
    for (const code of authors.codesOf(doc)) if (good[code] === 1) marks[doc] = 1;
  }
  return marks;
}

/** Returns the words of a name as they are compared, with a blank at both ends. */
export function authorKey(name: string): string {
  return ` ${normalForm(name)
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim()} `;
}
