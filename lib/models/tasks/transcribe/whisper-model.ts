import { z } from "zod";
import { at } from "../../../std/mod.ts";
import { decodeAudio } from "../../audio/decode.ts";
import type { ModelCard } from "../../cards/registry.ts";
import { openEncoderDecoder } from "../../runtime/decoding/encoder-decoder.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { notRunnable } from "../../runtime/onnxruntime.ts";
import {
  createTokenText,
  cutWindow,
  decodeWindow,
  sampleTokens,
  TEMPERATURES,
  type TokenRules,
} from "./decode-window.ts";
import { createLogMel, HOP, SPEECH_RATE } from "./log-mel.ts";

/** Holds what was said in a recording; times are seconds from its beginning. */
export type Speech = {
  text: string;
  language: string;
  durationS: number;
  segments: { start: number; end: number; text: string }[];
};

type TranscribeOptions = {
  /** A language such as `ar`; one that the model does not know is passed over. Default: heard in the first window. */
  language?: string | undefined;
  signal?: AbortSignal | undefined;
  temperatures?: readonly number[];
};

/** A speech model in this thread. */
interface WhisperModel {
  /** Returns what is said in sound of 16 kHz, which comes in stretches and is read as it is needed. */
  transcribe(sound: AsyncIterable<Float32Array>, options?: TranscribeOptions): Promise<Speech>;
  release(): Promise<void>;
}

/** Samples of a position of the encoder, which sees two frames as one. */
const POSITION = 2 * HOP;

const Config = z.object({
  d_model: z.int().positive(),
  decoder_attention_heads: z.int().positive(),
  num_mel_bins: z.int().positive(),
  max_source_positions: z.int().positive(),
  max_target_positions: z.int().min(8),
});
const Generation = z.object({
  decoder_start_token_id: z.int(),
  eos_token_id: z.union([z.int(), z.tuple([z.int()], z.int())]).transform((id) => (Array.isArray(id) ? id[0] : id)),
  no_timestamps_token_id: z.int(),
  lang_to_id: z.record(z.string(), z.int()).nullish(),
  task_to_id: z.record(z.string(), z.int()).nullish(),
  suppress_tokens: z.array(z.int()).nullish(),
  begin_suppress_tokens: z.array(z.int()).nullish(),
  max_initial_timestamp_index: z.int().nullish(),
});
const Vocabulary = z.object({
  added_tokens: z.array(z.object({ id: z.int(), content: z.string() })),
  model: z.object({ vocab: z.record(z.string(), z.int()) }),
});

/** A first time stamp of 1 s at most, as openai/whisper has it. */
const LATEST_FIRST = 50;

/**
 * Loads a model of the Whisper family as hubs export it. Every step blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadWhisperModel(dir: string, card: ModelCard, threads: number): Promise<WhisperModel> {
  const opened = await openEncoderDecoder(
    { dir, card, task: "transcribe", threads },
    {
      config: (content) => Config.parse(content),
      generation: (content) => Generation.parse(content),
      tokenizer: (content) => Vocabulary.parse(content),
    },
  );
  const { config, generation, tokenizer: vocabulary, Tensor } = opened;
  const { num_mel_bins: bins, max_source_positions } = config;
  const frames = 2 * max_source_positions;
  const logMel = createLogMel(bins, frames);
  const tokenText = createTokenText(vocabulary.model.vocab);
  const { decoder_start_token_id: start, lang_to_id, task_to_id } = generation;
  const languages = new Map(Object.entries(lang_to_id ?? {}).map(([token, id]) => [token.replace(/[<|>]/g, ""), id]));
  const silence = vocabulary.added_tokens.find(({ content }) => /^<\|no(speech|captions)\|>$/.test(content))?.id;
  const rules: TokenRules = {
    firstStamp: generation.no_timestamps_token_id + 1,
    end: generation.eos_token_id,
    noStamps: generation.no_timestamps_token_id,
    suppressed: [start, ...(generation.suppress_tokens ?? [])],
    suppressedFirst: generation.begin_suppress_tokens ?? [],
    latestFirst: generation.max_initial_timestamp_index ?? LATEST_FIRST,
  };
  /** Text has tokens below the end; those above are marks. */
  const textOfTokens = (tokens: readonly number[]): string => tokenText(tokens.filter((token) => token < rules.end));

  /** Returns what is said in one window; `language` is heard when none is given. */
  async function hear(samples: Float32Array, language: string | undefined, options: TranscribeOptions) {
    const { signal, temperatures = TEMPERATURES } = options;
    const check = () => signal?.throwIfAborted();
    const features = new Tensor("float32", logMel(samples), [1, bins, frames]);
    const encoded = await opened.encode({ input_features: features }, max_source_positions);
    check();
    let said = language;
    const random = seeded(samples.length);
    const attempt = async (temperature: number) => {
      const advance = opened.decode(encoded);
      const put = async (token: number) => (await advance([{ parent: 0, token }])).data;
      let logits = await put(start);
      const noSpeech = silence === undefined ? 0 : probability(logits, silence);
      said ??= likeliest(logits, languages);
      const task = languages.size > 0 ? task_to_id?.transcribe : undefined;
      for (const token of [languages.get(said ?? ""), task]) if (token !== undefined) logits = await put(token);
      const longest = config.max_target_positions >> 1;
      return { noSpeech, ...(await sampleTokens(advance, logits, { rules, longest, temperature, random, check })) };
    };
    const heard = await decodeWindow(attempt, { temperatures, textOf: textOfTokens });
    return { language: said ?? "en", tokens: heard?.tokens ?? [] };
  }

  const model: WhisperModel = {
    async transcribe(sound, options = {}) {
      const window = frames * HOP;
      const reader = readerOf(sound);
      let language = languages.has(options.language ?? "") ? options.language : undefined;
      const segments: Speech["segments"] = [];
      for (let from = 0; ; ) {
        const samples = await reader.peek(window);
        if (samples.length === 0) {
          const text = segments.map((segment) => segment.text).join("");
          const trimmed = segments.map((segment) => ({ ...segment, text: segment.text.trim() }));
          return { text: text.trim(), language: language ?? "en", durationS: seconds(from), segments: trimmed };
        }
        const heard = await hear(samples, language, options);
        language = heard.language;
        const length = samples.length / POSITION;
        const { stretches, advance } = cutWindow(heard.tokens, length, rules);
        const last = from + samples.length;
        for (const stretch of stretches) {
          const [start, end] = [stretch.start, stretch.end].map((at) => seconds(Math.min(from + at * POSITION, last)));
          const text = textOfTokens(stretch.tokens);
          if (start !== undefined && end !== undefined && start < end && text.trim() !== "") {
            segments.push({ start, end, text });
          }
        }
        from += reader.skip(Math.round(advance * POSITION));
      }
    },
    release: () => opened.release(),
  };
  try {
    // A tenth of a second shows what the graphs do not declare.
    await model.transcribe(silenceOf(SPEECH_RATE / 10), { temperatures: [0] });
  } catch (cause) {
    await model.release();
    throw notRunnable(card, config.max_target_positions, cause);
  }
  return model;
}

