import { at } from "../std/mod.ts";
import { lettersOf } from "./likely-words.ts";
import { type WordTerms, wordTermsAt } from "./word-terms.ts";
import { forEachSearchWord } from "./search-words.ts";

/** Characters of a text that are looked at; what lies beyond is not highlighted. */
const LOOKED_AT = 50_000;

/** Longer words are not marked. */
const LONGEST_MARK = 100;

/** The words of a text in columns: where each begins and ends, and its letters as `lettersOf` has them. */
export type ScannedWords = {
  starts: Uint16Array;
  ends: Uint16Array;
  letters: Int32Array;
  /** The terms of those that were asked for. */
  terms: (WordTerms | undefined)[];
};

/** A text whose words are looked for once, for all the queries that it is highlighted for. */
export class ScannedText {
  readonly text: string;
  #words: ScannedWords | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Those of the first 50,000 characters that may be marked: 16 bytes each, kept with the text. */
  get words(): ScannedWords {
    this.#words ??= scan(this.text);
    return this.#words;
  }

  /** The terms of one of the words. */
  termsOf(word: number): WordTerms {
    const { starts, ends, terms } = this.words;
    const known = terms[word];
    if (known !== undefined) return known;
    const made = wordTermsAt(this.text, at(starts, word), at(ends, word));
    terms[word] = made;
    return made;
  }
}

/** What the words of one text are gathered in. */
const starts = new Uint16Array(LOOKED_AT);
const ends = new Uint16Array(LOOKED_AT);
const letters = new Int32Array(LOOKED_AT);

function scan(text: string): ScannedWords {
  const looked = text.length > LOOKED_AT ? text.slice(0, LOOKED_AT) : text;
  let count = 0;
  forEachSearchWord(looked, (start, end) => {
    if (end - start > LONGEST_MARK) return;
    starts[count] = start;
    ends[count] = end;
    letters[count++] = lettersOf(text, start, end);
  });
  return {
    starts: starts.slice(0, count),
    ends: ends.slice(0, count),
    letters: letters.slice(0, count),
    terms: Array.from({ length: count }),
  };
}
