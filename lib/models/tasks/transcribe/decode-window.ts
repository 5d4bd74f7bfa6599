import { deflateSync } from "node:zlib";
import { at } from "../../../std/mod.ts";
import type { Advance } from "../../runtime/decoding/beam-search.ts";
import type { TokenText } from "./byte-level.ts";
import { applyRules, type TokenRules } from "./timestamp-rules.ts";

/** What was heard in a window: its tokens, and the mean logarithm of their probability. */
export type Heard = { tokens: number[]; logProbability: number };

export type SamplingOptions = {
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
const MOST_REPETITION = 2.4;
const SILENCE = 0.6;

/**
 * What is said in a window, undefined when nothing is. An attempt that goes round in circles or is unlikely is followed
 * by one at the next temperature; the last one holds. `noSpeech` is the probability that nobody speaks.
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
    if (!isUnlikely && repetition(textOf(heard.tokens)) <= MOST_REPETITION) break;
  }
  return heard;
}

/** How many times shorter a text becomes by compression. */
function repetition(text: string): number {
  const bytes = Buffer.from(text.trim());
  return bytes.length / deflateSync(bytes).length;
}
