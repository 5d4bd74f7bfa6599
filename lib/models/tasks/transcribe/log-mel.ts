import { createFourier } from "./fourier.ts";
import { melFilters } from "./mel-filters.ts";

/** Samples a second that speech models hear. */
export const SPEECH_RATE = 16_000;
/** Samples between two frames. */
export const HOP = 160;
/** Samples of a frame. */
const FRAME = 400;
/** Range of the logarithm below its highest value. */
const RANGE = 8;

/** Makes what a Whisper model hears of at most `frames` × 160 samples; less is followed by silence. */
export type LogMel = (samples: Float32Array) => Float32Array;

/**
 * The logarithm of the mel spectrum as Whisper wants it: frames of 25 ms every 10 ms under a Hann window, the sound
 * mirrored at both ends, `bins` triangles, clipped to 8 below the top, and scaled. The result has shape [bins, frames].
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

  /** The power of the frame in the real part, or in the imaginary one: both are real, so one transform does for two. */
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
