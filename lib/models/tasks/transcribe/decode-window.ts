import { deflateSync } from "node:zlib";
import { at } from "../../../std/mod.ts";
import type { Advance } from "../../runtime/decoding/encoder-decoder.ts";

/** The tokens that matter to what may follow. */
export type TokenRules = {
  /** The first time stamp, of 0 s; all tokens from there on are time stamps. */
  firstStamp: number;
  /** The end of a window; tokens below it are text. */
  end: number;
  noStamps: number;
  /** Tokens that are never put, and those that are not put first. */
  suppressed: readonly number[];
  suppressedFirst: readonly number[];
  /** The latest time stamp that a window may begin with, counted from the first. */
  latestFirst: number;
};

const NEVER = Number.NEGATIVE_INFINITY;

/**
 * Takes from the logits of the next token what must not follow on `heard`, in place: time stamps come first, in pairs
 * and in order, and whenever all of them together are likelier than any text (`ApplyTimestampRules` of openai/whisper).
 */
export function applyRules(logits: Float32Array, heard: readonly number[], rules: TokenRules): void {
  const { firstStamp, end, noStamps, suppressed, suppressedFirst, latestFirst } = rules;
  for (const token of suppressed) logits[token] = NEVER;
  logits[noStamps] = NEVER;
  const isStamp = (token: number | undefined): boolean => token === undefined || token >= firstStamp;
  const endsInStamp = heard.length > 0 && isStamp(heard.at(-1));
  const endsInPair = endsInStamp && isStamp(heard.at(-2));
  if (endsInPair) logits.fill(NEVER, firstStamp);
  else if (endsInStamp) logits.fill(NEVER, 0, end);
  const last = heard.findLast((token) => token >= firstStamp);
  // A stretch of text has some length.
  if (last !== undefined) logits.fill(NEVER, firstStamp, endsInStamp && !endsInPair ? last : last + 1);
  if (heard.length === 0) {
    for (const token of suppressedFirst) logits[token] = NEVER;
    logits.fill(NEVER, 0, firstStamp);
    logits.fill(NEVER, firstStamp + latestFirst + 1);
    return;
  }
  let [text, stamp] = [NEVER, NEVER];
  for (let token = 0; token < firstStamp; token++) text = Math.max(text, logits[token] ?? NEVER);
  for (let token = firstStamp; token < logits.length; token++) stamp = Math.max(stamp, logits[token] ?? NEVER);
  let stamps = 0;
  if (stamp > NEVER)
    for (let token = firstStamp; token < logits.length; token++) stamps += Math.exp((logits[token] ?? NEVER) - stamp);
  if (stamp + Math.log(stamps) > text) logits.fill(NEVER, 0, firstStamp);
}

/** Holds what was heard in a window: its tokens, and the mean logarithm of their probability. */
export type Heard = { tokens: number[]; logProbability: number };

type SamplingOptions = {
  rules: TokenRules;
  /** Tokens that are put, at most. */
  longest: number;
  /** 0 takes the likeliest token; higher ones choose more freely. */
  temperature: number;
  random: () => number;
  /** Called before every step. */
  check: () => void;
};

/** Puts token after token, from the logits of the first one on, until the end of the window or `longest`. */
export async function sampleTokens(
  advance: Advance,
  first: Float32Array,
  { rules, longest, temperature, random, check }: SamplingOptions,
): Promise<Heard> {
  const tokens: number[] = [];
  let sum = 0;
  for (let logits = first; ; ) {
    applyRules(logits, tokens, rules);
    const { token, logProbability } = choose(logits, temperature, random);
    sum += logProbability;
    if (token === rules.end) break;
    tokens.push(token);
    if (tokens.length === longest) break;
    check();
    logits = (await advance([{ parent: 0, token }])).data;
  }
  return { tokens, logProbability: sum / (tokens.length + 1) };
}

function choose(
  logits: Float32Array,
  temperature: number,
  random: () => number,
): { token: number; logProbability: number } {
  let token = 0;
  let top = Number.NEGATIVE_INFINITY;
  for (let i = 0; i < logits.length; i++) {
    const logit = logits[i] ?? top;
    if (logit > top) [token, top] = [i, logit];
  }
  if (temperature > 0) {
    const weight = (i: number): number => Math.exp(((logits[i] ?? 0) - top) / temperature);
    let all = 0;
    for (let i = 0; i < logits.length; i++) all += weight(i);
    let left = random() * all;
    for (let i = 0; i < logits.length && left > 0; i++) {
      if (weight(i) > 0) token = i;
      left -= weight(i);
    }
  }
  let total = 0;
  for (const logit of logits) total += Math.exp(logit - top);
  return { token, logProbability: at(logits, token) - top - Math.log(total) };
}

