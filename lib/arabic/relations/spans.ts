import { ARGUMENT_ROLES, EVENT_TYPES } from "../../contract/lexicon.ts";
import type { EventType } from "../../contract/mod.ts";
import { BoundedMap } from "../../std/mod.ts";
import { hashOf } from "../tokens.ts";
import {
  type Beginning,
  beginningFeatures,
  beginningOf,
  kindFeatures,
  type Kinds,
  kindsOf,
  ownFeatures,
  pathFeature,
  type Trigger,
  typeFeatures,
  type Way,
  wayFeatures,
  wayTo,
  type WordSpan,
} from "./span-features.ts";
import { type ReWord, wordAt } from "./words.ts";

/** Words around a trigger among which its arguments are looked for, either way. */
export const REACH = 40;
/** Words of an argument at most. */
export const MAX_ARGUMENT_WORDS = 9;

/** Returns the runs of words that can be an argument of an event. */
export function spansOf(words: readonly ReWord[], place: number): WordSpan[] {
  const spans: WordSpan[] = [];
  const last = Math.min(words.length, place + REACH + 1);
  for (let from = Math.max(0, place - REACH); from < last; from++) {
    if (!canBegin(wordAt(words, from))) continue;
    let open = "";
    for (let to = from + 1; to <= Math.min(last, from + MAX_ARGUMENT_WORDS); to++) {
      const word = wordAt(words, to - 1);
      if (to - 1 === place || word.form === "،" || word.form === "؛") break;
      const closes = open !== "" && word.token === open;
      if (closes) open = "";
      else if (QUOTES.has(word.token)) open = QUOTES.get(word.token) ?? "";
      else if (CLOSING.has(word.token)) break;
      if (open === "" && (closes || canEnd(word))) spans.push({ from, to });
    }
  }
  return spans;
}

/** Signs that open a quotation or a bracket, with those that close it. */
const QUOTES = new Map(Object.entries({ "«": "»", "“": "”", '"': '"', "(": ")", "[": "]" }));
const CLOSING = new Set(QUOTES.values());

const canBegin = ({ pos }: ReWord): boolean => pos !== "PUNCT" && pos !== "SCONJ";
const canEnd = ({ pos, fine }: ReWord): boolean =>
  pos !== "PUNCT" && pos !== "SCONJ" && !(pos === "ADP" && fine === "prep");

/** A table of weights: a row for the lower bits of a feature's hash, a column for each label. */
export type Table = Float32Array | Int8Array;

/** Labels of a word: none, then the types of events in their order; and those of a span. */
export const TYPES = EVENT_TYPES.length + 1;
export const ROLES = ARGUMENT_ROLES.length;

/** Tells where the row of a feature begins. */
export function rowOf(feature: number, table: Table, labels: number): number {
  return (feature & (table.length / labels - 1)) * labels;
}

/** Returns the sum of weights of each label. */
export function scoresOf(features: Uint32Array, table: Table, labels: number, scale: number): Float64Array {
  const scores = new Float64Array(labels);
  for (const feature of features) {
    const row = rowOf(feature, table, labels);
    for (let label = 0; label < labels; label++) scores[label] = (scores[label] ?? 0) + (table[row + label] ?? 0);
  }
  return scores.map((each) => each * scale);
}

/** The scores of spans in each role, side by side: `scores[span * roles + role]`. */
export type SpanScores = { spans: readonly WordSpan[]; scores: Float64Array };

/** Returns the scores of spans by their features. */
export function spanScores(
  spans: readonly WordSpan[],
  features: readonly Uint32Array[],
  table: Table,
  scale: number,
): SpanScores {
  const scores = new Float64Array(spans.length * ROLES);
  for (const [i, each] of features.entries()) scores.set(scoresOf(each, table, ROLES, scale), i * ROLES);
  return { spans, scores };
}

/** A sum of weights for each role. */
type Sums = Float64Array;

/** Holds what is kept of a run of words for the next trigger. */
type SpanMemo = {
  beginning: Beginning;
  kinds: Kinds;
  /** All that features ask of the beginning and the kinds, in one. */
  likeness: string;
  own: Sums;
  /** Its own sums and those with the type of an event. */
  byType: Map<EventType, Sums>;
};

