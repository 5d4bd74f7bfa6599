import { ARGUMENT_ROLES, type RelationSentence } from "../../contract/mod.ts";
import { type Candidate, vowelledLemma } from "../morphology/candidates.ts";
import type { Label } from "../morphology/features.ts";
import { prepare, type Prepared, type UposOf } from "../morphology/model.ts";
import { bareForm, vowelForm } from "../morphology/written-forms.ts";
import { labelOf, marginals, typeProbabilities } from "../relations/model.ts";
import { spanFeatures } from "../relations/span-features.ts";
import { ROLES, rowOf, spanScores, spansOf, TYPES } from "../relations/spans.ts";
import { triggerFeatures } from "../relations/triggers.ts";
import type { ReWord } from "../relations/words.ts";
import { type Example, shuffled } from "./perceptron.ts";

/** A sentence with its words. */
export type ReExample = { sentence: RelationSentence; words: ReWord[] };

/** Says how the weights are learned. */
type ReTraining = { epochs: number; rate: number; l2: number; bits: number };

/** Adagrad (Duchi et al. 2011) over hashed weights. */
class Learner {
  readonly weights: Float32Array;
  readonly #squares: Float32Array;
  readonly #labels: number;
  readonly #rate: number;
  readonly #l2: number;
  constructor(labels: number, { bits, rate, l2 }: ReTraining) {
    this.weights = new Float32Array(labels << bits);
    this.#squares = new Float32Array(labels << bits).fill(1e-2);
    this.#labels = labels;
    this.#rate = rate;
    this.#l2 = l2;
  }
  /** Moves the weights of the features along the gradients of the labels; small ones are left out. */
  update(features: Uint32Array, gradients: Float64Array): void {
    for (const feature of features) {
      const row = rowOf(feature, this.weights, this.#labels);
      for (let label = 0; label < this.#labels; label++) {
        const gradient = gradients[label] ?? 0;
        if (gradient < SMALL && gradient > -SMALL) continue;
        const i = row + label;
        const weight = this.weights[i] ?? 0;
        const slope = gradient - this.#l2 * weight;
        const square = (this.#squares[i] ?? 0) + slope * slope;
        this.#squares[i] = square;
        this.weights[i] = weight + (this.#rate * slope) / Math.sqrt(square);
      }
    }
  }
}

const SMALL = 2e-3;

/** Learns which words name events: multinomial logistic regression. */
export function trainTriggers(examples: readonly ReExample[], training: ReTraining): Float32Array {
  const learner = new Learner(TYPES, training);
  const cases = examples.flatMap(({ sentence, words }) =>
    words.map((word, place) => {
      const event = sentence.events.find(({ trigger }) => trigger.start < word.end && trigger.end > word.start);
      return { features: triggerFeatures(words, place), label: event === undefined ? 0 : labelOf(event.type) };
    }),
  );
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    for (const { features, label } of shuffled(cases, epoch)) {
      const chances = typeProbabilities(features, learner.weights, 1);
      learner.update(
        features,
        chances.map((chance, each) => (each === label ? 1 : 0) - chance),
      );
    }
  }
  return learner.weights;
}

/** Learns the arguments of events: a semi-Markov conditional random field without transitions. */
export function trainArguments(examples: readonly ReExample[], training: ReTraining): Float32Array {
  const learner = new Learner(ROLES, training);
  const cases = examples.flatMap(({ sentence, words }) =>
    sentence.events.flatMap(({ trigger: { start, end }, type, arguments: gold }) => {
      const place = words.findIndex((word) => start < word.end && end > word.start);
      if (place < 0) return [];
      const spans = spansOf(words, place);
      const features = spans.map((span) => spanFeatures(words, { place, type }, span));
      const roles = spans.map(({ from, to }) => {
        const right = gold.find((each) => each.start === words[from]?.start && each.end === words[to - 1]?.end);
        return right === undefined ? -1 : ARGUMENT_ROLES.indexOf(right.role);
      });
      return [{ spans, features, roles }];
    }),
  );
  for (let epoch = 0; epoch < training.epochs; epoch++) {
    for (const { spans, features, roles } of shuffled(cases, epoch)) {
      const chances = marginals(spanScores(spans, features, learner.weights, 1));
      features.forEach((each, i) => {
        const own = chances.subarray(i * ROLES, (i + 1) * ROLES);
        learner.update(
          each,
          own.map((chance, role) => (role === roles[i] ? 1 : 0) - chance),
        );
      });
    }
  }
  return learner.weights;
}

/** Says how words become candidates, and parts of speech universal ones. */
export type Readings = { candidates: (word: string) => readonly Candidate[]; uposOf: UposOf };

/** Tells whether the lemma of a reading is this one, vowels and all. */
export function sameVowels(candidate: Candidate, lemma: string): boolean {
  return vowelForm(vowelledLemma(candidate)) === vowelForm(lemma);
}

/** Returns an example: right labels of a word are those that agree best, all of them where none agrees. */
export function exampleOf(
  texts: readonly string[],
  { candidates, uposOf }: Readings,
  agreement: (label: Label, place: number) => number,
): Example {
  const words = texts.map((text) => ({ text, letters: bareForm(text), candidates: candidates(text) }));
  const labels = words.map((word) => prepare(word, uposOf));
  const right = labels.map((choices, place): Prepared[] => {
    const scores = choices.map(({ label }) => agreement(label, place));
    const most = Math.max(...scores);
    return choices.filter((_, each) => scores[each] === most);
  });
  return { words, labels, right };
}

/**
 * Tells whether a sentence of the treebank, counted from 0, measures the model and is never trained on: every fifth.
 */
export function heldOut(number: number): boolean {
  return number % 5 === 4;
}

/** Says how weights are learned; chosen on five subjects that are not held out, left out of training for that. */
export const TRIGGER_TRAINING: ReTraining = { epochs: 10, rate: 0.15, l2: 1e-4, bits: 15 };
export const ARGUMENT_TRAINING: ReTraining = { epochs: 7, rate: 0.15, l2: 1e-4, bits: 16 };