/** Temperatures that are tried one after the other, and what makes an attempt fail: `transcribe` of openai/whisper. */
export const TEMPERATURES: readonly number[] = [0, 0.2, 0.4, 0.6, 0.8, 1];
const LEAST_LOG_PROBABILITY = -1;
const MAX_REPETITION = 2.4;
const SILENCE = 0.6;

/**
 * Returns what is said in a window, undefined when nothing is. An attempt that goes round in circles or is unlikely is
 * followed by one at the next temperature; the last one holds. `noSpeech` is the probability that nobody speaks.
 */
export async function decodeWindow(
  attempt: (temperature: number) => Promise<Heard & { noSpeech: number }>,
  { temperatures, textOf }: { temperatures: readonly number[]; textOf: TokenText },
): Promise<Heard | undefined> {
  let heard: Heard | undefined;
  for (const temperature of temperatures) {
    const { noSpeech, ...now } = await attempt(temperature);
    const isUnlikely = now.logProbability < LEAST_LOG_PROBABILITY;
    if (isUnlikely && noSpeech > SILENCE) return undefined;
    heard = now;
    if (!isUnlikely && repetition(textOf(heard.tokens)) <= MAX_REPETITION) break;
  }
  return heard;
}

/** Counts how many times shorter a text becomes by compression. */
function repetition(text: string): number {
  const bytes = Buffer.from(text.trim());
  return bytes.length / deflateSync(bytes).length;
}

/** Tokens between two times, in positions of the encoder from the window's beginning. */
type Stretch = { start: number; end: number; tokens: readonly number[] };

/**
 * Cuts what was heard in a window of `length` positions where two time stamps meet. `advance` says where the next
 * window begins: at the last such place, since what follows it may have been cut off, or behind this one
 * (`transcribe` of openai/whisper).
 */
export function cutWindow(
  tokens: readonly number[],
  length: number,
  { firstStamp }: Pick<TokenRules, "firstStamp">,
): { stretches: Stretch[]; advance: number } {
  const isStamp = tokens.map((token) => token >= firstStamp);
  const position = (place: number): number => at(tokens, place) - firstStamp;
  const cuts = tokens.flatMap((_, i) => (i > 0 && isStamp[i] && isStamp[i - 1] ? [i] : []));
  const endsInOne = isStamp.at(-1) === true && isStamp.at(-2) === false;
  if (cuts.length === 0) {
    const last = tokens.findLast((token) => token > firstStamp);
    const end = last === undefined ? length : last - firstStamp;
    return { stretches: [{ start: 0, end, tokens }], advance: length };
  }
  if (endsInOne) cuts.push(tokens.length);
  const stretches = cuts.map((cut, i): Stretch => {
    const from = i === 0 ? 0 : at(cuts, i - 1);
    return { start: position(from), end: position(cut - 1), tokens: tokens.slice(from, cut) };
  });
  const last = position(at(cuts, cuts.length - 1) - 1);
  return { stretches, advance: endsInOne ? length : Math.max(1, Math.min(last, length)) };
}

/** Returns the text of tokens, whose letters are bytes. */
type TokenText = (tokens: readonly number[]) => string;

/**
 * Reads tokens of byte-level BPE back as text: each letter of the vocabulary stands for a byte, as GPT-2 defined it. A
 * token that has no text, as the special ones, is passed over; bytes that are no UTF-8 become U+FFFD.
 */
export function createTokenText(vocabulary: Readonly<Record<string, number>>): TokenText {
  const byteOf = letterBytes();
  const bytesOf = new Map<number, Uint8Array>();
  for (const [letters, id] of Object.entries(vocabulary)) {
    const bytes = Array.from(letters, (letter) => byteOf.get(letter));
    if (bytes.every((byte) => byte !== undefined)) bytesOf.set(id, Uint8Array.from(bytes));
  }
  return (tokens) =>
    new TextDecoder("utf-8", { ignoreBOM: true }).decode(
      Buffer.concat(tokens.map((token) => bytesOf.get(token) ?? new Uint8Array())),
    );
}

function letterBytes(): Map<string, number> {
  const isPlain = (byte: number): boolean => (byte > 32 && byte < 127) || (byte > 160 && byte < 256 && byte !== 173);
  const byteOf = new Map<string, number>();
  for (let byte = 0, others = 0; byte < 256; byte++) {
    byteOf.set(String.fromCodePoint(isPlain(byte) ? byte : 256 + others++), byte);
  }
  return byteOf;
}
