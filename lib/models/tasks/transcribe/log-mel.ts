import { at } from "../../../std/mod.ts";

/** Numbers with a real and an imaginary part. */
type Complex = { re: Float64Array; im: Float64Array };

/** Returns the discrete Fourier transform of one length; `source` stays as it is. */
type Fourier = (source: Complex, result: Complex) => void;

/** Numbers of parts that a length is cut into at once, in the order in which they are tried. */
const FACTORS = [4, 2, 3, 5, 7, 11, 13];

/**
 * Makes the transform of `length` numbers by Cooley and Tukey's algorithm with decimation in time, for any length whose
 * prime factors are small. @throws RangeError for others
 */
export function createFourier(length: number): Fourier {
  const factors = factorsOf(length);
  const cosine = Float64Array.from({ length }, (_, k) => Math.cos((2 * Math.PI * k) / length));
  const sine = Float64Array.from({ length }, (_, k) => -Math.sin((2 * Math.PI * k) / length));
  const most = Math.max(...FACTORS);
  const [partRe, partIm] = [new Float64Array(most), new Float64Array(most)];

  /** The transform of every `stride`-th number from `from`, `count` of them, written from `to`. */
  function transform(source: Complex, result: Complex, from: number, stride: number, to: number, level: number): void {
    const parts = factors[level];
    if (parts === undefined) {
      result.re[to] = source.re[from] ?? 0;
      result.im[to] = source.im[from] ?? 0;
      return;
    }
    const size = length / stride / parts;
    for (let q = 0; q < parts; q++) {
      transform(source, result, from + q * stride, stride * parts, to + q * size, level + 1);
    }
    for (let k = 0; k < size; k++) {
      for (let q = 0; q < parts; q++) {
        partRe[q] = result.re[to + q * size + k] ?? 0;
        partIm[q] = result.im[to + q * size + k] ?? 0;
      }
      for (let j = 0; j < parts; j++) {
        const step = ((k + j * size) * stride) % length;
        let re = 0;
        let im = 0;
        for (let q = 0, turn = 0; q < parts; q++) {
          const c = cosine[turn] ?? 0;
          const s = sine[turn] ?? 0;
          re += (partRe[q] ?? 0) * c - (partIm[q] ?? 0) * s;
          im += (partRe[q] ?? 0) * s + (partIm[q] ?? 0) * c;
          turn += step;
          if (turn >= length) turn -= length;
        }
        result.re[to + j * size + k] = re;
        result.im[to + j * size + k] = im;
      }
    }
  }
  return (source, result) => transform(source, result, 0, 1, 0, 0);
}

function factorsOf(length: number): number[] {
  const factors: number[] = [];
  let rest = length;
  for (const factor of FACTORS) {
    for (; rest % factor === 0; rest /= factor) factors.push(factor);
  }
  if (rest > 1) throw new RangeError(`no transform of ${length} numbers`);
  return factors;
}

/** A triangle over the bins of a spectrum: the weights of bins `from`, `from + 1`, … */
type MelFilter = { from: number; weights: Float64Array };

/** Slaney's mel scale: linear up to 1,000 Hz, logarithmic above. */
const [LINEAR, KNEE, STEP] = [200 / 3, 15, Math.log(6.4) / 27];
const hertz = (mel: number): number => (mel < KNEE ? mel * LINEAR : 1000 * Math.exp(STEP * (mel - KNEE)));
const melOf = (hz: number): number => (hz < 1000 ? hz / LINEAR : KNEE + Math.log(hz / 1000) / STEP);

/**
 * `count` triangles of area one, evenly spaced on the mel scale from 0 to half the rate, over the spectrum of `length`
 * samples, as librosa's `filters.mel` makes them.
 */
function melFilters(count: number, length: number, rate: number): MelFilter[] {
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

/** Samples a second that speech models hear. */
export const SPEECH_RATE = 16_000;
/** Samples between two frames. */
export const HOP = 160;
/** Samples of a frame. */
const FRAME = 400;
/** Range of the logarithm below its highest value. */
const RANGE = 8;

/** Makes what a Whisper model hears of at most `frames` × 160 samples; less is followed by silence. */
type LogMel = (samples: Float32Array) => Float32Array;

/**
 * Returns the logarithm of the mel spectrum as Whisper wants it: frames of 25 ms every 10 ms under a Hann window, the
 * sound mirrored at both ends, `bins` triangles, clipped to 8 below the top, and scaled. The result has shape [bins,
 * frames].
 */
export function createLogMel(bins: number, frames: number): LogMel {
  const filters = melFilters(bins, FRAME, SPEECH_RATE);
  const window = Float64Array.from({ length: FRAME }, (_, i) => 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / FRAME));
  const fourier = createFourier(FRAME);
  const total = frames * HOP;
  const frame = { re: new Float64Array(FRAME), im: new Float64Array(FRAME) };
  const spectrum = { re: new Float64Array(FRAME), im: new Float64Array(FRAME) };
  const power = new Float64Array(FRAME / 2 + 1);

  /** Writes a frame under the window; says whether there is anything in it. */
  const cut = (padded: Float64Array, from: number, to: Float64Array): boolean => {
    let any = false;
    for (let i = 0; i < FRAME; i++) {
      const value = padded[from + i] ?? 0;
      if (value !== 0) any = true;
      to[i] = value * (window[i] ?? 0);
    }
    return any;
  };

  /**
   * Returns the power of the frame in the real part, or in the imaginary one: both are real, so one transform does for
   * two.
   */
  const powerOf = (isSecond: boolean): Float64Array => {
    for (let k = 0; k < power.length; k++) {
      const other = (FRAME - k) % FRAME;
      const [a, b] = [spectrum.re[k] ?? 0, spectrum.im[k] ?? 0];
      const [c, d] = [spectrum.re[other] ?? 0, -(spectrum.im[other] ?? 0)];
      power[k] = (isSecond ? (a - c) ** 2 + (b - d) ** 2 : (a + c) ** 2 + (b + d) ** 2) / 4;
    }
    return power;
  };

  return (samples) => {
    const padded = new Float64Array(total + FRAME);
    padded.set(samples.subarray(0, total), FRAME / 2);
    for (let i = 1; i <= FRAME / 2; i++) {
      padded[FRAME / 2 - i] = padded[FRAME / 2 + i] ?? 0;
      padded[FRAME / 2 + total - 1 + i] = padded[FRAME / 2 + total - 1 - i] ?? 0;
    }
    const features = new Float32Array(bins * frames).fill(-10);
    let top = -10;
    for (let t = 0; t < frames; t += 2) {
      const first = cut(padded, t * HOP, frame.re);
      const second = t + 1 < frames && cut(padded, (t + 1) * HOP, frame.im);
      if (!second) frame.im.fill(0);
      if (!first && !second) continue;
      fourier(frame, spectrum);
      for (const [offset, there] of [first, second].entries()) {
        if (!there) continue;
        const bands = powerOf(offset === 1);
        for (const [band, { from, weights }] of filters.entries()) {
          let sum = 0;
          for (let k = 0; k < weights.length; k++) sum += (bands[from + k] ?? 0) * (weights[k] ?? 0);
          const value = Math.log10(Math.max(sum, 1e-10));
          features[band * frames + t + offset] = value;
          if (value > top) top = value;
        }
      }
    }
    for (let i = 0; i < features.length; i++) features[i] = (Math.max(features[i] ?? 0, top - RANGE) + 4) / 4;
    return features;
  };
}
