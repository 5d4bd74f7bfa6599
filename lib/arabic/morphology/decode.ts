import {
  CONTEXT,
  contextFeatures,
  contextOf,
  type Label,
  type LabelHashes,
  labelHashes,
  lemmaFeatures,
  ownFeatures,
  pairFeatures,
  type Word,
} from "./features.ts";

/** The weights of features by the lower bits of their hash; the length is a power of two. */
export type Weights = Float32Array | Int16Array;

/** The universal parts of speech that a part of speech of the lexicon can stand for, most frequent first. */
export type UposOf = (pos: string) => readonly string[];

/** A label of a word with what of its features does not depend on the words around. */
export type Prepared = { label: Label; hashes: LabelHashes; own: Uint32Array; weight: number };

/** Candidates of a word that are looked at, and labels that are kept beside their neighbours'. */
const CANDIDATES = 12;
const BEAM = 6;

/** The labels that a word can have, each with its own features; `weight` is theirs where weights are given. */
export function prepare(word: Word, uposOf: UposOf, weights?: Weights): Prepared[] {
  return word.candidates.slice(0, CANDIDATES).flatMap((candidate) =>
    uposOf(candidate.pos).map((upos) => {
      const label = { candidate, upos };
      const hashes = labelHashes(label);
      const own = ownFeatures(word, label, hashes);
      return { label, hashes, own, weight: weights === undefined ? 0 : weigh(own, weights) };
    }),
  );
}

/** The sum of the weights of features. */
export function weigh(features: Uint32Array, weights: Weights): number {
  const mask = weights.length - 1;
  let total = 0;
  for (let i = 0; i < features.length; i++) total += weights[(features[i] ?? 0) & mask] ?? 0;
  return total;
}

type Cell = { prepared: Prepared; local: number; score: number; back: number };

/**
 * The sequence of labels with the greatest sum of weights, one of `labels` for each word: Viterbi over the labels of
 * each word that are best by themselves. Words need at least one label each. The own weights of labels are taken as
 * prepared, unless `fresh`.
 */
export function decode(
  words: readonly Word[],
  labels: readonly (readonly Prepared[])[],
  weights: Weights,
  { fresh = false }: { fresh?: boolean } = {},
): Prepared[] {
  const table: Cell[][] = [];
  const context = new Uint32Array(CONTEXT);
  const hashes = contextOf(words);
  labels.forEach((choices, place) => {
    const byUpos = new Map<string, number>();
    const cells = choices.map((prepared): Cell => {
      const { upos } = prepared.label;
      let shared = byUpos.get(upos);
      if (shared === undefined) {
        shared = weigh(contextFeatures(hashes, place, prepared.hashes, context), weights);
        byUpos.set(upos, shared);
      }
      const own = fresh ? weigh(prepared.own, weights) : prepared.weight;
      const local = own + shared + weigh(lemmaFeatures(hashes, place, prepared.hashes), weights);
      return { prepared, local, score: local, back: -1 };
    });
    const kept = cells.length <= BEAM ? cells : cells.sort((a, b) => b.local - a.local).slice(0, BEAM);
    const before = table.at(-1);
    for (const cell of kept) {
      if (before === undefined) cell.score += weigh(pairFeatures(undefined, cell.prepared.hashes), weights);
      else {
        let best = Number.NEGATIVE_INFINITY;
        before.forEach((previous, back) => {
          const pair = weigh(pairFeatures(previous.prepared.hashes, cell.prepared.hashes), weights);
          if (previous.score + pair > best) {
            best = previous.score + pair;
            cell.back = back;
          }
        });
        cell.score = cell.local + best;
      }
    }
    table.push(kept);
  });
  const chosen: Prepared[] = [];
  let cell = table.at(-1)?.reduce((best, each) => (each.score > best.score ? each : best));
  for (let place = table.length - 1; place >= 0 && cell !== undefined; place--) {
    chosen.push(cell.prepared);
    cell = table[place - 1]?.[cell.back];
  }
  return chosen.reverse();
}

/** Every feature of a sequence of labels. */
export function featuresOf(words: readonly Word[], labels: readonly Prepared[]): number[] {
  const hashes = contextOf(words);
  return labels.flatMap(({ hashes: own, own: features }, place) => [
    ...features,
    ...contextFeatures(hashes, place, own, new Uint32Array(CONTEXT)),
    ...lemmaFeatures(hashes, place, own),
    ...pairFeatures(labels[place - 1]?.hashes, own),
  ]);
}
