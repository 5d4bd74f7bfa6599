import { BoundedMap } from "../../std/mod.ts";
import type { StoryCandidate, StoryLink, StoryReport, StoryRules, StoryText } from "../../store/mod.ts";
import { compareTexts } from "../copies/overlap.ts";
import { readWords } from "../copies/words.ts";
import { areMarketDays } from "./markets.ts";
import { partition } from "./partition.ts";
import { type Features, keysOf, packTraits, titleStems, type Traits, traitsOf, unpackTraits } from "./traits.ts";
import learned from "./weights.json";

/** An article as it is compared with others. */
export type Report = { lang: string | null; at: number; traits: Traits };

const HOUR_MS = 3_600_000;

/** Measures what two articles have in common, each from 0 to 1, and the `days` between them. */
export type Signals = {
  words: number;
  title: number;
  meaning: number;
  names: number;
  numbers: number;
  days: number;
  /** 1 for articles of one source, else 0. */
  sameSource: number;
  /** Likeness by what the reranker read of their first passages, about -1 to 2; undefined without one of them. */
  read: number | undefined;
};

/** Compares two articles; those of two languages by what is comparable across these. */
export function signalsOf(a: Report, b: Report): Signals {
  const isSame = a.lang === b.lang;
  return {
    words: isSame ? cosine(a.traits.words, b.traits.words) : cosine(a.traits.pivot, b.traits.pivot),
    title: isSame ? cosine(a.traits.title, b.traits.title) : 0,
    meaning: Math.max(0, angle(a.traits.vector, b.traits.vector)),
    names: cosine(a.traits.names, b.traits.names),
    numbers: cosine(a.traits.numbers, b.traits.numbers),
    days: Math.abs(a.at - b.at) / (24 * HOUR_MS),
    sameSource: Number(a.traits.source === b.traits.source),
    read: readLikeness(a.traits.read, b.traits.read),
  };
}

/** Cosine that unrelated passages have in the reranker's eyes, and by how much its small range is stretched. */
const READ_FLOOR = 0.8;
const READ_SCALE = 10;

const readLikeness = (a: Int8Array, b: Int8Array): number | undefined =>
  a.length === 0 || a.length !== b.length ? undefined : (angle(a, b) - READ_FLOOR) * READ_SCALE;

/** Returns the inner product of two lists of features whose weights have length 1. */
function cosine(a: Features, b: Features): number {
  let sum = 0;
  for (let i = 0, j = 0; i < a.hashes.length && j < b.hashes.length; ) {
    const x = a.hashes[i] ?? 0;
    const y = b.hashes[j] ?? 0;
    if (x === y) sum += (a.weights[i++] ?? 0) * (b.weights[j++] ?? 0);
    else if (x < y) i++;
    else j++;
  }
  return Math.min(1, sum);
}

function angle(a: Int8Array, b: Int8Array): number {
  if (a.length === 0 || a.length !== b.length) return 0;
  let sum = 0;
  let squaresA = 0;
  let squaresB = 0;
  for (let i = 0; i < a.length; i++) {
    const x = a[i] ?? 0;
    const y = b[i] ?? 0;
    sum += x * y;
    squaresA += x * x;
    squaresB += y * y;
  }
  return squaresA === 0 || squaresB === 0 ? 0 : sum / Math.sqrt(squaresA * squaresB);
}

/** The terms that are added up, each by its weight. */
export const TERMS = [
  "bias",
  "words",
  "title",
  "meaning",
  "names",
  "numbers",
  "days",
  "sameSource",
  "wordsRoot",
  "titleRoot",
  "wordsSquared",
  "meaningSquared",
  "wordsAndNames",
  "wordsAndMeaning",
  "wordsAndNumbers",
  "titleAndMeaning",
  "meaningAndNames",
  "soon",
  "read",
  "readSquared",
  "readAndWords",
  "readAndNames",
] as const;

/** The value of each term, or its weight. */
type Terms = Record<(typeof TERMS)[number], number>;