const seconds = (samples: number): number => Math.round((samples / SPEECH_RATE) * 100) / 100;

async function* silenceOf(samples: number): AsyncGenerator<Float32Array> {
  yield new Float32Array(samples);
}

/** Sound that is read before it is taken. */
function readerOf(sound: AsyncIterable<Float32Array>) {
  const stretches = sound[Symbol.asyncIterator]();
  let kept: Float32Array = new Float32Array();
  let ended = false;
  return {
    /** Returns the next samples, fewer than `count` only at the end. */
    async peek(count: number): Promise<Float32Array> {
      const parts = [kept];
      let length = kept.length;
      while (length < count && !ended) {
        const { value, done } = await stretches.next();
        if (done) ended = true;
        else {
          parts.push(value);
          length += value.length;
        }
      }
      kept = new Float32Array(length);
      let place = 0;
      for (const part of parts) {
        kept.set(part, place);
        place += part.length;
      }
      return kept.subarray(0, count);
    },
    /** Takes samples; says how many there were. */
    skip(count: number): number {
      const taken = Math.min(count, kept.length);
      kept = kept.slice(taken);
      return taken;
    },
  };
}

/** Returns the language whose token is likeliest. */
function likeliest(logits: Float32Array, languages: ReadonlyMap<string, number>): string | undefined {
  let best: { language: string; logit: number } | undefined;
  for (const [language, token] of languages) {
    const logit = at(logits, token);
    if (best === undefined || logit > best.logit) best = { language, logit };
  }
  return best?.language;
}

function probability(logits: Float32Array, token: number): number {
  let [top, sum] = [Number.NEGATIVE_INFINITY, 0];
  for (const logit of logits) if (logit > top) top = logit;
  for (const logit of logits) sum += Math.exp(logit - top);
  return Math.exp(at(logits, token) - top) / sum;
}

/** Numbers from 0 to 1 that look random and are the same every time (Lehmer's generator). */
function seeded(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** A recording that waits. */
export type TranscribeTask = { audio: Uint8Array; language?: string | undefined };

/** Says of what length recordings are heard. */
export type HearOptions = { maxSeconds: number };

/** Opens the model in the thread that runs it. */
export async function openModel({
  dir,
  card,
  threads,
  maxSeconds,
}: ModelData & HearOptions): Promise<ThreadModel<TranscribeTask, Speech[]>> {
  const model = await loadWhisperModel(dir, card, threads);
  return {
    async run(batch, { signal }) {
      const heard: Speech[] = [];
      for (const { audio, language } of batch) {
        const sound = decodeAudio(audio, { rate: SPEECH_RATE, maxSeconds, signal });
        heard.push(await model.transcribe(sound, { language, signal }));
      }
      return heard;
    },
    release: () => model.release(),
  };
}
