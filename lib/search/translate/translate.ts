import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { abortable, at, BoundedMap, SpanTable } from "../../std/mod.ts";
import {
  BARE,
  opensAlike,
  parseQuery,
  type QueryWord,
  queryWords,
  romanised,
  soundDistance,
  type WordTerms,
} from "../../text/mod.ts";
import type { QueryReading, ReadableQuery } from "../keyword/types.ts";

/** A script, which stands for the language written in it. */
export type Script = "arabic" | "latin";

/** What a word of a query is in the other language: stems that mean the same, any of which is as good as it. */
export type Translation = {
  /** How much it counts: how often the query has the word, at most {@link MOST}. */
  weight: number;
  options: Options;
  /** The word in normal form where it may be a name, to be looked for as it sounds; undefined in an expression. */
  name: string | undefined;
};

/** A word that a query repeats counts so often at most. */
const MOST = 3;

/** What each word counts that an expression is translated with, and each word of the expression by itself. */
const WHOLE = 0.6;
const PART = 0.45;

const ARABIC = /\p{Script=Arabic}/u;
const LATIN = /\p{Script=Latin}/u;

/** The script of a word in normal form; undefined for numbers and other scripts. */
export function scriptOf(form: string): Script | undefined {
  return ARABIC.test(form) ? "arabic" : LATIN.test(form) ? "latin" : undefined;
}

/** The words of a query that may be translated: what is quoted or excluded never is, nor are stop words. */
export function translatableWords(query: string): QueryWord[] {
  return queryWords(parseQuery(query).others).filter(({ terms }) => !terms.stop);
}

/**
 * Translates those of the words of a query ({@link translatableWords}) that are in one script, one by one and, where
 * the dictionary has them, as expressions.
 */
export function translate(
  query: readonly QueryWord[],
  from: Script,
  { options, expressionAt }: Dictionary,
): Translation[] {
  const words = query.filter(({ terms }) => scriptOf(terms.form) === from);
  const stems = words.map(({ terms }) => terms.stems[0] ?? "");
  const translations: Translation[] = [];
  /** Words up to this place belong to an expression. */
  let covered = 0;
  for (const [place, { terms, count }] of words.entries()) {
    const expression = place < covered ? undefined : expressionAt(stems.slice(place));
    if (expression !== undefined) {
      covered = place + expression.length;
      for (const stem of expression.stems) {
        translations.push({ weight: WHOLE, options: [{ stem, share: 1 }], name: undefined });
      }
    }
    const weight = Math.min(count, MOST) * (place < covered ? PART : 1);
    translations.push({ weight, options: optionsOf(terms, options), name: place < covered ? undefined : terms.form });
  }
  return translations.filter(({ options, name }) => options.length > 0 || name !== undefined);
}

/** What a word is in the other language: its form, where the dictionary tells it from its stem, else its stem. */
function optionsOf({ stems, lemmas: [bare = ""] }: WordTerms, of: Dictionary["options"]): Options {
  if (stems.length !== 1) return [];
  const own = bare.startsWith(BARE) ? of(bare) : [];
  return own.length > 0 ? own : of(at(stems, 0));
}

/** The vector of a query, of length 1. */
type Embed = (query: ReadableQuery, signal: AbortSignal) => Promise<Float32Array>;

/** Vectors of texts, in order, each of length 1. */
type EmbedAll = (texts: readonly string[], signal: AbortSignal) => Promise<Float32Array[]>;

/** What the vector of a query's translation counts beside that of the query; chosen on `eval --task cross`. */
const SHARE = 1;
/** How long a translation is waited for, in milliseconds: it is a help, and what gives it may be away. */
const TRANSLATION_MS = 2_000;

/**
 * Embeds queries as they are read, each moved towards its other readings, by how likely they are, and towards its
 * translation into the other language of the documents. Where
 * `reading` fails or takes too long, the vector is that of the query as it is.
 */
export function embedAcross(
  embed: EmbedAll,
  reading: (query: ReadableQuery) => Promise<QueryReading>,
  { translationMs = TRANSLATION_MS }: { translationMs?: number } = {},
): Embed {
  return async (query, signal) => {
    const asIs: QueryReading = { text: query.text, translation: "" };
    const read = await abortable(reading(query), AbortSignal.timeout(translationMs)).catch(() => asIs);
    const { text, translation, others = [] } = read;
    const parts = [...others, ...(translation === "" ? [] : [{ text: translation, share: SHARE }])];
    const [own, ...rest] = await embed([text, ...parts.map((part) => part.text)], signal);
    if (own === undefined) throw new Error("the embedder returned no vector");
    return rest.reduce((vector, other, i) => towards(vector, other, at(parts, i).share), own);
  };
}

