import { foldToken } from "./fold-token.ts";
import { gramBuckets } from "./grams.ts";
import { shapeOf } from "./shapes.ts";
import { stemRow } from "./stem-row.ts";

/** What the model is given of a token: rows of its table (the word first where it is known, then the n-grams), the row of its
 * stem (0: none), and its shape. */
export type TokenFeatures = { rows: Int32Array; stem: number; shape: number };

/** Tokens remembered with their features; when so many are known, all are forgotten. */
const REMEMBERED = 50_000;
const LONGEST = 64;

/** The words that a tagger knows, and what it is given of any token. */
export interface Vocabulary {
  /** The known words, folded, numbered from the most frequent one, 0. */
  readonly rank: ReadonlyMap<string, number>;
  features(token: string): TokenFeatures;
}

/**
 * The vocabulary over a table whose row 0 is empty, then come `words` (the most frequent first), then `buckets` rows of
 * n-grams.
 */
export function createVocabulary(words: readonly string[], buckets: number): Vocabulary {
  const rank = new Map(words.map((word, i) => [word, i]));
  const known = new Map<string, TokenFeatures>();
  const grams = 1 + words.length;

  const compute = (token: string): TokenFeatures => {
    const word = foldToken(token.length > 4 * LONGEST ? token.slice(0, 4 * LONGEST) : token);
    const row = rank.get(word);
    const rows = gramBuckets(word, buckets).map((bucket) => grams + bucket);
    if (row !== undefined) rows.unshift(row + 1);
    return { rows: Int32Array.from(rows), stem: stemRow(word, rank) + 1, shape: shapeOf(token) };
  };

  const features = (token: string): TokenFeatures => {
    const found = known.get(token);
    if (found !== undefined) return found;
    if (known.size >= REMEMBERED) known.clear();
    const made = compute(token);
    if (token.length <= LONGEST) known.set(token, made);
    return made;
  };
  return { rank, features };
}
