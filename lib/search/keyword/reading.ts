import { BoundedMap } from "../../std/mod.ts";
import {
  forEachSearchWord,
  isStopWord,
  parseQuery,
  sharedDictionary,
  type WordTerms,
  wordTermsAt,
} from "../../text/mod.ts";
import { scriptOf } from "../translate/translate.ts";
import type { Projection } from "./projection.ts";
import { type Guess, type Lookup, QueryContext } from "./context.ts";
import { kthLargest } from "./top.ts";
import type { LexiconNumbers, TermNumbers } from "./words.ts";
import { isTranslated } from "./cross-language.ts";
import type { QueryWord } from "./exact-match.ts";
import { correctionsOf, isCorrectable } from "./corrections.ts";
import { wordsOf } from "./query.ts";
import type { Correction, OtherReading, ReadableQuery } from "./types.ts";
import { frequencyTable, inverseFrequency, type TermGroup } from "./score.ts";

/** Completions that are given. */
const MAX_COMPLETIONS = 48;
/** Words that begin alike and are looked at, the most frequent first. */
const MAX_ALIKE = 4_000;
/** Weight of how often a completion is used, beside how often it stands with the other words of the query. */
const FREQUENCY_WEIGHT = 0.05;
/** Times that a word which is begun counts more where it is whole already. */
const WHOLE_WEIGHT = 3;

/** Beginnings whose completions are cached, until one in fifty documents has changed. */
const CACHED_BEGINNINGS = 2_000;
const CHANGED_SHARE = 1 / 50;

/** Words that begin alike: their forms, and of each stem that documents hold its most likely form. */
type Begun = {
  changes: number;
  forms: readonly number[];
  stems: readonly { stem: number; form: number; gain: number }[];
};
const cached = new WeakMap<Projection, BoundedMap<string, Begun>>();

/** Returns the words that one which is only begun may become, likeliest first, and all forms that begin so. */
function completionsOf(
  word: string,
  { projection, numbers, context }: Lookup,
): { guesses: Guess[]; forms: readonly number[] } {
  const { forms, stems } = begunWith(word, projection, numbers);
  const { vocabulary } = projection;
  const total = stems.reduce((sum, { gain }) => sum + gain, 0) || 1;
  const beside = context.isEmpty ? new Map<number, number>() : context.stemsBeside(forms);
  const together = stems.reduce((sum, { stem }) => sum + (beside.get(stem) ?? 0), 0);
  const whole = vocabulary.stems[numbers.form({ form: word })] ?? 0;
  const weights = Float64Array.from(stems, ({ stem, gain }) => {
    const share =
      together === 0 ? gain / total : (beside.get(stem) ?? 0) / together + (FREQUENCY_WEIGHT * gain) / total;
    return stem === whole ? share * WHOLE_WEIGHT : share;
  });
  const least = stems.length > MAX_COMPLETIONS ? kthLargest(weights.slice(), MAX_COMPLETIONS) : 0;
  const given = stems
    .map(({ stem, form }, i) => ({ stem, form, weight: weights[i] ?? 0 }))
    .filter(({ weight }) => weight >= least)
    .sort((a, b) => b.weight - a.weight || a.form - b.form)
    .slice(0, MAX_COMPLETIONS);
  const sum = given.reduce((all, { weight }) => all + weight, 0) || 1;
  const guesses = given.map(({ stem, form, weight }) => {
    return { form, stem, text: numbers.text(form) ?? "", share: weight / sum };
  });
  return { guesses, forms };
}

const ARTICLE = "ال";
/** A word that begins so with another article than it is begun with counts so much less. */
const OTHER_ARTICLE_WEIGHT = 0.3;

function begunWith(prefix: string, projection: Projection, numbers: LexiconNumbers): Begun {
  let known = cached.get(projection);
  if (known === undefined) {
    known = new BoundedMap(CACHED_BEGINNINGS);
    cached.set(projection, known);
  }
  const before = known.get(prefix);
  const stale = before === undefined || projection.changes - before.changes > CHANGED_SHARE * projection.count;
  if (!stale) return before;
  const begun = beginAnew(prefix, projection, numbers);
  known.set(prefix, begun);
  return begun;
}

function beginAnew(
  prefix: string,
  { documents, uses, vocabulary, changes }: Projection,
  numbers: LexiconNumbers,
): Begun {
  const likeliest = new Map<number, { form: number; gain: number }>();
  const forms: number[] = [];
  const visit = (form: number, penalty: number): void => {
    const stem = vocabulary.stems[form] ?? 0;
    const gain = (uses[form] ?? 0) * penalty;
    if (gain === 0 || (documents[stem] ?? 0) === 0) return;
    forms.push(form);
    if (gain > (likeliest.get(stem)?.gain ?? 0)) likeliest.set(stem, { form, gain });
  };
  numbers.beginning(prefix, (form) => visit(form, 1));
  if (scriptOf(prefix) === "arabic") {
    const other = withOtherArticle(prefix);
    if (other !== "") numbers.beginning(other, (form) => visit(form, OTHER_ARTICLE_WEIGHT));
  }
  const stems = [...likeliest]
    .sort(([, a], [, b]) => b.gain - a.gain)
    .slice(0, MAX_ALIKE)
    .filter(([, { form }]) => !isStopWord(numbers.text(form) ?? ""))
    .map(([stem, { form, gain }]) => ({ stem, form, gain }));
  const kept = new Set(stems.map(({ stem }) => stem));
  return { changes, stems, forms: forms.filter((form) => kept.has(vocabulary.stems[form] ?? 0)) };
}