/** Returns the direction of a vector and so much of another one. */
function towards(query: Float32Array, other: Float32Array, share: number): Float32Array {
  const sum = new Float32Array(query.length);
  let squares = 0;
  // Loops take a twentieth of what map() and the spread arguments of Math.hypot() take.
  for (let i = 0; i < sum.length; i++) {
    const value = Math.fround((query[i] ?? 0) + share * (other[i] ?? 0));
    sum[i] = value;
    squares += value * value;
  }
  const length = Math.sqrt(squares);
  if (length === 0) return query;
  for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) / length;
  return sum;
}

/** How far the spelling of a name may be from how a word sounds, and from the nearest spelling. */
const FARTHEST = 0.18;
const BEHIND = 0.06;
/** How fast a spelling counts less the farther it is than the nearest one: half for every fortieth. */
const HALVING = 40;
/** Spellings with a smaller share are left out. */
const LEAST = 0.1;

/** Letters of the shortest spelling that is compared. */
const SHORTEST = 3;

/**
 * Those of `alike`, words in the other script with the same key of sound, and how each sounds ({@link romanised}),
 * that may be spellings of a word in normal form, with how far each is from how the word sounds.
 */
export function spellingsOf<T extends { form: string; sound: string }>(
  word: string,
  alike: readonly T[],
): (T & { distance: number })[] {
  const sound = romanised(word);
  return alike.flatMap((each) => {
    if (each.form.length < SHORTEST || !opensAlike(sound, each.sound)) return [];
    const distance = soundDistance(sound, each.sound, FARTHEST);
    return distance <= FARTHEST ? [{ ...each, distance }] : [];
  });
}

/**
 * The best of spellings, with shares that sum to one at most: nearer ones and those that more documents hold count
 * more.
 */
export function bestNames<T extends { distance: number; holding: number }>(
  near: readonly T[],
): (T & { share: number })[] {
  const least = Math.min(...near.map(({ distance }) => distance));
  const weighed = near
    .filter(({ distance }) => distance <= least + BEHIND)
    .map((each) => ({ ...each, share: 2 ** (-HALVING * (each.distance - least)) * Math.sqrt(each.holding) }));
  const sum = weighed.reduce((total, { share }) => total + share, 0);
  return weighed.map((each) => ({ ...each, share: each.share / sum })).filter(({ share }) => share >= LEAST);
}

/** Stems of the other language for a stem, with shares that sum to one at most. */
type Options = readonly { stem: string; share: number }[];

/** An expression that words begin with: how many words it takes, and the stems that it is in the other language. */
type Expression = { length: number; stems: readonly string[] };

/** Translations between Arabic and English by stems, as `lib/text` makes them, in both directions at once. */
type Dictionary = {
  /**
   * Returns what a stem is in the other language, or an Arabic word without article after {@link BARE}, the likeliest
   * first; empty for one that is not there.
   */
  options(stem: string): Options;
  /** The longest expression that these stems begin with. */
  expressionAt(stems: readonly string[]): Expression | undefined;
};

/** Translations into Arabic that are kept: an English word has many, most of them of other meanings. */
const MAX_TRANSLATIONS = 8;
const MIN_TRANSLATION_SHARE = 0.02;

/** Stems whose translations are cached. */
const CACHED_OPTIONS = 16_384;

/** Words of the longest expression. */
const LONGEST = 6;

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
  const read = new BoundedMap<string, Options>(CACHED_OPTIONS);
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
  return {
    options(stem) {
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
    },
    expressionAt(stems) {
      for (let length = Math.min(LONGEST, stems.length); length > 0; length--) {
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
function intoArabic(counted: readonly { stem: string; share: number }[]): Options {
  const sum = counted.reduce((total, { share }) => total + share, 0);
  return counted
    .map(({ stem, share }) => ({ stem, share: share / sum }))
    .sort((a, b) => b.share - a.share)
    .slice(0, MAX_TRANSLATIONS)
    .filter(({ share }) => share >= MIN_TRANSLATION_SHARE);
}

const LEXICON = new URL("../../../nlp/lexicon/", import.meta.url);
let loaded: Dictionary | undefined;

/** The dictionary that ships with the product; read at the first call. */
export function sharedDictionary(): Dictionary {
  const read = (name: string) => readFileSync(new URL(name, LEXICON), "utf8");
  loaded ??= createDictionary(read("translations.tsv"), read("expressions.tsv"));
  return loaded;
}
