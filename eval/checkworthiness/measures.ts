import { at } from "@isnad/lib/std";
/** Scores against labels. Rates are 0 to 1; NaN where the set has nothing to measure. */
export type Measures = {
  sentences: number;
  positive: number;
  precision: number;
  recall: number;
  f1: number;
  accuracy: number;
  averagePrecision: number;
  /** Expected calibration error over ten bins of equal width (Naeini et al. 2015). */
  ece: number;
  /**
   * The same, less what a perfectly calibrated model of as many sentences shows: the mean over 200 draws of labels by
   * the scores.
   */
  eceDebiased: number;
  /** Over ten bins of equal count (Nixon et al. 2019). */
  eceAdaptive: number;
  /**
   * `ece` with positives and negatives weighed so that as many are positive as in the training set: what of the error
   * is not a different share of positives.
   */
  eceAtTrainShare: number;
};

const BINS = 10;
const DRAWS = 200;

/** Average precision of a ranking; ties keep the order of the set. */
export function averagePrecision(labels: readonly boolean[], scores: readonly number[]): number {
  const ranked = labels.map((_, i) => i).sort((a, b) => at(scores, b) - at(scores, a) || a - b);
  let hits = 0;
  let sum = 0;
  ranked.forEach((index, rank) => {
    if (!labels[index]) return;
    hits++;
    sum += hits / (rank + 1);
  });
  return sum / hits;
}

/**
 * How far probabilities are from the share of positives, over bins of equal width. With `share`, positives and
 * negatives are weighed so that this share of all is positive.
 */
export function calibrationError(labels: readonly boolean[], scores: readonly number[], share?: number): number {
  const own = labels.filter(Boolean).length / labels.length;
  const weightOf = (label: boolean | undefined): number => {
    if (share === undefined) return 1;
    return label ? share / own : (1 - share) / (1 - own);
  };
  const gaps = new Float64Array(BINS);
  let weights = 0;
  scores.forEach((score, i) => {
    const bin = Math.min(Math.floor(score * BINS), BINS - 1);
    const weight = weightOf(labels[i]);
    gaps[bin] = at(gaps, bin) + (Number(labels[i]) - score) * weight;
    weights += weight;
  });
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / weights;
}

/** How far probabilities are from the share of positives, over bins of equal count. */
export function adaptiveCalibrationError(labels: readonly boolean[], scores: readonly number[]): number {
  const order = scores.map((_, i) => i).sort((a, b) => at(scores, a) - at(scores, b) || a - b);
  const gaps = new Float64Array(BINS);
  order.forEach((index, rank) => {
    const bin = Math.floor((rank * BINS) / order.length);
    gaps[bin] = at(gaps, bin) + Number(labels[index]) - at(scores, index);
  });
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / scores.length;
}

/** The calibration error that labels drawn by the scores themselves would show: the part that is chance. */
function chanceError(scores: readonly number[]): number {
  let seed = 7;
  const random = (): number => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0; // linear congruential, Numerical Recipes
    return seed / 2 ** 32;
  };
  let sum = 0;
  for (let draw = 0; draw < DRAWS; draw++) {
    sum += calibrationError(
      scores.map((score) => random() < score),
      scores,
    );
  }
  return sum / DRAWS;
}

/**
 * Measures probabilities with the decision at `threshold`; `trainShare` is the share of positives in the training set.
 */
export function measure(
  labels: readonly boolean[],
  scores: readonly number[],
  threshold: number,
  trainShare: number,
): Measures {
  const decided = scores.map((score) => score >= threshold);
  const count = (wanted: (i: number) => boolean) => labels.filter((_, i) => wanted(i)).length;
  const hits = count((i) => labels[i] === true && decided[i] === true);
  const positive = count((i) => labels[i] === true);
  const said = count((i) => decided[i] === true);
  const ece = calibrationError(labels, scores);
  return {
    sentences: labels.length,
    positive,
    precision: hits / said,
    recall: hits / positive,
    f1: (2 * hits) / (said + positive),
    accuracy: count((i) => labels[i] === decided[i]) / labels.length,
    averagePrecision: averagePrecision(labels, scores),
    ece,
    eceDebiased: Math.max(0, ece - chanceError(scores)),
    eceAdaptive: adaptiveCalibrationError(labels, scores),
    eceAtTrainShare: calibrationError(labels, scores, trainShare),
  };
}