/** Returns an Arabic beginning with the article where it has none, and without it where enough is left of it. */
function withOtherArticle(prefix: string): string {
  if (!prefix.startsWith(ARTICLE)) return ARTICLE + prefix;
  return prefix.length > ARTICLE.length + 1 ? prefix.slice(ARTICLE.length) : "";
}

/** Words of a query that are looked at: each costs about a millisecond at most. */
const MAX_GUESSES = 6;

/**
 * A word of a query for which others stand, likeliest first; their shares sum to one at most. `isHeld`: the word as it
 * is written is in the index too, or a name of the other language there sounds like it, and counts as before.
 */
type GuessedWord = {
  stem: number;
  isHeld: boolean;
  guesses: readonly Guess[];
  /** Of a word that is only begun: all forms that begin so, any of which is it as written. */
  forms?: readonly number[];
};

/** A query as it is read: its text with the likeliest guesses in place, all of them, and what else it may say. */
export type ReadQuery = {
  text: string;
  guessed: readonly GuessedWord[];
  corrections: Correction[];
  others: readonly OtherReading[];
};

/** Further readings that are given, and the least that one counts beside the likeliest. */
const MAX_OTHERS = 3;
const LEAST_OTHER = 0.3;

/** A word of a query where it stands. */
type Occurrence = { start: number; end: number; terms: WordTerms; form: number; stem: number };

const latest = new WeakMap<Projection, BoundedMap<string, ReadQuery & { changes: number }>>();
const CACHED_QUERIES = 32;

/**
 * Reads a query as its writer may have meant it: typing errors, and a last word that is only begun. The latest are
 * cached, since a search by words and one by meaning ask for the same.
 */
export function readQuery(
  { text, typos = "off", prefix = false }: ReadableQuery,
  projection: Projection,
  numbers: TermNumbers,
): ReadQuery {
  const asIs: ReadQuery = { text, guessed: [], corrections: [], others: [] };
  if ((typos === "off" && !prefix) || !hasLexicon(numbers) || projection.count === 0) return asIs;
  let cached = latest.get(projection);
  if (cached === undefined) {
    cached = new BoundedMap(CACHED_QUERIES);
    latest.set(projection, cached);
  }
  const key = `${typos} ${prefix} ${text}`;
  const known = cached.get(key);
  if (known?.changes === projection.changes) return known;
  const read = readAnew({ text, typos, prefix }, projection, numbers);
  cached.set(key, { ...read, changes: projection.changes });
  return read;
}

function hasLexicon(numbers: TermNumbers): numbers is LexiconNumbers {
  return numbers.near !== undefined && numbers.text !== undefined;
}

function readAnew(
  { text, typos, prefix }: Required<ReadableQuery>,
  projection: Projection,
  numbers: LexiconNumbers,
): ReadQuery {
  const occurrences = freeWords(text, numbers);
  const telling = occurrences.filter(({ terms }) => !terms.stop);
  const last = prefix ? lastBegun(text, occurrences) : undefined;
  const guessed: GuessedWord[] = [];
  const corrections: Correction[] = [];
  const places: Replacement[] = [];
  const unsure: { occurrence: Occurrence; guesses: readonly Guess[]; isHeld: boolean }[] = [];
  const contextOf = (word: Occurrence) => new QueryContext(projection, othersThan(word, telling));
  const completed = last && completionsOf(last.terms.form, { projection, numbers, context: contextOf(last) });
  const [likeliest] = completed?.guesses ?? [];
  for (const occurrence of telling.slice(0, MAX_GUESSES)) {
    const { terms, form, stem } = occurrence;
    const isBegun = occurrence === last && likeliest !== undefined;
    if (typos === "off" || isBegun || !isCorrectable(terms, form, projection)) continue;
    const isHeld = (projection.uses[form] ?? 0) > 0;
    // A word of the other language is no typing error.
    const isKnownStem = (projection.documents[stem] ?? 0) > 0;
    const translated = isKnownStem ? undefined : isTranslated(terms.form, projection, numbers);
    if (translated === "word") continue;
    const isWord = sharedDictionary().options(terms.stems[0] ?? "").length > 0;
    const context = contextOf(occurrence);
    // Nothing tells whether a word that stands alone is a name of the other language or a slip: it is both.
    const isBoth = translated === "name" && context.isEmpty;
    const isName = translated === "name" && !isBoth;
    const guesses = correctionsOf(occurrence, { projection, numbers, context, isName, isWord });
    const [best] = guesses;
    if (best === undefined) continue;
    const isKept = isHeld || isBoth;
    guessed.push({ stem, isHeld: isKept, guesses });
    unsure.push({ occurrence, guesses, isHeld: isKept });
    corrections.push({
      word: text.slice(occurrence.start, occurrence.end),
      readAs: guesses.map((guess) => guess.text),
    });
    if (!isKept) places.push({ ...occurrence, text: best.text });
  }
  if (last !== undefined && completed !== undefined && likeliest !== undefined) {
    const isHeld = (projection.uses[last.form] ?? 0) > 0;
    guessed.push({ stem: last.stem, isHeld, ...completed });
    unsure.push({ occurrence: last, guesses: completed.guesses, isHeld: false });
    if (likeliest.text !== last.terms.form) places.push({ ...last, text: likeliest.text });
  }
  const others = unsure.length === 1 ? unsure.flatMap((word) => othersOf(text, places, word)) : [];
  return { text: replaced(text, places), guessed, corrections, others };
}

