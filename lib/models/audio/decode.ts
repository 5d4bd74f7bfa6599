import { AudioError } from "./error.ts";
import { audioFormat } from "./format.ts";
import { decodeWithFfmpeg, type FfmpegOptions } from "./formats/ffmpeg.ts";
import { decodeFlac, flacHead } from "./formats/flac.ts";
import { checkMp3, decodeMp3 } from "./formats/mp3.ts";
import { oggPackets } from "./formats/ogg.ts";
import { decodeOpus, opusHead, opusSeconds } from "./formats/opus.ts";
import { decodeWav, wavHead } from "./formats/wav.ts";
import type { Pcm } from "./pcm.ts";
import { createResampler, type Resampler } from "./resample.ts";
import type { AudioFormat } from "./format.ts";

/** How a recording is decoded. */
export type DecodeOptions = {
  /** Samples a second of the result. */
  rate: number;
  /** Seconds of the longest recording that is read. */
  maxSeconds: number;
  signal?: AbortSignal | undefined;
  ffmpeg?: FfmpegOptions | undefined;
};

/** How often the samples a second may change within a recording: each time costs tens of milliseconds. */
const MAX_RATE_CHANGES = 100;

type Decoder = {
  /** Reads the head only; says how long the recording is, where that stands there. */
  check(bytes: Uint8Array): { seconds?: number | undefined };
  decode(bytes: Uint8Array, options: Pick<DecodeOptions, "ffmpeg" | "signal">): Iterable<Pcm> | AsyncIterable<Pcm>;
};

const DECODERS: Readonly<Record<string, Decoder>> = {
  WAV: { check: wavHead, decode: decodeWav },
  FLAC: { check: flacHead, decode: decodeFlac },
  MP3: { check: checkMp3, decode: (bytes, { signal }) => decodeMp3(bytes, { signal }) },
  Ogg: {
    check: checkOgg,
    decode: (bytes, options) => (isOpus(bytes) ? decodeOpus(bytes) : decodeOther(bytes, options)),
  },
};

const OTHERS: Decoder = { check: () => ({}), decode: decodeOther };

function decodeOther(bytes: Uint8Array, { ffmpeg, signal }: Pick<DecodeOptions, "ffmpeg" | "signal">) {
  return decodeWithFfmpeg(bytes, { ...ffmpeg, signal });
}

/**
 * The kind of recording that bytes are, by their beginning and by the head of those that are decoded here; nothing is
 * decoded. @throws AudioError, with what is wrong
 */
export function checkAudio(bytes: Uint8Array): AudioFormat {
  return headOf(bytes).format;
}

function headOf(bytes: Uint8Array): { format: AudioFormat; decoder: Decoder; seconds: number } {
  const format = audioFormat(bytes);
  if (format === undefined) throw new AudioError("no-audio", "The bytes are no recording that is known here.");
  const decoder = DECODERS[format.name] ?? OTHERS;
  return { format, decoder, seconds: decoder.check(bytes).seconds ?? 0 };
}

/**
 * The sound of a recording in one channel, in stretches of some seconds at most, decoded as it is asked for: memory is
 * bounded however long it is. Blocks the calling thread for tens of milliseconds at a time.
 * @throws AudioError; the signal's reason
 */
export async function* decodeAudio(bytes: Uint8Array, options: DecodeOptions): AsyncGenerator<Float32Array> {
  const { rate, maxSeconds, signal } = options;
  const { decoder, seconds: stated } = headOf(bytes);
  const tooLong = () => new AudioError("too-long", `The recording is longer than ${maxSeconds} seconds.`);
  if (stated > maxSeconds) throw tooLong();
  let resampler: (Resampler & { from: number }) | undefined;
  let [seconds, changes] = [0, 0];
  for await (const { rate: from, samples } of decoder.decode(bytes, options)) {
    signal?.throwIfAborted();
    seconds += samples.length / from;
    if (seconds > maxSeconds) throw tooLong();
    if (resampler?.from !== from) {
      if (resampler !== undefined) yield resampler.end();
      if (changes++ > MAX_RATE_CHANGES) {
        throw new AudioError(
          "damaged",
          `The recording changes its samples a second more than ${MAX_RATE_CHANGES} times.`,
        );
      }
      resampler = { ...createResampler(from, rate), from };
    }
    yield resampler.push(samples);
  }
  if (resampler !== undefined) yield resampler.end();
}

function checkOgg(bytes: Uint8Array): { seconds?: number | undefined } {
  const { value: first } = oggPackets(bytes).next();
  if (first === undefined) throw new AudioError("damaged", "The first page of the Ogg file is cut.");
  return opusHead(first.data) === undefined ? {} : { seconds: opusSeconds(bytes) };
}

function isOpus(bytes: Uint8Array): boolean {
  const { value: first } = oggPackets(bytes).next();
  return first !== undefined && opusHead(first.data) !== undefined;
}
