import { at } from "../../../std/at.ts";
import { createTextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { unigramOf } from "../../tokenizers/unigram-model.ts";
import { features } from "./features.ts";
import type { RerankInput } from "./passage.ts";
import { createReading, type ReadText } from "./read-text.ts";

/**
 * What the matching graph is given: the different tokens of the query and its passages, of which all others are places;
 * the query's different tokens; the passages' tokens in order (rows of `length`, filled up with weight 0), and FEATURES
 * numbers a passage. `importance` says how much finding a token of the query tells; it sums to 1. `asked` and `read`
 * are the texts.
 */
export type Encoded = {
  tokens: Int32Array;
  query: Int32Array;
  queryWeights: Float32Array;
  importance: Float32Array;
  passages: Int32Array;
  weights: Float32Array;
  length: number;
  features: Float32Array;
  asked: ReadText;
  read: readonly ReadText[];
};

/** Tokens of a query, and of a passage with its title, that are looked at. */
export const QUERY_TOKENS = 48;
export const PASSAGE_TOKENS = 320;

/** The model looks at stretches of 24 tokens, a step of 12 apart: lengths are multiples of the step, two at least. */
export const STEP = 12;
/** A token that occurs n times counts n to this power, as in the embedding whose rows are used. */
const COUNT_POWER = 0.85;
/** A token as common as a language's commonest has the least importance, one that the vocabulary hardly knows 1. */
const COMMON = 5;
const RARE = 13;
const LEAST = 0.06;

/**
 * Prepares queries with passages for the model. `tokenizer` is a parsed `tokenizer.json` with a Unigram model, whose
 * scores tell how rare tokens are. @throws Error when it is none
 */
export function createRerankEncoder(tokenizer: { model?: unknown }): (input: RerankInput) => Encoded {
  const unigram = unigramOf(tokenizer);
  if (unigram === undefined) throw new Error("the tokenizer has no Unigram model");
  const scores = Float32Array.from(unigram.vocab, ([, score]) => score);
  const reading = createReading(createTextTokenizer(tokenizer));
  const counts = new Uint16Array(scores.length);
  const placeOf = new Int32Array(scores.length).fill(-1);

  /** What one occurrence of each token counts. */
  const occurrences = (ids: readonly number[], set: (place: number, weight: number) => void): void => {
    for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
    ids.forEach((id, place) => {
      set(place, (counts[id] ?? 1) ** (COUNT_POWER - 1));
    });
    for (const id of ids) counts[id] = 0;
  };

  return ({ query, passages }) => {
    const asked = reading([query], QUERY_TOKENS);
    const read = passages.map(({ title, text }) => reading([title, text], PASSAGE_TOKENS));
    const tokens: number[] = [];
    for (const text of [asked, ...read]) {
      for (const id of text.tokens) if (placeOf[id] === -1) placeOf[id] = tokens.push(id) - 1;
    }
    const placesOf = (ids: readonly number[]): number[] => ids.map((id) => placeOf[id] ?? -1);

    const different = [...new Set(asked.tokens)];
    const queryWeights = new Float32Array(different.length);
    occurrences(asked.tokens, (place, weight) => {
      const among = different.indexOf(at(asked.tokens, place));
      queryWeights[among] = at(queryWeights, among) + weight;
    });
    const rarity = different.map((id) => Math.min(1, Math.max(LEAST, (-at(scores, id) - COMMON) / (RARE - COMMON))));
    const total = rarity.reduce((sum, value) => sum + value, 0);

    const longest = Math.max(2 * STEP, ...read.map((text) => text.tokens.length));
    const length = Math.ceil(longest / STEP) * STEP;
    const places = new Int32Array(read.length * length);
    const weights = new Float32Array(places.length);
    read.forEach((text, i) => {
      places.set(placesOf(text.tokens), i * length);
      occurrences(text.tokens, (place, weight) => {
        weights[i * length + place] = weight;
      });
    });
    const askedPlaces = Int32Array.from(placesOf(different));
    for (const id of tokens) placeOf[id] = -1;
    return {
      tokens: Int32Array.from(tokens),
      query: askedPlaces,
      queryWeights,
      importance: Float32Array.from(rarity, (value) => value / total),
      passages: places,
      weights,
      length,
      features: features(passages, different.length),
      asked,
      read,
    };
  };
}
