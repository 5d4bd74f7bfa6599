import { hashOf } from "../tokens.ts";
import { canBeOf, speechOf } from "./speech.ts";
import { withoutMarks } from "./written-forms.ts";
import type { Candidate } from "./candidates.ts";

/** A word of a sentence as the model reads it. */
export type Word = { text: string; letters: string; candidates: readonly Candidate[] };

/** A candidate with the universal part of speech that it would have. */
export type Label = { candidate: Candidate; upos: string };

/** Letters of an ending that are looked at. */
const LAST = 3;

/** Differences in cost are told apart up to this one. */
const DEAREST = 12;

/** The numbers of features: of a label by itself, with the words around, with its lemma's neighbours, of a pair. */
const LABEL_FEATURES = 17;
const CONTEXT = 10;
const LEMMA = 3;
const PAIR = 5;

/** Returns the hash of a feature: its kind, and what it is about. */
function mixed(kind: number, a: number, b = 0): number {
  let hash = Math.imul(kind + 1, 0x9e3779b1) ^ a;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/**
 * Holds what of a word its neighbours look at, as hashes; `article`: whether it begins with one, `pos`: the part of
 * speech of its cheapest reading; `speech`: whether somebody speaks of himself in the sentence, and to somebody.
 */
type Around = { word: number; first: number; last: number; article: number; pos: number; speech: number };

/** The words of a sentence as their neighbours see them, with two places before the first and two after the last. */
type Context = readonly Around[];

const OUTSIDE = 2;
const BEFORE: Around = { word: hashOf("^"), first: 0, last: hashOf("^"), article: 0, pos: 0, speech: 0 };
const AFTER: Around = { word: hashOf("$"), first: hashOf("$"), last: hashOf("$"), article: 0, pos: 1, speech: 0 };

/** Returns the context of the words of a sentence. */
function contextOf(words: readonly Word[]): Context {
  const { first, second } = speechOf(words);
  const speech = (first ? 1 : 0) + (second ? 2 : 0);
  const around = words.map(
    ({ letters, candidates }): Around => ({
      word: hashOf(letters),
      first: hashOf(letters.slice(0, 2)),
      last: hashOf(letters.slice(-2)),
      article: letters.startsWith("ال") ? 1 : 0,
      pos: hashOf(candidates[0]?.pos ?? ""),
      speech,
    }),
  );
  return [BEFORE, BEFORE, ...around, AFTER, AFTER];
}

/** Holds what of a label goes into features, hashed once. */
type LabelHashes = {
  upos: number;
  lemma: number;
  pos: number;
  before: number;
  after: number;
  shape: number;
  agreement: number;
  article: number;
  /** Says whether somebody says it of himself, and whether to somebody. */
  persons: number;
};

/** Returns the hashes of a label. */
function labelHashes({ candidate, upos }: Label): LabelHashes {
  const form = candidate.analysis?.features;
  const agreement = `${form?.form_gen ?? form?.gen ?? ""}${form?.form_num ?? form?.num ?? ""}`;
  return {
    upos: hashOf(upos),
    lemma: hashOf(candidate.analysis?.lemma.form ?? candidate.lemma),
    pos: hashOf(candidate.pos),
    before: hashOf(candidate.before),
    after: hashOf(candidate.after),
    shape: hashOf(`${form?.asp ?? ""}${form?.per ?? ""}${form?.vox ?? ""}${agreement}`),
    agreement: hashOf(agreement),
    article: candidate.before.endsWith("ال") ? 1 : 0,
    persons: (canBeOf("1", candidate) ? 1 : 0) + (canBeOf("2", candidate) ? 2 : 0),
  };
}

/** Returns the features of a label and its word alone, as hashes. */
function ownFeatures({ text, letters, candidates }: Word, { candidate }: Label, hashes: LabelHashes): Uint32Array {
  const { upos, lemma, pos, before, after, shape } = hashes;
  const cost = Math.min(DEAREST, Math.round(candidate.cost - (candidates[0]?.cost ?? 0)));
  // As it is written: إن is not أن, and على rarely a name.
  const word = hashOf(withoutMarks(text));
  return Uint32Array.of(
    costFeature(cost),
    mixed(1, cost, upos),
    mixed(2, pos, upos),
    mixed(3, candidate.analysis === undefined ? 0 : 1, upos),
    mixed(4, before, pos),
    mixed(5, before, upos),
    mixed(6, after, upos),
    mixed(7, shape, upos),
    lemmaFeature(hashes),
    mixed(9, lemma, pos),
    mixed(10, word, lemma),
    mixed(11, word, upos),
    mixed(12, hashOf(letters.slice(-LAST)), upos),
    mixed(13, hashOf(letters.slice(0, 2)), upos),
    mixed(14, mixed(0, word, pos), upos),
    mixed(15, mixed(0, pos, candidate.analysis === undefined ? 0 : 1), upos),
    mixed(16, hashOf(letters), lemma),
  );
}

/** Returns the feature of a lemma in a part of speech. */
export function lemmaFeature({ lemma, upos }: Pick<LabelHashes, "lemma" | "upos">): number {
  return mixed(8, lemma, upos);
}

/** Returns the feature of a label's cost, above the cheapest one's, in whole numbers. */
export function costFeature(cost: number): number {
  return mixed(0, cost);
}

/** Returns the features of a part of speech among the words around a place, as hashes, written into `into`. */
function contextFeatures(context: Context, place: number, { upos }: LabelHashes, into: Uint32Array): Uint32Array {
  const previous = context[place + OUTSIDE - 1] ?? BEFORE;
  const next = context[place + OUTSIDE + 1] ?? AFTER;
  const own = context[place + OUTSIDE] ?? BEFORE;
  into[0] = mixed(LABEL_FEATURES, previous.word, upos);
  into[1] = mixed(LABEL_FEATURES + 1, next.word, upos);
  into[2] = mixed(LABEL_FEATURES + 2, previous.last, upos);
  into[3] = mixed(LABEL_FEATURES + 3, next.first, upos);
  into[4] = mixed(LABEL_FEATURES + 4, next.last, upos);
  into[5] = mixed(LABEL_FEATURES + 5, previous.article * 2 + next.article, upos);
  const [second, third] = [context[place + OUTSIDE - 2] ?? BEFORE, context[place + OUTSIDE + 2] ?? AFTER];
  into[6] = mixed(LABEL_FEATURES + 6, second.word, upos);
  into[7] = mixed(LABEL_FEATURES + 7, third.word, upos);
  into[8] = mixed(LABEL_FEATURES + 8, next.pos, upos);
  into[9] = mixed(LABEL_FEATURES + 9, mixed(0, own.word, next.pos), upos);
  return into;
}

/** Returns the features of a lemma, of its article and persons, among the words beside it, as hashes. */
function lemmaFeatures(context: Context, place: number, label: LabelHashes): Uint32Array {
  const { upos, lemma, article, persons } = label;
  const previous = context[place + OUTSIDE - 1] ?? BEFORE;
  const next = context[place + OUTSIDE + 1] ?? AFTER;
  const speech = (context[place + OUTSIDE] ?? BEFORE).speech;
  return Uint32Array.of(
    mixed(LABEL_FEATURES + CONTEXT + LEMMA + PAIR, mixed(0, speech, persons), upos),
    mixed(LABEL_FEATURES + CONTEXT, previous.word, lemma),
    mixed(LABEL_FEATURES + CONTEXT + 2, next.word, lemma),
    mixed(LABEL_FEATURES + CONTEXT + 1, mixed(0, previous.article * 4 + next.article * 2 + article, 0), upos),
  );
}

/** Returns the features of two labels side by side, as hashes; `undefined` before the first. */
function pairFeatures(
  previous: LabelHashes | undefined,
  { upos, lemma, article, agreement }: LabelHashes,
): Uint32Array {
  const before = previous?.upos ?? 1;
  return Uint32Array.of(
    mixed(LABEL_FEATURES + CONTEXT + LEMMA, before, upos),
    mixed(LABEL_FEATURES + CONTEXT + LEMMA + 1, mixed(0, before, previous?.article ?? 2), mixed(0, upos, article)),
    mixed(LABEL_FEATURES + CONTEXT + LEMMA + 2, previous?.lemma ?? 1, upos),
    mixed(LABEL_FEATURES + CONTEXT + LEMMA + 3, before, lemma),
    mixed(LABEL_FEATURES + CONTEXT + LEMMA + 4, mixed(0, previous?.agreement ?? 1, agreement), upos),
  );
}

/** The weights of features by the lower bits of their hash; the length is a power of two. */
export type Weights = Float32Array | Int16Array;

/** Returns the universal parts of speech that a part of speech of the lexicon can stand for, most frequent first. */
export type UposOf = (pos: string) => readonly string[];

/** A label of a word with what of its features does not depend on the words around. */
export type Prepared = { label: Label; hashes: LabelHashes; own: Uint32Array; weight: number };

/** Candidates of a word that are looked at, and labels that are kept beside their neighbours'. */
const CANDIDATES = 12;
const BEAM = 6;

/** Returns the labels that a word can have, each with its own features; `weight` is theirs where weights are given. */
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

/** Returns the sum of the weights of features. */
export function weigh(features: Uint32Array, weights: Weights): number {
  const mask = weights.length - 1;
  let total = 0;
  for (let i = 0; i < features.length; i++) total += weights[(features[i] ?? 0) & mask] ?? 0;
  return total;
}

type Cell = { prepared: Prepared; local: number; score: number; back: number };

/**
 * Returns the sequence of labels with the greatest sum of weights, one of `labels` for each word: Viterbi over the
 * labels of each word that are best by themselves. Words need at least one label each. The own weights of labels are
 * taken as prepared, unless `fresh`.
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

/** Returns every feature of a sequence of labels. */
export function featuresOf(words: readonly Word[], labels: readonly Prepared[]): number[] {
  const hashes = contextOf(words);
  return labels.flatMap(({ hashes: own, own: features }, place) => [
    ...features,
    ...contextFeatures(hashes, place, own, new Uint32Array(CONTEXT)),
    ...lemmaFeatures(hashes, place, own),
    ...pairFeatures(labels[place - 1]?.hashes, own),
  ]);
}
