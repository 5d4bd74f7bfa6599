import { at } from "../../std/mod.ts";
import { decode, featuresOf, type Prepared, type Word } from "../morphology/features.ts";

/** A sentence to learn from: the labels of each word, and those of them that are right; all of them where unknown. */
export type Example = {
  words: readonly Word[];
  labels: readonly (readonly Prepared[])[];
  right: readonly (readonly Prepared[])[];
};

/** A structured perceptron whose weights are averaged (Collins 2002). */
type Perceptron = {
  weights: Float32Array;
  /** Moves the weights towards the best right sequence where another one weighs more. Returns whether they did. */
  learn(example: Example): boolean;
  averages(): Float32Array;
};

/** Makes one with a power of two of weights, all of them 0 but for `start`, by feature. */
export function createPerceptron(size: number, start: ReadonlyMap<number, number>): Perceptron {
  const weights = new Float32Array(size);
  const sums = new Float64Array(size);
  const since = new Uint32Array(size);
  let step = 0;
  for (const [feature, weight] of start) weights[feature & (size - 1)] = weight;
  return {
    weights,
    learn({ words, labels, right }) {
      step++;
      const guess = decode(words, labels, weights, { fresh: true });
      if (guess.every((label, place) => at(right, place).includes(label))) return false;
      const best = decode(words, right, weights, { fresh: true });
      const changes = new Map<number, number>();
      const add = (chosen: readonly Prepared[], change: number): void => {
        for (const feature of featuresOf(words, chosen)) {
          changes.set(feature & (size - 1), (changes.get(feature & (size - 1)) ?? 0) + change);
        }
      };
      add(best, 1);
      add(guess, -1);
      for (const [feature, change] of changes) {
        if (change === 0) continue;
        sums[feature] = at(sums, feature) + at(weights, feature) * (step - at(since, feature));
        since[feature] = step;
        weights[feature] = at(weights, feature) + change;
      }
      return true;
    },
    averages: () => weights.map((weight, i) => (at(sums, i) + weight * (step - at(since, i))) / Math.max(1, step)),
  };
}

/** Returns a list in another order, the same for the same seed. */
export function shuffled<T>(items: readonly T[], seed: number): T[] {
  const copy = [...items];
  let state = seed + 42;
  for (let i = copy.length - 1; i > 0; i--) {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    const j = state % (i + 1);
    [copy[i], copy[j]] = [at(copy, j), at(copy, i)];
  }
  return copy;
}
