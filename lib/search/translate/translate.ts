import { abortable, at } from "../../std/mod.ts";
import {
  type Dictionary,
  opensAlike,
  parseQuery,
  type QueryWord,
  queryWords,
  romanised,
  soundDistance,
  type Translations,
} from "../../text/mod.ts";
import type { QueryReading, ReadableQuery } from "../keyword/types.ts";

/** A script, which stands for the language written in it. */
export type Script = "arabic" | "latin";

/** What a word of a query is in the other language: stems that mean the same, any of which is as good as it. */
export type Translation = {
  /** How much it counts: how often the query has the word, at most {@link MOST}. */
  weight: number;
  options: Translations;
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
  { translationsOf, expressionAt }: Dictionary,
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
    translations.push({ weight, options: translationsOf(terms), name: place < covered ? undefined : terms.form });
  }
  return translations.filter(({ options, name }) => options.length > 0 || name !== undefined);
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
