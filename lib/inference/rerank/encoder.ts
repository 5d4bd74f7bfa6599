import { z } from "zod";
import { createTextTokenizer } from "../text-tokenizer.ts";
import { features } from "./features.ts";
import type { RerankInput } from "./passage.ts";

/** What the model is given: the query's different tokens, the passages' tokens in order (rows of `length`, filled up with weight 0), and
 * FEATURES numbers a passage. `importance` says how much finding a token of the query tells; it sums to 1. */
export type Encoded = {
  query: Int32Array;
  queryWeights: Float32Array;
  importance: Float32Array;
  passages: Int32Array;
  weights: Float32Array;
  length: number;
  features: Float32Array;
};

/** Tokens of a query, and of a passage with its title, that are looked at. */
export const QUERY_TOKENS = 48;
export const PASSAGE_TOKENS = 320;

/** The model looks at stretches of 24 tokens, a step of 12 apart: lengths are multiples of the step, two at least. */
const STEP = 12;
/** A token that occurs n times counts n to this power, as in the embedding that the table comes from. */
const COUNT_POWER = 0.85;
/** A token as common as a language's commonest has the least importance, one that the vocabulary hardly knows 1. */
const COMMON = 5;
const RARE = 13;
const LEAST = 0.06;

const unigram = z.object({ model: z.object({ vocab: z.array(z.tuple([z.string(), z.number()])) }) });

/** Prepares queries with passages for the model. `tokenizer` is a parsed `tokenizer.json` with a Unigram model, whose scores tell how
 * rare tokens are. @throws Error when it is none */
export function createRerankEncoder(tokenizer: { model?: unknown }): (input: RerankInput) => Encoded {
  const scores = Float32Array.from(unigram.parse(tokenizer).model.vocab, ([, score]) => score);
  const { eachId } = createTextTokenizer(tokenizer);
  const counts = new Uint16Array(scores.length);

  /** The first `most` tokens of the texts; the unknown token where they have none. */
  const tokens = (texts: readonly string[], most: number): number[] => {
    const ids: number[] = [];
    for (const text of texts) {
      eachId(text.slice(0, most * LONGEST), (id) => {
        if (ids.length < most) ids.push(id);
      });
    }
    return ids.length === 0 ? [0] : ids;
  };
  /** What one occurrence of each token counts. */
  const occurrences = (ids: readonly number[], set: (place: number, weight: number) => void): void => {
    for (const id of ids) counts[id] = (counts[id] ?? 0) + 1;
    ids.forEach((id, place) => {
      set(place, (counts[id] ?? 1) ** (COUNT_POWER - 1));
    });
    for (const id of ids) counts[id] = 0;
  };

  return ({ query, passages }) => {
    const asked = tokens([query], QUERY_TOKENS);
    const different = [...new Set(asked)];
    const queryWeights = new Float32Array(different.length);
    occurrences(asked, (place, weight) => {
      const at = different.indexOf(asked[place] ?? 0);
      queryWeights[at] = (queryWeights[at] ?? 0) + weight;
    });
    const rarity = different.map((id) => Math.min(1, Math.max(LEAST, (-(scores[id] ?? 0) - COMMON) / (RARE - COMMON))));
    const total = rarity.reduce((sum, value) => sum + value, 0);

    const rows = passages.map(({ title, text }) => tokens([title, text], PASSAGE_TOKENS));
    const longest = Math.max(2 * STEP, ...rows.map((row) => row.length));
    const length = Math.ceil(longest / STEP) * STEP;
    const ids = new Int32Array(rows.length * length);
    const weights = new Float32Array(ids.length);
    rows.forEach((row, i) => {
      ids.set(row, i * length);
      occurrences(row, (place, weight) => {
        weights[i * length + place] = weight;
      });
    });
    return {
      query: Int32Array.from(different),
      queryWeights,
      importance: Float32Array.from(rarity, (value) => value / total),
      passages: ids,
      weights,
      length,
      features: features(passages, different.length),
    };
  };
}

/** Characters that a token and what is around it take up at most, on average, in any text worth reading. */
const LONGEST = 40;
