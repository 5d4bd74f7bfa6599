import { at } from "../../std/mod.ts";
import { grown } from "../vector/memory.ts";
import type { Scratch } from "./invert.ts";
import { documentsWithAll, firstFrom, hashForms, postingsOf, type Segment, TITLE_SHIFT } from "./postings.ts";
import type { Projection } from "./projection.ts";
import type { Vocabulary } from "./vocabulary.ts";

/** A word of a query: its form, its stem (0 where no document has them), and what it is worth. */
export type QueryWord = {
  form: number;
  stem: number;
  weight: number;
  /** Further forms any of which is the word as written. */
  forms?: readonly number[] | undefined;
  /** Further stems any of which is the word, where it is misspelt or only begun. */
  stems?: readonly number[] | undefined;
};

/**
 * What it adds to the score of a document that a word of the query is there as written, that two words follow each
 * other as in the query (`byStem`: in another form), and that the title begins with the whole query, times the words'
 * inverse document frequencies and the square of the share of the query that is there as written. Chosen on the sets
 * of `eval --task keyword` and on headlines of news against their own articles.
 */
const EXACTNESS = {
  titleWord: 0.4,
  contentWord: 0.2,
  titlePair: 0.4,
  contentPair: 0.4,
  titleOpening: 0.4,
  titleInOrder: 0.8,
  byStem: 0.5,
  longest: 12,
};

/** A title that begins with fewer words, all of those of the query, may do so by chance. */
const FEWEST_OPENING = 3;

/** In these a place of the query is one more than its index, so that 0 is none. */
const make = (length: number): Uint16Array => new Uint16Array(length);
let formPlaces: Uint16Array = make(0);
let stemPlaces: Uint16Array = make(0);
/** 1 for each form that is a word of the query or has the stem of one. */
let marks: Uint8Array = new Uint8Array(0);

/**
 * Compares documents with the words of a query as they are written and ordered, in the fields that are searched.
 * `measure` is called with what gives the sum that a document's score gains.
 */
export function withExactness<T>(
  words: readonly QueryWord[],
  { vocabulary, scratch }: Projection,
  searched: { title: boolean; content: boolean },
  measure: (gainOf: (segment: Segment, doc: number) => number) => T,
): T {
  // A longer query is decided by its many words; what they add up to here would outweigh them.
  if (words.length > EXACTNESS.longest) return measure(() => 0);
  formPlaces = grown(formPlaces, vocabulary.forms + 1, make);
  stemPlaces = grown(stemPlaces, vocabulary.terms + 1, make);
  marks = grown(marks, vocabulary.forms + 1, (length) => new Uint8Array(length));
  words.forEach(({ form, stem, forms = [] }, i) => {
    if (formPlaces[form] === 0) formPlaces[form] = i + 1;
    for (const each of forms) if (formPlaces[each] === 0) formPlaces[each] = i + 1;
    if (stemPlaces[stem] === 0) stemPlaces[stem] = i + 1;
  });
  formPlaces[0] = stemPlaces[0] = 0;
  mark(words, vocabulary, 1);
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const isBegun = words.some(({ forms }) => forms !== undefined);
  const title = new Field(words);
  const content = new Field(words);
  const sought = { marks, titleAlone: !searched.content };
  try {
    return measure((segment, doc) => {
      const marked = scratch.decodeMarked(segment.forward, doc, sought);
      const inTitle = searched.title ? marked.title : 0;
      title.read(scratch, 0, inTitle, vocabulary.stems);
      content.read(scratch, marked.title, searched.content ? marked.count : marked.title, vocabulary.stems);
      let gain = beginsWith(scratch, inTitle, words) ? EXACTNESS.titleOpening * total : 0;
      if (isBegun && hasInOrder(scratch, inTitle, words.length)) gain += EXACTNESS.titleInOrder * total;
      let covered = 0;
      words.forEach(({ weight }, i) => {
        if (title.words[i] === 1 || content.words[i] === 1) covered += weight;
        if (title.words[i] === 1) gain += EXACTNESS.titleWord * weight;
        if (content.words[i] === 1) gain += EXACTNESS.contentWord * weight;
        const pair = weight + (words[i + 1]?.weight ?? 0);
        gain += pair * (EXACTNESS.titlePair * at(title.pairs, i) + EXACTNESS.contentPair * at(content.pairs, i));
      });
      return gain * (covered / total) ** 2;
    });
  } finally {
    for (const { form, stem, forms = [] } of words) {
      formPlaces[form] = stemPlaces[stem] = 0;
      for (const each of forms) formPlaces[each] = 0;
    }
    mark(words, vocabulary, 0);
  }
}

