import {
  contextOf,
  type Label,
  type LabelHashes,
  labelHashes,
  localFeatures,
  pairFeatures,
  type Word,
} from "./features.ts";

/** The weights of features by the lower bits of their hash; the length is a power of two. */
export type Weights = Float32Array | Int16Array;

/** The universal parts of speech that a part of speech of the lexicon can stand for, most frequent first. */
export type UposOf = (pos: string) => readonly string[];

/** Candidates of a word that are looked at, and labels that are kept beside their neighbours'. */
const CANDIDATES = 12;
const BEAM = 6;

/** The labels that a word can have. */
export function labelsOf({ candidates }: Word, uposOf: UposOf): Label[] {
  return candidates
    .slice(0, CANDIDATES)
    .flatMap((candidate) => uposOf(candidate.pos).map((upos) => ({ candidate, upos })));
}

/** The sum of the weights of features. */
export function weigh(features: Uint32Array, weights: Weights): number {
  const mask = weights.length - 1;
  let total = 0;
  for (const feature of features) total += weights[feature & mask] ?? 0;
  return total;
}

type Cell = { label: Label; hashes: LabelHashes; local: number; score: number; back: number };

/**
 * The sequence of labels with the greatest sum of weights, one for each word: Viterbi over the labels of each word that
 * are best by themselves. Words need at least one candidate each.
 */
export function decode(words: readonly Word[], uposOf: UposOf, weights: Weights): Label[] {
  const table: Cell[][] = [];
  words.forEach((word, place) => {
    const context = contextOf(words, place);
    const cells = labelsOf(word, uposOf).map((label): Cell => {
      const hashes = labelHashes(label);
      const local = weigh(localFeatures(context, label, hashes), weights);
      return { label, hashes, local, score: local, back: -1 };
    });
    const kept = cells.length <= BEAM ? cells : cells.sort((a, b) => b.local - a.local).slice(0, BEAM);
    const before = table.at(-1);
    for (const cell of kept) {
      if (before === undefined) cell.score += weigh(pairFeatures(undefined, cell.hashes), weights);
      else {
        let best = Number.NEGATIVE_INFINITY;
        before.forEach((previous, back) => {
          const score = previous.score + weigh(pairFeatures(previous.hashes, cell.hashes), weights);
          if (score > best) {
            best = score;
            cell.back = back;
          }
        });
        cell.score = cell.local + best;
      }
    }
    table.push(kept);
  });
  const last = table.at(-1) ?? [];
  let cell = last.reduce((best, each) => (each.score > best.score ? each : best), last[0] ?? NONE);
  const labels: Label[] = [];
  for (let place = table.length - 1; place >= 0; place--) {
    labels.push(cell.label);
    cell = table[place - 1]?.[cell.back] ?? NONE;
  }
  return labels.reverse();
}

const NONE: Cell = {
  label: { candidate: { lemma: "", pos: "", before: "", after: "", cost: 0 }, upos: "X" },
  hashes: { upos: 0, lemma: 0, pos: 0, before: 0, after: 0, shape: 0, agreement: 0, article: 0 },
  local: 0,
  score: 0,
  back: -1,
};
