import type { InferenceSession, Tensor as OnnxTensor } from "onnxruntime-node";
import { at } from "../../../std/collections.ts";
import { type ModelCard, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../errors.ts";
import { openSession, textOf, unusable } from "../onnxruntime.ts";

/** Keys or values of one layer, of shape [rows, heads, length, width]. */
type Cached = { data: Float32Array; length: number };

type DecoderShape = {
  heads: number;
  /** Numbers of one head. */
  width: number;
};

/** Holds what an encoder made of a text: `length` vectors of `dims` numbers, all of them to be looked at. */
type Encoded = { states: Float32Array; length: number; dims: number };

const PAST = "past_key_values.";
const PRESENT = "present.";

/**
 * Steps of a decoder as Optimum exports it ("merged"): one graph with a branch that computes everything and one that
 * goes on from the keys and values of the step before. What looks at the encoder's states is computed in the first
 * step and kept. Each step blocks the calling thread while it computes. Throws an Error for a graph of another form.
 */
function cachedDecoder(
  session: Pick<InferenceSession, "run" | "inputNames">,
  Tensor: typeof OnnxTensor,
  { states, length, dims }: Encoded,
  { heads, width }: DecoderShape,
): Advance {
  const names = session.inputNames.filter((name) => name.startsWith(PAST)).map((name) => name.slice(PAST.length));
  if (names.length === 0 || !session.inputNames.includes("use_cache_branch")) {
    throw new Error("the decoder is none with a cache (decoder_model_merged)");
  }
  const wants = new Set(session.inputNames);
  const unit = heads * width;
  let cache = new Map<string, Cached>(names.map((name) => [name, { data: new Float32Array(), length: 0 }]));
  let first = true;

  return async (choices) => {
    const rows = choices.length;
    const parents = choices.map(({ parent }) => parent);
    // The encoder's are the same for every row.
    const past = new Map(
      [...cache].map(([name, kept]) => {
        const from = isEncoders(name) ? parents.map(() => 0) : parents;
        return [name, { ...kept, data: rowsOf(kept.data, from, unit * kept.length) }];
      }),
    );
    const feeds: Record<string, OnnxTensor> = {
      input_ids: new Tensor(
        "int64",
        BigInt64Array.from(choices, ({ token }) => BigInt(token)),
        [rows, 1],
      ),
      encoder_hidden_states: new Tensor("float32", repeated(states, rows), [rows, length, dims]),
      use_cache_branch: new Tensor("bool", [!first], [1]),
    };
    if (wants.has("encoder_attention_mask")) {
      const mask = new BigInt64Array(rows * length).fill(1n);
      feeds.encoder_attention_mask = new Tensor("int64", mask, [rows, length]);
    }
    for (const [name, { data, length: seen }] of past) {
      feeds[PAST + name] = new Tensor("float32", data, [rows, heads, seen, width]);
    }
    const { logits, ...present } = await session.run(feeds);
    cache = new Map(
      [...past].map(([name, kept]) => {
        const made = present[PRESENT + name];
        // Where the cache is used the graph gives nothing of the encoder's.
        if (!first && isEncoders(name)) return [name, firstRow(kept, unit)];
        if (!(made?.data instanceof Float32Array)) throw new Error(`the decoder gives no ${PRESENT}${name}`);
        const cached = { data: made.data.slice(), length: at(made.dims, 2) };
        return [name, isEncoders(name) ? firstRow(cached, unit) : cached];
      }),
    );
    first = false;
    if (!(logits?.data instanceof Float32Array)) throw new Error("the decoder gives no logits");
    const vocabulary = at(logits.dims, 2);
    const data = logits.data.slice();
    for (const tensor of [logits, ...Object.values(present)]) tensor.dispose();
    return { rows, vocabulary, data };
  };
}

const isEncoders = (name: string): boolean => name.includes(".encoder.");

function firstRow({ data, length }: Cached, unit: number): Cached {
  return { data: data.subarray(0, unit * length), length };
}

function rowsOf(data: Float32Array, rows: readonly number[], size: number): Float32Array {
  if (rows.length === 1 && data.length === size) return data;
  const out = new Float32Array(rows.length * size);
  rows.forEach((row, place) => {
    out.set(data.subarray(row * size, (row + 1) * size), place * size);
  });
  return out;
}

function repeated(states: Float32Array, rows: number): Float32Array {
  return rows === 1 ? states : rowsOf(states, Array<number>(rows).fill(0), states.length);
}

/** Holds what the configuration of every model of this kind has. */
type Shape = { d_model: number; decoder_attention_heads: number };

/** Says how the contents of the three JSON files are read; what they throw makes the model invalid. */
type EncoderDecoderFiles<Config extends Shape, Generation, Front> = {
  config: (content: unknown) => Config;
  generation: (content: unknown) => Generation;
  tokenizer: (content: unknown) => Front;
};

/** An encoder and a decoder with a cache in this thread. */
type EncoderDecoder<Config extends Shape, Generation, Front> = {
  config: Config;
  generation: Generation;
  tokenizer: Front;
  Tensor: typeof OnnxTensor;
  /** Returns what the encoder makes of its inputs: `length` vectors. @throws InferenceError `model-invalid` */
  encode(inputs: InferenceSession.FeedsType, length: number): Promise<Encoded>;
  /** Returns the steps of the decoder over what was encoded. */
  decode(encoded: Encoded): Advance;
  release(): Promise<void>;
};

/**
 * Opens a model of two graphs as hubs export it: `encoder.onnx`, `decoder.onnx` (merged, with a cache),
 * `tokenizer.json`, `config.json`, `generation_config.json`. Every step blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` (another task, a file of another form)
 */
export async function openEncoderDecoder<Config extends Shape, Generation, Front>(
  { dir, card, task, threads }: { dir: string; card: ModelCard; task: ModelCard["task"]; threads: number },
  files: EncoderDecoderFiles<Config, Generation, Front>,
): Promise<EncoderDecoder<Config, Generation, Front>> {
  if (card.task !== task || card.architecture !== "encoder-decoder") {
    throw new InferenceError("model-invalid", `${card.name} is no model for the task ${task}`, { model: card.name });
  }
  const read = (file: string) => readVerified(dir, card, file);
  const json = async (file: string): Promise<unknown> => JSON.parse(textOf(await read(file)));
  const [encoderBytes, decoderBytes] = [await read("encoder.onnx"), await read("decoder.onnx")];
  const [config, generation, tokenizer] = await Promise.all([
    json("config.json").then(files.config),
    json("generation_config.json").then(files.generation),
    json("tokenizer.json").then(files.tokenizer),
  ]).catch((cause: unknown) => {
    throw cause instanceof InferenceError ? cause : unusable(card, cause);
  });
  const { session: encoder, Tensor } = await openSession(encoderBytes, card, threads, () => undefined);
  const { session: decoder } = await openSession(decoderBytes, card, threads, () => undefined);
  const { d_model: dims, decoder_attention_heads: heads } = config;
  return {
    ...{ config, generation, tokenizer, Tensor },
    async encode(inputs, length) {
      const { last_hidden_state: states } = await encoder.run(inputs);
      if (!(states?.data instanceof Float32Array)) throw unusable(card, new Error("the encoder gives no states"));
      const copy = states.data.slice();
      states.dispose();
      return { states: copy, length, dims };
    },
    decode: (encoded) => cachedDecoder(decoder, Tensor, encoded, { heads, width: dims / heads }),
    async release() {
      await Promise.all([encoder.release(), decoder.release()]);
    },
  };
}

/** A sequence that is continued: the row of the step before that it comes from, and the token put after it. */
type Choice = { parent: number; token: number };

/** The logits of the next token of each row, one row after the other. */
type Logits = { rows: number; vocabulary: number; data: Float32Array };

/** Computes one step: row n continues the row that `choices[n]` names. */
export type Advance = (choices: readonly Choice[]) => Promise<Logits>;

type SearchSettings = {
  /** The token that every sequence begins with, and the one that ends it. */
  start: number;
  end: number;
  /** Tokens that are never put. */
  banned: readonly number[];
  /** Tokens of a sequence, the first one among them; the last of as many is the end. */
  longest: number;
  /** Sequences that are followed; 1 takes the best token of every step. */
  beams: number;
  /** Called before every step. */
  check?: () => void;
};

type Beam = { score: number; ids: readonly number[] };

/**
 * Returns the most likely sequence, by beam search as `generate` of Hugging Face Transformers does it (length penalty
 * 1, no early stopping): a sum of log probabilities over the number of tokens. It holds neither the first nor the last
 * token.
 */
export async function beamSearch(advance: Advance, settings: SearchSettings): Promise<number[]> {
  const { start, end, beams, longest, check } = settings;
  let running: Beam[] = [{ score: 0, ids: [start] }];
  let ended: Beam[] = [];
  let choices: Choice[] = [{ parent: 0, token: start }];
  for (;;) {
    check?.();
    const length = at(running, 0).ids.length;
    const ranked =
      length >= longest - 1
        ? running.map(({ score }, parent) => ({ score, parent, token: end }))
        : best(await advance(choices), running, settings);
    const next: Beam[] = [];
    choices = [];
    for (const [rank, { score, parent, token }] of ranked.entries()) {
      const { ids } = at(running, parent);
      if (token === end) {
        if (rank < beams) ended.push({ score: score / length, ids });
      } else if (next.length < beams) {
        next.push({ score, ids: [...ids, token] });
        choices.push({ parent, token });
      }
    }
    ended = ended.sort((a, b) => b.score - a.score).slice(0, beams);
    const reachable = (ranked[0]?.score ?? Number.NEGATIVE_INFINITY) / length;
    if (next.length === 0 || (ended.length === beams && at(ended, beams - 1).score >= reachable)) {
      return (ended[0] ?? next[0])?.ids.slice(1) ?? [];
    }
    running = next;
  }
}

type Candidate = Choice & { score: number };

/** Returns the best continuations, twice as many as there are beams, so that as many are left when some are ends. */
function best(
  { rows, vocabulary, data }: Logits,
  running: readonly Beam[],
  { banned, beams }: SearchSettings,
): Candidate[] {
  const kept: Candidate[] = [];
  for (let parent = 0; parent < rows; parent++) {
    const row = data.subarray(parent * vocabulary, (parent + 1) * vocabulary);
    for (const token of banned) row[token] = Number.NEGATIVE_INFINITY;
    const base = at(running, parent).score - logSum(row);
    for (let token = 0; token < vocabulary; token++) {
      const score = base + (row[token] ?? Number.NEGATIVE_INFINITY);
      if (!(score > (kept[2 * beams - 1]?.score ?? Number.NEGATIVE_INFINITY))) continue;
      const place = kept.findIndex((other) => score > other.score);
      kept.splice(place < 0 ? kept.length : place, 0, { score, parent, token });
      kept.length = Math.min(kept.length, 2 * beams);
    }
  }
  return kept;
}

/** Returns the logarithm of the sum of the exponentials. */
function logSum(row: Float32Array): number {
  let top = Number.NEGATIVE_INFINITY;
  for (const value of row) if (value > top) top = value;
  let sum = 0;
  for (const value of row) sum += Math.exp(value - top);
  return top + Math.log(sum);
}
