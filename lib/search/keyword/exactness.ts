import { at } from "../../std/index.ts";
import { grown } from "../vector/grow.ts";
import type { Projection } from "./projection.ts";
import type { Segment } from "./segment.ts";

/** A word of a query: its form, its stem (0 where no document has them), and what it is worth. */
export type QueryWord = { form: number; stem: number; weight: number };

/**
 * What it adds to the score of a document that a word of the query is there as written, and that two words follow each
 * other as in the query (`byStem`: in another form), times the words' inverse document frequencies and the square of
 * the share of the query that is there as written. Chosen on the sets of `eval --task keyword` and on headlines of
 * Arabic news against their own articles.
 */
export const EXACTNESS = {
  titleWord: 0.4,
  contentWord: 0.2,
  titlePair: 0.4,
  contentPair: 0.4,
  byStem: 0.5,
  longest: 12,
};

/** In these a place of the query is one more than its index, so that 0 is none. */
const make = (length: number): Uint16Array => new Uint16Array(length);
let formPlaces: Uint16Array = make(0);
let stemPlaces: Uint16Array = make(0);

/**
 * Compares documents with the words of a query as they are written and ordered. `measure` is called with what gives the
 * sum that a document's score gains.
 */
export function withExactness<T>(
  words: readonly QueryWord[],
  { vocabulary, scratch }: Projection,
  measure: (gainOf: (segment: Segment, doc: number) => number) => T,
): T {
  // A longer query is decided by its many words; what they add up to here would outweigh them.
  if (words.length > EXACTNESS.longest) return measure(() => 0);
  formPlaces = grown(formPlaces, vocabulary.forms + 1, make);
  stemPlaces = grown(stemPlaces, vocabulary.terms + 1, make);
  words.forEach(({ form, stem }, i) => {
    if (formPlaces[form] === 0) formPlaces[form] = i + 1;
    if (stemPlaces[stem] === 0) stemPlaces[stem] = i + 1;
  });
  formPlaces[0] = stemPlaces[0] = 0;
  const total = words.reduce((sum, { weight }) => sum + weight, 0) || 1;
  const title = new Field(words);
  const content = new Field(words);
  try {
    return measure((segment, doc) => {
      const extent = scratch.decode(segment.forward, doc);
      title.read(scratch.forms, 1, extent.content, vocabulary.stems);
      content.read(scratch.forms, extent.content, extent.end, vocabulary.stems);
      let gain = 0;
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
    for (const { form, stem } of words) formPlaces[form] = stemPlaces[stem] = 0;
  }
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

  /** Reads the forms from `from` to `to`. */
  read(forms: Uint32Array, from: number, to: number, stems: Uint32Array): void {
    this.words.fill(0);
    this.pairs.fill(0);
    /** The place in the query of the word before, and whether it is there as written. */
    let place = 0;
    let written = false;
    for (let i = from; i < to; i++) {
      const form = forms[i] ?? 0;
      const exactly = formPlaces[form] ?? 0;
      const stem = stems[form] ?? 0;
      const roughly = stemPlaces[stem] ?? 0;
      if (exactly === 0 && roughly === 0) {
        place = 0;
        continue;
      }
      if (exactly !== 0) this.words[exactly - 1] = 1;
      const next = place === 0 ? undefined : this.#query[place];
      const follows = next === undefined ? false : next.form === form || next.stem === stem;
      if (follows) {
        const value = written && next?.form === form ? 1 : EXACTNESS.byStem;
        if (value > (this.pairs[place - 1] ?? 0)) this.pairs[place - 1] = value;
        place++;
        written = next?.form === form;
        if (written) this.words[place - 1] = 1;
      } else {
        place = exactly || roughly;
        written = exactly !== 0;
      }
    }
  }
}
