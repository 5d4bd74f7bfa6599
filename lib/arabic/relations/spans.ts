import { type ReWord, wordAt } from "./words.ts";

/** Words around a trigger among which its arguments are looked for, either way. */
export const REACH = 40;
/** Words of an argument at most. */
export const LONGEST = 9;

/** A run of words: from the first to behind the last. */
export type WordSpan = { from: number; to: number };

/** The runs of words that can be an argument of an event. */
export function spansOf(words: readonly ReWord[], place: number): WordSpan[] {
  const spans: WordSpan[] = [];
  const last = Math.min(words.length, place + REACH + 1);
  for (let from = Math.max(0, place - REACH); from < last; from++) {
    if (!canBegin(wordAt(words, from))) continue;
    let open = "";
    for (let to = from + 1; to <= Math.min(last, from + LONGEST); to++) {
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
