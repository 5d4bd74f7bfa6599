import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { at } from "../../../std/collections.ts";
import { type Genre, modelId } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry } from "../../runtime/model-host.ts";
import { ANSWER_THREADS } from "../../runtime/onnxruntime.ts";
import type { Asked, ClassifyOptions } from "./classify-model.ts";

const ARABIC = /\p{Script=Arabic}/u;
const LETTER = /\p{L}/u;

/** Returns what a code point says of its text's script: more Arabic, less, or nothing. */
function weigh(point: number): number {
  const char = String.fromCodePoint(point);
  if (ARABIC.test(char)) return 1;
  return LETTER.test(char) ? -1 : 0;
}

const UNKNOWN = 2;

/** The weights of code points below 0x10000, from the first time that they are met. */
const weights = new Int8Array(0x10000).fill(UNKNOWN);

function weightOf(point: number): number {
  const kept = weights[point];
  if (kept === undefined) return weigh(point);
  if (kept !== UNKNOWN) return kept;
  const weight = weigh(point);
  weights[point] = weight;
  return weight;
}

/**
 * Returns the language whose script has most of the letters of `text`: `ar` for Arabic script, `en` for any other;
 * undefined without letters.
 */
export function scriptLanguage(text: string): "ar" | "en" | undefined {
  let balance = 0;
  let letters = 0;
  for (let i = 0; i < text.length; i++) {
    const point = text.codePointAt(i) ?? 0;
    if (point > 0xffff) i++;
    const weight = weightOf(point);
    balance += weight;
    if (weight !== 0) letters++;
  }
  if (letters === 0) return undefined;
  return balance >= 0 ? "ar" : "en";
}

/** Sentences to probabilities; calls made at the same time share runs of the model. */
export interface Classifier {
  /** `name@revision`. */
  readonly modelId: string;
  /** The languages that the model was trained on. */
  readonly languages: readonly string[];
  /**
   * Returns a calibrated probability a sentence, in order. Any string is allowed. `lang` says how all are read; without
   * it each sentence is read by the script of most of its letters. `genre`: what all are from, by default `debate`. A
   * sentence without a letter or digit says nothing: 0.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; `model-invalid` when the model has no
   * output for language and genre; the signal's reason when aborted
   */
  classify(
    sentences: readonly string[],
    options?: { lang?: string; genre?: Genre; signal?: AbortSignal },
  ): Promise<number[]>;
  /**
   * Returns the probability from which a sentence counts as positive, tuned for the highest F1 on sentences of the
   * language and genre that were not trained on. `genre`: by default `debate`. @throws InferenceError `model-invalid`
   */
  threshold(lang: string, genre?: Genre): number;
  /**
   * Returns the probability from which a sentence of news is kept that nobody asked about: that at which most of what
   * is kept is right. @throws InferenceError `model-invalid`
   */
  keeps(lang: string): number;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

const SAYS_SOMETHING = /[\p{L}\p{N}]/u;

/**
 * Starts a thread with the model, after checking its files. Where its first use opens it, a graph is opened when it is
 * asked.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed`
 */
export async function createClassifier(options: ModelOptions): Promise<Classifier> {
  const {
    registry,
    threads = ANSWER_THREADS,
    maxQueue = 2048,
    timeoutMs = 10_000,
    idleMs,
    background,
    logger,
  } = options;
  const name = options.model ?? registry.default("classify");
  const card = registry.card(name);
  const calibration = card.calibration ?? [];
  const host = await createModelHost<Asked, number, Float64Array>({
    module: new URL("./classify-model.ts", import.meta.url),
    ...ofRegistry(registry, name, threads, {
      isLazy: idleMs !== undefined && registry.isShipped(name),
    } satisfies ClassifyOptions),
    units: ({ text }) => text.length,
    unpack: (logits) => [...logits],
    maxQueue,
    timeoutMs,
    idleMs,
    background,
    logger,
  });

  const outputOf = (lang: string, genre: Genre) => {
    const output = calibration.filter((one) => one.genre === genre).findIndex((one) => one.lang === lang);
    const calibrated = calibration.find((one) => one.genre === genre && one.lang === lang);
    if (calibrated === undefined) {
      throw new InferenceError("model-invalid", `${name} does not know ${genre} in ${lang}`, { model: name });
    }
    return { output, calibrated };
  };

  return {
    modelId: modelId(card),
    languages: [...new Set(calibration.map((one) => one.lang))],
    async classify(sentences, { lang, genre = "debate", signal } = {}) {
      const asked: Asked[] = [];
      const places: number[] = [];
      const calibrations: { scale: number; bias: number }[] = [];
      sentences.forEach((text, place) => {
        if (!SAYS_SOMETHING.test(text)) return;
        const { output, calibrated } = outputOf(lang ?? scriptLanguage(text) ?? "en", genre);
        asked.push({ text, genre, output });
        places.push(place);
        calibrations.push(calibrated);
      });
      const scores = sentences.map(() => 0);
      const logits = await host.run(asked, { signal });
      calibrations.forEach(({ scale, bias }, i) => {
        scores[at(places, i)] = 1 / (1 + Math.exp(-(scale * at(logits, i) + bias)));
      });
      return scores;
    },
    threshold: (lang, genre = "debate") => outputOf(lang, genre).calibrated.threshold,
    keeps(lang) {
      const { keep, threshold } = outputOf(lang, "news").calibrated;
      return keep ?? threshold;
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}
