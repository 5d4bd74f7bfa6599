import { shapeRows } from "./shapes.ts";
import type { TokenFeatures } from "./vocabulary.ts";

/** Sentences of one run, one after the other with `gap` empty places before, between and after them. `ids` and `weights`: rows of the
 * distinct tokens, [distinct, width], padding weighs 0; `stems` [distinct]; `index` (which distinct token), `shapes` and `mask`
 * (0 in gaps) for each place; `starts`: the first place of each sentence. */
export type Packed = {
  width: number;
  distinct: number;
  ids: Int32Array;
  weights: Float32Array;
  stems: Int32Array;
  length: number;
  index: Int32Array;
  shapes: Int32Array;
  mask: Float32Array;
  starts: number[];
};

/** Packs sentences for one run of the model; distinct token 0 is the empty one of the gaps. */
export function pack(sentences: readonly (readonly TokenFeatures[])[], gap: number): Packed {
  const length = gap + sentences.reduce((sum, sentence) => sum + sentence.length + gap, 0);
  const index = new Int32Array(length);
  const shapes = new Int32Array(length);
  const mask = new Float32Array(length);
  const places = new Map<TokenFeatures, number>();
  const starts: number[] = [];
  let at = gap;
  let width = 1;
  for (const sentence of sentences) {
    starts.push(at);
    shapes.set(shapeRows(sentence.map(({ shape }) => shape)), at);
    mask.fill(1, at, at + sentence.length);
    for (const token of sentence) {
      let place = places.get(token);
      if (place === undefined) {
        place = places.size + 1;
        places.set(token, place);
        width = Math.max(width, token.rows.length);
      }
      index[at++] = place;
    }
    at += gap;
  }
  const distinct = places.size + 1;
  const ids = new Int32Array(distinct * width);
  const weights = new Float32Array(distinct * width);
  const stems = new Int32Array(distinct);
  for (const [{ rows, stem }, place] of places) {
    ids.set(rows, place * width);
    weights.fill(1 / Math.max(1, rows.length), place * width, place * width + rows.length);
    stems[place] = stem;
  }
  return { width, distinct, ids, weights, stems, length, index, shapes, mask, starts };
}