/**
 * Holds the weights of the terms in the logarithm of the odds that two articles tell of one event, both Arabic, both of
 * another language, or one of each; apart for pairs that the reranker has read. Learned by `eval/stories/train.ts` on
 * the days of development.
 */
const WEIGHTS: Record<"read" | "unread", Record<"ar" | "en" | "across", Terms>> = learned;

/** Weaker links are not kept. */
export const MIN_LINK = -3;

/** Share of a day after which a report no longer follows at once. */
const SOON_DAYS = 0.25;

/** Returns the logarithm of the odds that two articles, of these languages, tell of one event. */
export function weigh(signals: Signals, one: string | null, other: string | null): number {
  const terms = termsOf(signals);
  const table = WEIGHTS[signals.read === undefined ? "unread" : "read"];
  const weights = one !== other ? table.across : one === "ar" ? table.ar : table.en;
  let sum = 0;
  for (const name of TERMS) sum += weights[name] * terms[name];
  return sum;
}

/** Returns the value of each term. */
export function termsOf({ words, title, meaning, names, numbers, days, sameSource, read = 0 }: Signals): Terms {
  return {
    bias: 1,
    words,
    title,
    meaning,
    names,
    numbers,
    days,
    sameSource,
    wordsRoot: Math.sqrt(words),
    titleRoot: Math.sqrt(title),
    wordsSquared: words ** 2,
    meaningSquared: meaning ** 2,
    wordsAndNames: words * names,
    wordsAndMeaning: words * meaning,
    wordsAndNumbers: words * numbers,
    titleAndMeaning: title * meaning,
    meaningAndNames: meaning * names,
    soon: Math.min(1, days / SOON_DAYS),
    read,
    readSquared: read ** 2,
    readAndWords: read * words,
    readAndNames: read * names,
  };
}

/** Changes whenever traits are made or stored otherwise than before. */
const TRAITS_VERSION = 3;

/** Changes whenever stories are told apart otherwise than before, so that they are told apart anew. */
export const STORIES_VERSION = TRAITS_VERSION * 100 + 3;

/** Share of the words of a revision that its text had before, from which on what was read of that text still holds. */
const SAME_REPORT = 0.4;

/** Returns what an article is compared by; names and passages only while its source tells what they were read of. */
export function reportOf(text: StoryText): StoryReport {
  const traits = traitsOf(isRewritten(text) ? { ...text, entities: [], vectors: [], read: undefined } : text);
  return {
    articleId: text.articleId,
    lang: text.lang,
    at: text.at,
    stems: titleStems(text.title),
    keys: keysOf(traits),
    traits: packTraits(traits),
  };
}

const isRewritten = ({ before, content }: StoryText): boolean =>
  before != null && compareTexts(readWords(content), readWords(before)).overlap < SAME_REPORT;

/** Tells stories apart: the same for articles as they come in and for all that is stored. */
export const STORY_RULES: StoryRules = {
  version: STORIES_VERSION,
  weigh: linksOf,
  part: partition,
};

function linksOf(reports: readonly StoryReport[], candidates: readonly StoryCandidate[]): StoryLink[] {
  const unpacked = new BoundedMap<number, Report>(reports.length + candidates.length);
  const read = ({ articleId, lang, at, traits }: Pick<StoryReport, "articleId" | "lang" | "at" | "traits">): Report => {
    const known = unpacked.get(articleId);
    if (known !== undefined) return known;
    const report = { lang, at, traits: unpackTraits(traits) };
    unpacked.set(articleId, report);
    return report;
  };
  const byId = new Map(reports.map((report) => [report.articleId, report]));
  return candidates.flatMap((candidate) => {
    const report = byId.get(candidate.of);
    if (report === undefined) return [];
    const [one, other] = [read(report), read(candidate)];
    if (areMarketDays(headlineOf(one), headlineOf(other))) return [];
    const weight = weigh(signalsOf(one, other), report.lang, candidate.lang);
    return weight < MIN_LINK ? [] : [{ a: candidate.of, b: candidate.articleId, weight }];
  });
}

const headlineOf = ({ at, traits }: Report) => ({ at, stems: traits.title.hashes });
