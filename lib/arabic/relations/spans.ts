import { ARGUMENT_ROLES, EVENT_TYPES } from "../../contract/lexicon.ts";
import type { EventType } from "../../contract/mod.ts";
import { type ReWord, wordAt } from "./words.ts";

/** A run of words: from the first to behind the last. */
export type WordSpan = { from: number; to: number };

/** Holds what is asked of the words around a trigger: its place and the type of its event. */
export type Trigger = { place: number; type: EventType };

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
