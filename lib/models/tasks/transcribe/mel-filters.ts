import { at } from "../../../std/mod.ts";

/** A triangle over the bins of a spectrum: the weights of bins `from`, `from + 1`, … */
export type MelFilter = { from: number; weights: Float64Array };

/** Slaney's mel scale: linear up to 1,000 Hz, logarithmic above. */
const [LINEAR, KNEE, STEP] = [200 / 3, 15, Math.log(6.4) / 27];
const hertz = (mel: number): number => (mel < KNEE ? mel * LINEAR : 1000 * Math.exp(STEP * (mel - KNEE)));
const melOf = (hz: number): number => (hz < 1000 ? hz / LINEAR : KNEE + Math.log(hz / 1000) / STEP);

/**
 * `count` triangles of area one, evenly spaced on the mel scale from 0 to half the rate, over the spectrum of `length`
 * samples, as librosa's `filters.mel` makes them.
 */
export function melFilters(count: number, length: number, rate: number): MelFilter[] {
  const top = melOf(rate / 2);
  const edges = Array.from({ length: count + 2 }, (_, i) => hertz((top * i) / (count + 1)));
  return Array.from({ length: count }, (_, i) => {
    const [low, middle, high] = [at(edges, i), at(edges, i + 1), at(edges, i + 2)];
    const bins = Array.from({ length: length / 2 + 1 }, (_, k) => {
      const frequency = (k * rate) / length;
      const height = Math.min((frequency - low) / (middle - low), (high - frequency) / (high - middle));
      return (Math.max(0, height) * 2) / (high - low);
    });
    const from = bins.findIndex((weight) => weight > 0);
    const to = bins.findLastIndex((weight) => weight > 0);
    return { from: Math.max(0, from), weights: Float64Array.from(from < 0 ? [] : bins.slice(from, to + 1)) };
  });
}
