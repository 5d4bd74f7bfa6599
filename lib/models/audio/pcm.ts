/** Why bytes give no sound. */
export type AudioErrorCode =
  /** They are no recording, or one that holds nothing. */
  | "no-audio"
  /** They begin as a recording does and go on otherwise. */
  | "damaged"
  /** A recording that nothing here reads. */
  | "unsupported"
  /** It goes on for longer than is read. */
  | "too-long";

/** Bytes that cannot be listened to; the message is made for who sent them. */
export class AudioError extends Error {
  override readonly name = "AudioError";
  readonly code: AudioErrorCode;

  constructor(code: AudioErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** A stretch of sound, all channels made one: samples from -1 to 1, `rate` of them a second. */
export type Pcm = { rate: number; samples: Float32Array };

/** Channels and samples a second that recordings have at most; more is a head that lies. */
const MAX_CHANNELS = 32;
const RATES = { least: 1_000, most: 768_000 };

/** Checks what a head says. @throws AudioError `damaged` */
export function checkShape({ rate, channels }: { rate: number; channels: number }): void {
  if (channels < 1 || channels > MAX_CHANNELS) {
    throw new AudioError("damaged", `The recording names ${channels} channels; 1 to ${MAX_CHANNELS} are read.`);
  }
  if (!(rate >= RATES.least && rate <= RATES.most)) {
    throw new AudioError(
      "damaged",
      `The recording names ${rate} samples a second; ${RATES.least} to ${RATES.most} are read.`,
    );
  }
}

/** Returns the mean of several channels of the same length, in a new array. */
export function mixDown(channels: readonly Float32Array[]): Float32Array {
  const mixed = new Float32Array(channels[0]?.length ?? 0);
  for (const channel of channels) for (const [i, value] of channel.entries()) mixed[i] = (mixed[i] ?? 0) + value;
  if (channels.length > 1) for (const [i, value] of mixed.entries()) mixed[i] = value / channels.length;
  return mixed;
}

/** Zero crossings of the kernel on either side: how steep the filter is. */
const CROSSINGS = 32;
/** Says where it begins to fall, as a part of half the lower rate. */
const ROLLOFF = 0.92;
/** Shape of the Kaiser window: aliases are 80 dB down. */
const BETA = 8;
/**
 * Places between two samples of the lower rate for which weights are kept; for others the nearest is taken. However
 * many samples the source has a second, the weights then are made within tens of milliseconds.
 */
const MAX_PHASES = 1_024;

/** Changes the number of samples a second of sound that comes in stretches. */
export type Resampler = {
  /** Returns what the samples so far and these give; the sound of the last ones comes with the next call. */
  push(samples: Float32Array): Float32Array;
  /** Returns the rest. */
  end(): Float32Array;
};

/**
 * Returns a band-limited resampler: each sample is a sum over a sinc under a Kaiser window around its place in the
 * source, whose cut-off lies below half of the lower rate, so that nothing folds back.
 */
export function createResampler(from: number, to: number): Resampler {
  if (from === to) return { push: (samples) => samples, end: () => new Float32Array() };
  const common = gcd(from, to);
  const stretch = Math.max(1, from / to);
  const phases = Math.min(to / common, Math.ceil(MAX_PHASES / stretch));
  const half = Math.ceil(CROSSINGS * stretch);
  const taps = 2 * half;
  const weights = kernel(phases, half, ROLLOFF / stretch);
  // Silence before the beginning, so that the first sample has neighbours.
  let kept = new Float32Array(half - 1);
  /** Samples that were taken, and of the result, that were given; place of `kept` in the source. */
  let [taken, given, start] = [0, 0, 1 - half];

  const upTo = (end: number): Float32Array => {
    const out = new Float32Array(Math.max(0, end - given));
    for (let i = 0; i < out.length; i++, given++) {
      const place = (given * from) / to;
      let whole = Math.floor(place);
      let phase = Math.round((place - whole) * phases);
      if (phase === phases) [whole, phase] = [whole + 1, 0];
      out[i] = product(kept, whole - half + 1 - start, weights, phase * taps, taps);
    }
    const drop = Math.min(kept.length, Math.max(0, Math.floor((given * from) / to) - half + 1 - start));
    kept = kept.slice(drop);
    start += drop;
    return out;
  };

  return {
    push(samples) {
      taken += samples.length;
      const joined = new Float32Array(kept.length + samples.length);
      joined.set(kept);
      joined.set(samples, kept.length);
      kept = joined;
      // As far as all neighbours are there.
      return upTo(Math.floor(((taken - half - 1) * to) / from));
    },
    end: () => upTo(Math.round((taken * to) / from)),
  };
}

/** Returns the sum of products of a row of weights with as many samples; behind the last sample is silence. */
function product(samples: Float32Array, from: number, weights: Float32Array, row: number, taps: number): number {
  const count = Math.min(taps, samples.length - from);
  let sum = 0;
  for (let t = 0; t < count; t++) sum += (samples[from + t] ?? 0) * (weights[row + t] ?? 0);
  return sum;
}

/**
 * For each phase, the weights of the samples around it, which sum to 1. `cutoff` is a part of half the source's rate.
 */
function kernel(phases: number, half: number, cutoff: number): Float32Array {
  const taps = 2 * half;
  const weights = new Float32Array(phases * taps);
  for (let phase = 0; phase < phases; phase++) {
    let sum = 0;
    const row = Array.from({ length: taps }, (_, t) => {
      const distance = t - half + 1 - phase / phases;
      const weight = sinc(distance * cutoff) * kaiser(distance / half);
      sum += weight;
      return weight;
    });
    weights.set(
      row.map((weight) => weight / sum),
      phase * taps,
    );
  }
  return weights;
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

function kaiser(x: number): number {
  return Math.abs(x) >= 1 ? 0 : bessel(BETA * Math.sqrt(1 - x * x)) / bessel(BETA);
}

/** Returns the modified Bessel function of the first kind, order 0, by its series. */
function bessel(x: number): number {
  let [sum, term] = [1, 1];
  for (let k = 1; term > sum * 1e-12; k++) {
    term *= (x / (2 * k)) ** 2;
    sum += term;
  }
  return sum;
}

function gcd(a: number, b: number): number {
  return b === 0 ? a : gcd(b, a % b);
}

/** Says how the samples of a WAV file lie in it. */
type WavHead = {
  rate: number;
  channels: number;
  /** Bytes of one sample. */
  width: number;
  read: (view: DataView, at: number) => number;
  /** Says where the samples are, as far as the file goes. */
  from: number;
  to: number;
  seconds: number;
};

type Format = Omit<WavHead, "from" | "to" | "seconds">;

/** Codes of the format chunk (RFC 2361); an extensible head names one of them in its sub-format. */
const [PCM, FLOAT, A_LAW, MU_LAW, EXTENSIBLE] = [1, 3, 6, 7, 0xfffe];

/** Frames that are decoded at a time. */
const FRAMES = 16_384;

/**
 * Returns the head of a RIFF or RF64 file with integers of 8 to 32 bits, floats, A-law or µ-law. A length that goes
 * beyond the end, as streams state it, means all that is there. @throws AudioError `damaged`, `unsupported`, `no-audio`
 */
export function wavHead(bytes: Uint8Array): WavHead {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let format: Format | undefined;
  for (let at = 12; at + 8 <= bytes.length; ) {
    const [name, length] = [view.getUint32(at), view.getUint32(at + 4, true)];
    const from = at + 8;
    if (name === 0x666d7420) format = formatOf(view, from, Math.min(length, bytes.length - from));
    if (name === 0x64617461) {
      if (format === undefined) break;
      const frame = format.width * format.channels;
      const frames = Math.floor(Math.min(length, bytes.length - from) / frame);
      if (frames === 0) throw new AudioError("no-audio", "The WAV file holds no samples.");
      return { ...format, from, to: from + frames * frame, seconds: frames / format.rate };
    }
    at = from + length + (length % 2);
  }
  throw new AudioError("damaged", "The WAV file ends before its samples.");
}

/** Returns the samples of a WAV file. @throws AudioError as {@link wavHead} */
export function* decodeWav(bytes: Uint8Array): Generator<Pcm> {
  const { rate, channels, width, read, from, to } = wavHead(bytes);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const frame = width * channels;
  for (let at = from; at < to; at += FRAMES * frame) {
    const samples = new Float32Array(Math.min(FRAMES, (to - at) / frame));
    for (let i = 0; i < samples.length; i++) {
      let sum = 0;
      for (let c = 0; c < channels; c++) sum += read(view, at + i * frame + c * width);
      samples[i] = sum / channels;
    }
    yield { rate, samples };
  }
}

function formatOf(view: DataView, at: number, length: number): Format {
  if (length < 16) throw new AudioError("damaged", "The head of the WAV file is cut.");
  const named = view.getUint16(at, true);
  const code = named === EXTENSIBLE && length >= 26 ? view.getUint16(at + 24, true) : named;
  const [channels, rate] = [view.getUint16(at + 2, true), view.getUint32(at + 4, true)];
  const bits = view.getUint16(at + 14, true);
  checkShape({ rate, channels });
  const read = READERS[`${code}/${bits}`];
  if (read === undefined) {
    throw new AudioError(
      "unsupported",
      `Samples of ${bits} bits with format code ${code} are not read from WAV files.`,
    );
  }
  return { rate, channels, width: bits / 8, read };
}

const READERS: Readonly<Record<string, WavHead["read"]>> = {
  [`${PCM}/8`]: (view, at) => (view.getUint8(at) - 128) / 128,
  [`${PCM}/16`]: (view, at) => view.getInt16(at, true) / 0x8000,
  [`${PCM}/24`]: (view, at) => ((view.getInt8(at + 2) << 16) | view.getUint16(at, true)) / 0x800000,
  [`${PCM}/32`]: (view, at) => view.getInt32(at, true) / 0x80000000,
  [`${FLOAT}/32`]: (view, at) => bounded(view.getFloat32(at, true)),
  [`${FLOAT}/64`]: (view, at) => bounded(view.getFloat64(at, true)),
  [`${A_LAW}/8`]: (view, at) => aLaw(view.getUint8(at)),
  [`${MU_LAW}/8`]: (view, at) => muLaw(view.getUint8(at)),
};

/** Floats may be anything; what is no number is silence. */
function bounded(value: number): number {
  return value >= -1 ? Math.min(value, 1) : value < -1 ? -1 : 0;
}

/** ITU-T G.711. */
function aLaw(code: number): number {
  const value = code ^ 0x55;
  const [exponent, mantissa] = [(value >> 4) & 7, value & 0x0f];
  const size = exponent === 0 ? (mantissa << 4) + 8 : ((mantissa << 4) + 0x108) << (exponent - 1);
  return (value & 0x80 ? size : -size) / 0x8000;
}

/** ITU-T G.711. */
function muLaw(code: number): number {
  const value = ~code & 0xff;
  const size = ((((value & 0x0f) << 3) + 0x84) << ((value >> 4) & 7)) - 0x84;
  return (value & 0x80 ? -size : size) / 0x8000;
}
