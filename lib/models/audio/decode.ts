import { decodeFlac, flacHead } from "./formats/flac.ts";
import { decodeOpus, oggPackets, opusHead, opusSeconds } from "./formats/opus.ts";
import { checkMp3, decodeMp3, decodeWithFfmpeg, type FfmpegOptions } from "./formats/program.ts";
import { AudioError, createResampler, decodeWav, type Pcm, type Resampler, wavHead } from "./pcm.ts";

export { AudioError, type AudioErrorCode } from "./pcm.ts";

/** Recordings that are told apart by their bytes, with the name of a file of that kind. */
export type AudioFormat = { name: string; mime: string; extension: string };

type Signature = AudioFormat & { matches(bytes: Uint8Array): boolean };

const text = (bytes: Uint8Array, at: number, length: number): string =>
  String.fromCharCode(...bytes.subarray(at, at + length));

const format = (name: string, mime: string, extension: string, matches: Signature["matches"]): Signature => ({
  name,
  mime,
  extension,
  matches,
});

/** In the order in which they are tried. */
const FORMATS: readonly Signature[] = [
  format("WAV", "audio/wav", "wav", (b) => /^(RIFF|RF64)$/.test(text(b, 0, 4)) && text(b, 8, 4) === "WAVE"),
  format("FLAC", "audio/flac", "flac", (b) => text(b, 0, 4) === "fLaC"),
  format("Ogg", "audio/ogg", "ogg", (b) => text(b, 0, 4) === "OggS"),
  format(
    "MP4",
    "audio/mp4",
    "m4a",
    (b) => text(b, 4, 4) === "ftyp" && /^(M4A|M4B|mp4|isom|iso\d|dash|3gp|qt )/i.test(text(b, 8, 4)),
  ),
  format("WebM", "audio/webm", "webm", (b) => b[0] === 0x1a && b[1] === 0x45 && b[2] === 0xdf && b[3] === 0xa3),
  format("AIFF", "audio/aiff", "aiff", (b) => text(b, 0, 4) === "FORM" && /^AIF[FC]$/.test(text(b, 8, 4))),
  format("AMR", "audio/amr", "amr", (b) => text(b, 0, 5) === "#!AMR"),
  format("AAC", "audio/aac", "aac", (b) => isAdts(b)),
  format("MP3", "audio/mpeg", "mp3", (b) => (text(b, 0, 3) === "ID3" && (b[3] ?? 0xff) < 0xff) || isMpeg(b)),
];

/** Returns the kind of recording that bytes are, by how they begin; undefined when they are none. */
export function audioFormat(bytes: Uint8Array): AudioFormat | undefined {
  const matchingFormat = FORMATS.find(({ matches }) => matches(bytes));
  return (
    matchingFormat && { name: matchingFormat.name, mime: matchingFormat.mime, extension: matchingFormat.extension }
  );
}

/** The head of an ADTS frame (ISO/IEC 13818-7): sync word, layer 0, a sampling rate that exists. */
function isAdts(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  return first === 0xff && (second & 0xf6) === 0xf0 && ((third >> 2) & 0x0f) < 13;
}

/**
 * The head of an MPEG audio frame (ISO/IEC 11172-3): sync word, layer II or III, and a version, bit rate and sampling
 * rate that exist. Nobody uses layer I, whose head is how a text in UTF-16 begins.
 */
function isMpeg(bytes: Uint8Array): boolean {
  const [first = 0, second = 0, third = 0] = bytes;
  const [version, layer, rate, sampling] = [(second >> 3) & 3, (second >> 1) & 3, third >> 4, (third >> 2) & 3];
  return (
    first === 0xff &&
    (second & 0xe0) === 0xe0 &&
    version !== 1 &&
    (layer === 1 || layer === 2) &&
    rate !== 0 &&
    rate !== 15 &&
    sampling !== 3
  );
}

/** Says how a recording is decoded. */
export type DecodeOptions = {
  /** Samples a second of the result. */
  rate: number;
  /** Seconds of the longest recording that is read. */
  maxSeconds: number;
  signal?: AbortSignal | undefined;
  ffmpeg?: FfmpegOptions | undefined;
};

/** Says how often the samples a second may change within a recording: each time costs tens of milliseconds. */
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
 * Returns the kind of recording that bytes are, by their beginning and by the head of those that are decoded here;
 * nothing is decoded. @throws AudioError, with what is wrong
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
 * Returns the sound of a recording in one channel, in stretches of some seconds at most, decoded as it is asked for:
 * memory is bounded however long it is. Blocks the calling thread for tens of milliseconds at a time.
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
