import { hashOf } from "../hash.ts";
import type { Candidate } from "./candidates.ts";

/** A word of a sentence as the model reads it. */
export type Word = { text: string; letters: string; candidates: readonly Candidate[] };

/** A candidate with the universal part of speech that it would have. */
export type Label = { candidate: Candidate; upos: string };

/** Letters of an ending that are looked at. */
const LAST = 3;

/** Differences in cost are told apart up to this one. */
const DEAREST = 12;

/** The number of local features of a label, and of those of two labels side by side. */
const LOCAL = 24;
const PAIR = 5;

/** The hash of a feature: its kind, and what it is about. */
function mixed(kind: number, a: number, b = 0): number {
  let hash = Math.imul(kind + 1, 0x9e3779b1) ^ a;
  hash = Math.imul(hash ^ (hash >>> 15), 0x85ebca6b) ^ b;
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** The hashes of what stands around a word, computed once for all its labels. */
export type Context = { at: readonly number[]; word: number; cheapest: number };

/** The context of the word at a place. */
export function contextOf(words: readonly Word[], place: number): Context {
  const word = words[place]?.letters ?? "";
  const previous = words[place - 1]?.letters ?? "^";
  const next = words[place + 1]?.letters ?? "$";
  const articles = `${previous.startsWith("ال") ? 1 : 0}${next.startsWith("ال") ? 1 : 0}`;
  const texts = [
    ...[word, word.slice(-LAST), word.slice(0, 2), previous, next],
    ...[previous.slice(-2), next.slice(0, 2), next.slice(-2), articles],
    ...[words[place - 2]?.letters ?? "^", words[place + 2]?.letters ?? "$"],
  ];
  return { at: texts.map(hashOf), word: hashOf(word), cheapest: words[place]?.candidates[0]?.cost ?? 0 };
}

/** What of a label goes into features, hashed once. */
export type LabelHashes = {
  upos: number;
  lemma: number;
  pos: number;
  before: number;
  after: number;
  shape: number;
  agreement: number;
  article: number;
};

/** The hashes of a label. */
export function labelHashes({ candidate, upos }: Label): LabelHashes {
  const form = candidate.analysis?.features;
  const agreement = `${form?.form_gen ?? form?.gen ?? ""}${form?.form_num ?? form?.num ?? ""}`;
  return {
    upos: hashOf(upos),
    lemma: hashOf(candidate.lemma),
    pos: hashOf(candidate.pos),
    before: hashOf(candidate.before),
    after: hashOf(candidate.after),
    shape: hashOf(`${form?.asp ?? ""}${form?.per ?? ""}${form?.vox ?? ""}${agreement}`),
    agreement: hashOf(agreement),
    article: candidate.before.endsWith("ال") ? 1 : 0,
  };
}

/** The features of a label that do not depend on the labels beside it, as hashes. */
export function localFeatures(context: Context, label: Label, hashes: LabelHashes): Uint32Array {
  const { upos, lemma, pos, before, after, shape, article } = hashes;
  const features = new Uint32Array(LOCAL);
  const cost = Math.min(DEAREST, Math.round(label.candidate.cost - context.cheapest));
  let place = 0;
  const add = (a: number, b = 0): void => {
    features[place] = mixed(place, a, b);
    place++;
  };
  add(cost);
  add(cost, upos);
  add(pos, upos);
  add(label.candidate.analysis === undefined ? 0 : 1, upos);
  add(before, pos);
  add(before, upos);
  add(after, upos);
  add(shape, upos);
  add(lemma, upos);
  add(lemma, pos);
  add(context.word, lemma);
  add(context.at[3] ?? 0, lemma);
  add(mixed(0, context.at[8] ?? 0, article), upos);
  for (const about of context.at) add(about, upos);
  return features;
}

/** The features of two labels side by side, as hashes; `undefined` before the first. */
export function pairFeatures(
  previous: LabelHashes | undefined,
  { upos, lemma, article, agreement }: LabelHashes,
): Uint32Array {
  const before = previous?.upos ?? 1;
  return Uint32Array.of(
    mixed(LOCAL, before, upos),
    mixed(LOCAL + 1, mixed(0, before, previous?.article ?? 2), mixed(0, upos, article)),
    mixed(LOCAL + 2, previous?.lemma ?? 1, upos),
    mixed(LOCAL + 3, before, lemma),
    mixed(LOCAL + PAIR - 1, mixed(0, previous?.agreement ?? 1, agreement), upos),
  );
}