/** Whether the title, of which `count` forms were marked, begins with the words as written. */
function beginsWith({ marked, places }: Scratch, count: number, words: readonly QueryWord[]): boolean {
  if (words.length < FEWEST_OPENING || words.length > count) return false;
  return words.every(({ form }, i) => {
    const here = marked[i] ?? 0;
    return (here === form || formPlaces[here] === i + 1) && places[i] === i + 1;
  });
}

/** Tells whether the title, of which `count` forms were marked, has as many words as written, in their order. */
function hasInOrder({ marked }: Scratch, count: number, words: number): boolean {
  let next = 1;
  for (let i = 0; i < count && next <= words; i++) if (formPlaces[marked[i] ?? 0] === next) next++;
  return next > words;
}

/** Sets the marks of the words' forms, and of all forms of their stems. */
function mark(words: readonly QueryWord[], vocabulary: Vocabulary, value: 0 | 1): void {
  const set = (form: number): void => {
    marks[form] = value;
  };
  for (const { form, stem, forms = [] } of words) {
    set(form);
    for (const each of forms) set(each);
    if (stem !== 0) vocabulary.forEachFormOf(stem, set);
  }
  marks[0] = 0;
}

/** What a field of a document has of a query. */
class Field {
  readonly #query: readonly QueryWord[];
  /** 1 for each word that is there as written. */
  readonly words: Uint8Array;
  /** For each word how well it and the next one stand there one after the other, from 0 to 1. */
  readonly pairs: Float64Array;

  constructor(query: readonly QueryWord[]) {
    this.#query = query;
    this.words = new Uint8Array(query.length);
    this.pairs = new Float64Array(query.length);
  }

  /** Reads the marked forms from `from` to `to`. */
  read({ marked, places }: Scratch, from: number, to: number, stems: Uint32Array): void {
    this.words.fill(0);
    this.pairs.fill(0);
    /** The place in the query of the word before, and whether it is there as written. */
    let place = 0;
    let written = false;
    let before = 0;
    for (let i = from; i < to; i++) {
      const form = marked[i] ?? 0;
      const exactly = formPlaces[form] ?? 0;
      const stem = stems[form] ?? 0;
      const here = places[i] ?? 0;
      // Other words stand between them.
      if (here !== before + 1) place = 0;
      before = here;
      if (exactly !== 0) this.words[exactly - 1] = 1;
      const next = place === 0 ? undefined : this.#query[place];
      const isNext = next !== undefined && (next.form === form || exactly === place + 1);
      const follows = isNext || next?.stem === stem;
      if (follows) {
        const value = written && isNext ? 1 : EXACTNESS.byStem;
        if (value > (this.pairs[place - 1] ?? 0)) this.pairs[place - 1] = value;
        place++;
        written = isNext;
        if (written) this.words[place - 1] = 1;
      } else {
        place = exactly || (stemPlaces[stem] ?? 0);
        written = exactly !== 0;
      }
    }
  }
}

/** The documents of a segment whose title is made of these forms, all of them and nothing else. */
export function documentsEntitled(forms: readonly number[], { titles, forward }: Segment, scratch: Scratch): number[] {
  if (forms.length === 0 || forms.includes(0)) return [];
  const hash = hashForms(forms, 0, forms.length);
  const docs: number[] = [];
  for (let doc = titles.indexOf(hash); doc >= 0; doc = titles.indexOf(hash, doc + 1)) docs.push(doc);
  return docs.filter((doc) => {
    const { content } = scratch.decode(forward, doc);
    return content === forms.length + 1 && forms.every((form, i) => scratch.forms[i + 1] === form);
  });
}

