import { AudioError, checkShape, type Pcm } from "../pcm.ts";

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
