import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { Decoder } from "minimp3-wasm";
import { AudioError } from "../error.ts";
import { checkShape, type Pcm } from "../pcm.ts";

/** Seconds that are decoded at a time. */
const STRETCH_S = 5;
/** Bytes behind a tag in which a frame has to begin. */
const WITHIN = 65_536;

let compiled: WebAssembly.Module | undefined;

/** The decoder's code, compiled once a thread. */
function decoderModule(): WebAssembly.Module {
  compiled ??= new WebAssembly.Module(
    readFileSync(fileURLToPath(import.meta.resolve("minimp3-wasm/dist/decoder.opt.wasm"))),
  );
  return compiled;
}

/** Checks that a frame of MPEG sound stands where the sound should begin. @throws AudioError `no-audio` */
export function checkMp3(bytes: Uint8Array): object {
  const from = Math.min(afterTag(bytes), bytes.length);
  for (let at = from; at < Math.min(from + WITHIN, bytes.length - 3); at++) {
    const length = frameLength(bytes, at);
    if (length === undefined) continue;
    // The next frame follows at once, unless this one is the last.
    if (at + length + 3 >= bytes.length || frameLength(bytes, at + length) !== undefined) return {};
  }
  throw new AudioError("no-audio", "No frame of MPEG sound is in the bytes.");
}

/** The samples of an MP3 file; one that is cut gives what is whole. @throws AudioError `no-audio`, `damaged` */
export function* decodeMp3(bytes: Uint8Array): Generator<Pcm> {
  const decoder = new Decoder(new WebAssembly.Instance(decoderModule()).exports, bytes.subarray(afterTag(bytes)));
  let given = 0;
  for (;;) {
    const { pcm, numSamples, numChannels, samplingRate: rate } = decoder.decode(STRETCH_S);
    if (numSamples === 0) break;
    checkShape({ rate, channels: numChannels });
    const samples = new Float32Array(numSamples / numChannels);
    for (let i = 0; i < samples.length; i++) {
      let sum = 0;
      for (let c = 0; c < numChannels; c++) sum += pcm[i * numChannels + c] ?? 0;
      samples[i] = sum / numChannels / 0x8000;
    }
    given += samples.length;
    yield { rate, samples };
  }
  if (given === 0) throw new AudioError("damaged", "No frame of the MP3 file can be decoded.");
}

/** Where an ID3v2 tag ends; its length is coded in seven bits a byte. */
function afterTag(bytes: Uint8Array): number {
  if (bytes[0] !== 0x49 || bytes[1] !== 0x44 || bytes[2] !== 0x33) return 0;
  const [a = 0, b = 0, c = 0, d = 0] = bytes.subarray(6, 10);
  return 10 + (((a & 127) << 21) | ((b & 127) << 14) | ((c & 127) << 7) | (d & 127));
}

/** kbit/s by layer (III, II) for MPEG-1, then for MPEG-2 and 2.5. */
const KILOBITS: readonly (readonly (readonly number[])[])[] = [
  [
    [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
    [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384],
  ],
  [
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
    [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
  ],
];
const RATES = [44_100, 48_000, 32_000];

/** Bytes of the frame of layer II or III whose head stands here; undefined when none does. */
function frameLength(bytes: Uint8Array, at: number): number | undefined {
  const [first = 0, second = 0, third = 0] = bytes.subarray(at, at + 3);
  if (first !== 0xff || (second & 0xe0) !== 0xe0) return undefined;
  const [version, layer] = [(second >> 3) & 3, (second >> 1) & 3];
  if (version === 1 || layer === 0 || layer === 3) return undefined;
  const isFirst = version === 3;
  const kilobits = KILOBITS[isFirst ? 0 : 1]?.[layer - 1]?.[(third >> 4) - 1];
  const rate = RATES[(third >> 2) & 3];
  if (kilobits === undefined || rate === undefined) return undefined;
  const samples = layer === 1 && !isFirst ? 72 : 144;
  const halved = version === 3 ? 1 : version === 2 ? 2 : 4;
  return Math.floor((samples * kilobits * 1000) / (rate / halved)) + ((third >> 1) & 1);
}