/** Holds what is kept, while a trigger is read, for runs of words that lie to it alike. */
type WayMemo = { way: Way; byPreposition: Map<string, Sums>; byLikeness: Map<string, Sums> };

/** Runs of words of which something is kept: four times as many as lie about a trigger. */
const CACHED_SPANS = 4 * (2 * REACH + 1) * MAX_ARGUMENT_WORDS;

/**
 * Makes what scores runs of words of a sentence as arguments of a trigger. The scores are those of their
 * `spanFeatures`; what does not depend on the trigger, or is the same for many runs of words, is added up once: a dense
 * text has hundreds of runs about each of thousands of triggers.
 */
export function createSpanScorer(
  words: readonly ReWord[],
  table: Table,
  scale: number,
): (trigger: Trigger, spans: readonly WordSpan[]) => SpanScores {
  const spanMemos = new BoundedMap<number, SpanMemo>(CACHED_SPANS);

  const sumsOf = (features: readonly string[], onto?: Sums): Sums => {
    const sums = onto === undefined ? new Float64Array(ROLES) : Float64Array.from(onto);
    for (const feature of features) {
      const row = rowOf(hashOf(feature), table, ROLES);
      for (let role = 0; role < ROLES; role++) sums[role] = (sums[role] ?? 0) + (table[row + role] ?? 0);
    }
    return sums;
  };

  const lookAt = (span: WordSpan): SpanMemo => {
    const key = span.from * (MAX_ARGUMENT_WORDS + 1) + span.to - span.from;
    let memo = spanMemos.get(key);
    if (memo === undefined) {
      const beginning = beginningOf(words, span.from);
      const kinds = kindsOf(words, span);
      const own = sumsOf(ownFeatures(words, span, beginning));
      memo = { beginning, kinds, likeness: likenessOf(beginning, kinds), own, byType: new Map() };
      spanMemos.set(key, memo);
    }
    return memo;
  };

  return ({ place, type }, spans) => {
    const trigger = wordAt(words, place);
    const alike = new Map<string, WayMemo>();
    // By where the words between a run of words and the trigger begin or end.
    const ways = new Map<number, { memo: WayMemo; path: Sums }>();
    const wayOf = (span: WordSpan): { memo: WayMemo; path: Sums } =>
      remember(ways, span.from > place ? span.from : span.to, () => {
        const way = wayTo(words, place, span);
        const made = (): WayMemo => ({ way, byPreposition: new Map(), byLikeness: new Map() });
        return { memo: remember(alike, `${way.order} ${way.gap}`, made), path: sumsOf([pathFeature(way)]) };
      });
    const sumsOfWay = ({ way, byPreposition }: WayMemo, { beginning, kinds }: SpanMemo): Sums => {
      const { preposition } = beginning;
      const view = { trigger, type, way };
      const features = [...beginningFeatures(view, beginning), ...kindFeatures(view, kinds)];
      return sumsOf(
        features,
        remember(byPreposition, preposition, () => sumsOf(wayFeatures(view, preposition))),
      );
    };
    const scores = new Float64Array(spans.length * ROLES);
    spans.forEach((span, i) => {
      const look = lookAt(span);
      const { memo, path } = wayOf(span);
      const { beginning, likeness, own, byType } = look;
      const ofSpan = remember(byType, type, () => sumsOf(typeFeatures(words, { type, span, beginning }), own));
      const ofWay = remember(memo.byLikeness, likeness, () => sumsOfWay(memo, look));
      for (let role = 0; role < ROLES; role++) {
        scores[i * ROLES + role] = ((ofSpan[role] ?? 0) + (ofWay[role] ?? 0) + (path[role] ?? 0)) * scale;
      }
    });
    return { spans, scores };
  };
}

/** Returns the value of a key, made where there is none. */
function remember<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}

/** Returns all that `wayFeatures`, `beginningFeatures` and `kindFeatures` ask of a run of words, in one. */
function likenessOf({ first, before, preposition, cases }: Beginning, kinds: Kinds): string {
  const asked = [
    first.pos,
    first.gender,
    first.hasArticle,
    before.pos,
    before.hasArticle,
    preposition,
    cases,
    ...kinds,
  ];
  return asked.join(" ");
}
