import { at } from "../../../std/collections.ts";

/** A sequence that is continued: the row of the step before that it comes from, and the token put after it. */
export type Choice = { parent: number; token: number };

/** The logits of the next token of each row, one row after the other. */
export type Logits = { rows: number; vocabulary: number; data: Float32Array };

/** Computes one step: row n continues the row that `choices[n]` names. */
export type Advance = (choices: readonly Choice[]) => Promise<Logits>;

export type SearchSettings = {
  /** The token that every sequence begins with, and the one that ends it. */
  start: number;
  end: number;
  /** Tokens that are never put. */
  banned: readonly number[];
  /** Tokens of a sequence, the first one among them; the last of as many is the end. */
  longest: number;
  /** Sequences that are followed; 1 takes the best token of every step. */
  beams: number;
  /** Called before every step. */
  check?: () => void;
};

type Beam = { score: number; ids: readonly number[] };

/**
 * The most likely sequence, by beam search as `generate` of Hugging Face Transformers does it (length penalty 1, no
 * early stopping): a sum of log probabilities over the number of tokens. It holds neither the first nor the last token.
 */
export async function beamSearch(advance: Advance, settings: SearchSettings): Promise<number[]> {
  const { start, end, beams, longest, check } = settings;
  let running: Beam[] = [{ score: 0, ids: [start] }];
  let ended: Beam[] = [];
  let choices: Choice[] = [{ parent: 0, token: start }];
  for (;;) {
    check?.();
    const length = at(running, 0).ids.length;
    const ranked =
      length >= longest - 1
        ? running.map(({ score }, parent) => ({ score, parent, token: end }))
        : best(await advance(choices), running, settings);
    const next: Beam[] = [];
    choices = [];
    for (const [rank, { score, parent, token }] of ranked.entries()) {
      const { ids } = at(running, parent);
      if (token === end) {
        if (rank < beams) ended.push({ score: score / length, ids });
      } else if (next.length < beams) {
        next.push({ score, ids: [...ids, token] });
        choices.push({ parent, token });
      }
    }
    ended = ended.sort((a, b) => b.score - a.score).slice(0, beams);
    const reachable = (ranked[0]?.score ?? Number.NEGATIVE_INFINITY) / length;
    if (next.length === 0 || (ended.length === beams && at(ended, beams - 1).score >= reachable)) {
      return (ended[0] ?? next[0])?.ids.slice(1) ?? [];
    }
    running = next;
  }
}

type Candidate = Choice & { score: number };

/** The best continuations, twice as many as there are beams, so that as many are left when some are ends. */
function best(
  { rows, vocabulary, data }: Logits,
  running: readonly Beam[],
  { banned, beams }: SearchSettings,
): Candidate[] {
  const kept: Candidate[] = [];
  for (let parent = 0; parent < rows; parent++) {
    const row = data.subarray(parent * vocabulary, (parent + 1) * vocabulary);
    for (const token of banned) row[token] = Number.NEGATIVE_INFINITY;
    const base = at(running, parent).score - logSum(row);
    for (let token = 0; token < vocabulary; token++) {
      const score = base + (row[token] ?? Number.NEGATIVE_INFINITY);
      if (!(score > (kept[2 * beams - 1]?.score ?? Number.NEGATIVE_INFINITY))) continue;
      const place = kept.findIndex((other) => score > other.score);
      kept.splice(place < 0 ? kept.length : place, 0, { score, parent, token });
      kept.length = Math.min(kept.length, 2 * beams);
    }
  }
  return kept;
}

/** The logarithm of the sum of the exponentials. */
function logSum(row: Float32Array): number {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of row) if (value > top) top = value;
  let sum = 0;
  for (const value of row) sum += Math.exp(value - top);
  return top + Math.log(sum);
}