/** Titles that are told from others because they hold all words of a query, at most: with more it says too little. */
const MAX_TITLED = 400;

/**
 * Returns the documents of a segment whose title holds all of some stems and one of others: of a word that is only
 * begun, what it may become.
 */
export function documentsTitled(segment: Segment, stems: readonly number[], others: readonly number[]): number[] {
  const titled = documentsWithAll(segment, stems, "title").filter((doc) => segment.live[doc] !== 0);
  if (titled.length > MAX_TITLED) return [];
  const left = new Set(titled);
  const { docs, freqs } = segment;
  for (const other of others) {
    if (left.size === 0) break;
    const { from, to } = postingsOf(segment, other);
    let i = from;
    for (const doc of titled) {
      i = firstFrom(docs, doc, i, to);
      if (i >= to) break;
      if (docs[i] === doc && (freqs[i] ?? 0) >> TITLE_SHIFT > 0) left.delete(doc);
    }
  }
  return titled.filter((doc) => !left.has(doc));
}

/**
 * How much of a query a document holds, as shares (0 to 1) of the weights of its words, in any form; words that no
 * document holds are left aside.
 */
export type Matched = {
  /** In the title. */
  title: number;
  /** Near each other in the content: within as many words as the query has, and {@link APART} more. */
  passage: number;
  /**
   * The share of the query's words, not of their weights, with which the title or the content begins: as written, each
   * at its place; 0 for fewer than {@link OPENING}.
   */
  opening: number;
  /** The share of the query's words that some document holds. */
  known: number;
};

/** Words that may stand between those of the query. */
const APART = 2;

/** So many words at the beginning are no chance. */
const OPENING = 3;

/** What a document holds of the words of a query. */
export function matched(
  words: readonly QueryWord[],
  { scratch, vocabulary: { stems } }: Projection,
  segment: Segment,
  doc: number,
): Matched {
  const weights = new Map<number, number>();
  for (const { stem, weight } of words) if (stem !== 0) weights.set(stem, (weights.get(stem) ?? 0) + weight);
  const known = words.filter(({ stem }) => stem !== 0).length / Math.max(1, words.length);
  const { content, end } = scratch.decode(segment.forward, doc);
  const meant = new Map(words.flatMap(({ stem, stems = [] }) => stems.map((other) => [other, stem] as const)));
  const stemAt = (place: number) => {
    const stem = stems[at(scratch.forms, place)] ?? 0;
    return weights.has(stem) ? stem : (meant.get(stem) ?? stem);
  };
  const opens = (from: number, to: number): number => {
    const same = words.filter(({ form }, i) => form !== 0 && from + i < to && scratch.forms[from + i] === form);
    return same.length < OPENING ? 0 : same.length / words.length;
  };
  return {
    title: shareWithin(weights, stemAt, { from: 1, to: content, width: content }),
    passage: shareWithin(weights, stemAt, { from: content, to: end, width: words.length + APART }),
    opening: Math.max(opens(1, content), opens(content, end)),
    known,
  };
}

/** The largest share of the weights that stems hold which stand within `width` places of each other. */
export function shareWithin(
  weights: ReadonlyMap<number, number>,
  stemAt: (place: number) => number,
  { from, to, width }: { from: number; to: number; width: number },
): number {
  const counts = new Map<number, number>();
  let sum = 0;
  let best = 0;
  /** Takes the stem of a place in (1) or out (-1). */
  const count = (place: number, by: 1 | -1): void => {
    const stem = stemAt(place);
    const weight = weights.get(stem);
    if (weight === undefined) return;
    const before = counts.get(stem) ?? 0;
    counts.set(stem, before + by);
    if (before === 0) sum += weight;
    else if (before + by === 0) sum -= weight;
  };
  for (let place = from; place < to; place++) {
    count(place, 1);
    if (place - width >= from) count(place - width, -1);
    best = Math.max(best, sum);
  }
  const total = [...weights.values()].reduce((all, weight) => all + weight, 0);
  return total === 0 ? 0 : Math.min(1, best / total);
}