/** Returns the query with other guesses in the place of a word, each with what it counts beside the likeliest. */
function othersOf(
  text: string,
  places: readonly Replacement[],
  { occurrence, guesses, isHeld }: { occurrence: Occurrence; guesses: readonly Guess[]; isHeld: boolean },
): OtherReading[] {
  const best = isHeld ? 1 : (guesses[0]?.share ?? 1);
  const rest = places.filter(({ start }) => start !== occurrence.start);
  return guesses
    .slice(isHeld ? 0 : 1, MAX_OTHERS + 1)
    .map((guess) => ({
      text: replaced(text, [...rest, { ...occurrence, text: guess.text }]),
      share: guess.share / best,
    }))
    .filter(({ share }) => share >= LEAST_OTHER);
}

/**
 * Returns what the guesses of a query add to it: for each word a group of the terms that are not in its text already.
 * A group weighs what its terms weigh on average, as likely as they are.
 */
export function guessedGroups(
  guessed: readonly GuessedWord[],
  { documents, count }: Projection,
  { title, content }: { title: number; content: number },
): TermGroup[] {
  return guessed.flatMap(({ stem, isHeld, guesses }) => {
    const others = guesses.filter((guess, i) => guess.stem !== stem && (isHeld || i > 0));
    const best = Math.max(...others.map(({ share }) => share));
    const sum = others.reduce((all, { share }) => all + share, 0);
    if (others.length === 0) return [];
    const weight = others.reduce(
      (all, guess) => all + (guess.share / sum) * inverseFrequency(count, documents[guess.stem] ?? 0),
      0,
    );
    const terms = others.map((guess) => ({ term: guess.stem, share: guess.share / best }));
    return [{ terms, weight: weight * sum, frequencies: frequencyTable(title, content) }];
  });
}

/** Returns the words of a read query, those that are misspelt or begun with what else they may be. */
export function withForms(words: readonly QueryWord[], guessed: readonly GuessedWord[]): QueryWord[] {
  const open = guessed.filter(({ forms, isHeld }) => forms !== undefined || !isHeld);
  return words.map((word, i) => {
    const isLast = i === words.length - 1;
    const read = open.find(({ forms, guesses }) => (forms ? isLast : guesses[0]?.stem === word.stem));
    return read === undefined ? word : { ...word, forms: read.forms, stems: read.guesses.map(({ stem }) => stem) };
  });
}

/** Returns the words of a query that are neither quoted nor excluded, in order. */
function freeWords(text: string, numbers: LexiconNumbers): Occurrence[] {
  const { phrases, excluded, others } = parseQuery(text);
  const bound = new Set(
    [...phrases, ...excluded.phrases, ...excluded.words].flatMap((each) => wordsOf(each).map(({ form }) => form)),
  );
  const free = new Set(wordsOf(others).map(({ form }) => form));
  const occurrences: Occurrence[] = [];
  forEachSearchWord(text, (start, end) => {
    const terms = wordTermsAt(text, start, end);
    if (!free.has(terms.form) || bound.has(terms.form)) return;
    occurrences.push({ start, end, terms, form: numbers.form(terms), stem: numbers.term(terms.stems[0] ?? "") });
  });
  return occurrences;
}

/** Returns the last word, where nothing that ends a word stands behind it. */
function lastBegun(text: string, occurrences: readonly Occurrence[]): Occurrence | undefined {
  const last = occurrences.at(-1);
  const isLast = last !== undefined && last.end === text.trimEnd().length && scriptOf(last.terms.form) !== undefined;
  return isLast && last.terms.stems.length === 1 ? last : undefined;
}

function othersThan(word: Occurrence, words: readonly Occurrence[]): number[] {
  return words.filter((other) => other !== word && other.stem !== word.stem).map(({ stem }) => stem);
}

/** Holds what stands in a place of a query instead. */
type Replacement = { start: number; end: number; text: string };

function replaced(text: string, places: readonly Replacement[]): string {
  let result = "";
  let from = 0;
  for (const place of places.toSorted((a, b) => a.start - b.start)) {
    result += text.slice(from, place.start) + place.text;
    from = place.end;
  }
  return result + text.slice(from);
}
