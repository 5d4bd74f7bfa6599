/** Numbers with a real and an imaginary part. */
export type Complex = { re: Float64Array; im: Float64Array };

/** The discrete Fourier transform of one length; `source` stays as it is. */
export type Fourier = (source: Complex, result: Complex) => void;

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
