import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { at, BoundedMap, SpanTable } from "../std/mod.ts";
import { BARE, type WordTerms } from "./word-terms.ts";

/** Stems of the other language for a stem, with shares that sum to one at most. */
export type Translations = readonly { stem: string; share: number }[];

/** An expression that words begin with: how many words it takes, and the stems that it is in the other language. */
type Expression = { length: number; stems: readonly string[] };

/** Translations between Arabic and English by stems, as `lib/text` makes them, in both directions at once. */
export type Dictionary = {
  /**
   * Returns what a stem is in the other language, or an Arabic word without article after {@link BARE}, the likeliest
   * first; empty for one that is not there.
   */
  options(stem: string): Translations;
  /** Returns what a word is: by its form, where the dictionary tells that from its stem, else by its stem. */
  translationsOf(word: WordTerms): Translations;
  /** The longest expression that these stems begin with. */
  expressionAt(stems: readonly string[]): Expression | undefined;
};

/** Translations into Arabic that are kept: an English word has many, most of them of other meanings. */
const MAX_TRANSLATIONS = 8;
const MIN_TRANSLATION_SHARE = 0.02;

/** Stems whose translations are cached. */
const CACHED_OPTIONS = 16_384;

/** Words of the longest expression. */
const MAX_EXPRESSION_WORDS = 6;

/**
 * Makes the dictionary of two tables. A line of `words` is an Arabic stem, ten times the natural logarithm of one more
 * than its count in the news, and English stems, each with its share in hundredths, as `lake:96`; fields are parted by
 * tabs. A line that begins with {@link BARE} is of one word of a stem alone, and for Arabic queries only. A line of
 * `expressions` is Arabic stems, a tab, English stems. Every thread that searches makes one: a line is taken apart when
 * somebody asks for a word of it.
 */
export function createDictionary(words: string, expressions: string): Dictionary {
  const byArabic = new SpanTable(words);
  const byEnglish = new SpanTable(words);
  const named: { english: number; at: number }[] = [];
  for (let line = 0; line < words.length; line = endOfLine(words, line) + 1) {
    const end = endOfLine(words, line);
    const afterStem = words.indexOf("\t", line);
    const options = words.indexOf("\t", afterStem + 1) + 1;
    if (afterStem < 0 || options === 0 || options >= end) continue;
    byArabic.add(line, afterStem);
    if (words.startsWith(BARE, line)) continue;
    for (let start = options; start < end; ) {
      const space = words.indexOf(" ", start);
      const endOfOption = space < 0 || space > end ? end : space;
      const english = byEnglish.add(start, words.lastIndexOf(":", endOfOption));
      named.push({ english, at: start });
      start = endOfOption + 1;
    }
  }
  const placesOf = grouped(named, byEnglish.size);
  const read = new BoundedMap<string, Translations>(CACHED_OPTIONS);
  const bySequence = new Map<string, string[]>();
  for (const line of expressions.split("\n")) {
    const [arabic = "", english = ""] = line.split("\t");
    if (english === "") continue;
    for (const [from, to] of [
      [arabic, english],
      [english, arabic],
    ] as const) {
      const known = bySequence.get(from) ?? [];
      bySequence.set(from, [...known, ...to.split(" ").filter((stem) => !known.includes(stem))]);
    }
  }
  const optionsOf = (stem: string): Translations => {
    const known = read.get(stem);
    if (known !== undefined) return known;
    const english = byEnglish.find(stem);
    const arabic = byArabic.find(stem);
    const options =
      english >= 0
        ? intoArabic(Array.from(placesOf(english), (place) => optionAt(words, place)))
        : arabic >= 0
          ? optionsIn(words.slice(byArabic.endOf(arabic), endOfLine(words, byArabic.endOf(arabic))))
          : [];
    if (options.length > 0) read.set(stem, options);
    return options;
  };
  return {
    options: optionsOf,
    translationsOf({ stems, lemmas: [bare = ""] }) {
      if (stems.length !== 1) return [];
      const own = bare.startsWith(BARE) ? optionsOf(bare) : [];
      return own.length > 0 ? own : optionsOf(at(stems, 0));
    },
    expressionAt(stems) {
      for (let length = Math.min(MAX_EXPRESSION_WORDS, stems.length); length > 0; length--) {
        const found = bySequence.get(stems.slice(0, length).join(" "));
        if (found !== undefined) return { length, stems: found };
      }
      return undefined;
    },
  };
}

/** Returns where the line of a text that begins at `start` ends. */
function endOfLine(text: string, start: number): number {
  const end = text.indexOf("\n", start);
  return end < 0 ? text.length : end;
}

/** Returns what gives the places that name each of `count` stems, in order. */
function grouped(named: readonly { english: number; at: number }[], count: number): (english: number) => Uint32Array {
  const ends = new Uint32Array(count + 1);
  for (const { english } of named) ends[english + 1] = (ends[english + 1] ?? 0) + 1;
  for (let i = 1; i <= count; i++) ends[i] = (ends[i] ?? 0) + (ends[i - 1] ?? 0);
  const next = ends.slice();
  const places = new Uint32Array(named.length);
  for (const { english, at } of named) {
    const place = next[english] ?? 0;
    places[place] = at;
    next[english] = place + 1;
  }
  return (english) => places.subarray(ends[english], ends[english + 1]);
}

/** Returns the options of a line, from the tab behind its stem on. */
function optionsIn(line: string): { stem: string; share: number }[] {
  return line
    .slice(line.indexOf("\t", 1) + 1)
    .split(" ")
    .map((option) => {
      const colon = option.lastIndexOf(":");
      return { stem: option.slice(0, colon), share: Number(option.slice(colon + 1)) / 100 };
    });
}

/** Returns the Arabic stem in whose line an option stands at `place`, and how often it means that one in the news. */
function optionAt(words: string, place: number): { stem: string; share: number } {
  const line = words.lastIndexOf("\n", place) + 1;
  const afterStem = words.indexOf("\t", line);
  const logarithm = Number(words.slice(afterStem + 1, words.indexOf("\t", afterStem + 1)));
  const space = words.indexOf(" ", place);
  const end = Math.min(space < 0 ? words.length : space, endOfLine(words, place));
  const share = Number(words.slice(words.lastIndexOf(":", end) + 1, end)) / 100;
  return { stem: words.slice(line, afterStem), share: share * Math.exp(logarithm / 10) };
}

/** Weighs the stems that mean an English one, by how often each does. */
function intoArabic(counted: readonly { stem: string; share: number }[]): Translations {
  const sum = counted.reduce((total, { share }) => total + share, 0);
  return counted
    .map(({ stem, share }) => ({ stem, share: share / sum }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_TRANSLATIONS)
    .filter(({ share }) => share >= MIN_TRANSLATION_SHARE);
}

const LEXICON = new URL("../../nlp/lexicon/", import.meta.url);
let loaded: Dictionary | undefined;

/** The dictionary that ships with the product; read at the first call. */
export function sharedDictionary(): Dictionary {
  const read = (name: string) => readFileSync(new URL(name, LEXICON), "utf8");
  loaded ??= createDictionary(read("translations.tsv"), read("expressions.tsv"));
  return loaded;
}
