import { at } from "../../../std/collections.ts";
import { type ModelCard, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { notRunnable, openSession, textOf, unusable } from "../../runtime/onnxruntime.ts";
import {
  createSequenceTokenizer,
  readTokenInputs,
  tokenFeeds,
  UnknownGraph,
} from "../../tokenizers/sequence-tokenizer.ts";
import { createTextTokenizer, type TextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { batchSequences, type SequenceBatch } from "../checkworthiness/classify-model.ts";

/** Cells (rows × length) of one run: what keeps the activations of a large encoder within tens of megabytes. */
const BATCH_CELLS = 4096;

/**
 * Loads a transformer encoder as hubs export it (`input_ids`, `attention_mask` and, where it has them,
 * `token_type_ids`, int64, to token vectors of shape [rows, length, dims]). The token vectors become one by the card's
 * pooling, to unit length.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
async function loadEncoderModel(dir: string, card: ModelCard, threads: number): Promise<EmbedModel> {
  const { dims = 0, pooling = "mean", max_tokens: longest = 512 } = card;
  const [weights, vocabulary] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  const opened = await openSession(weights, card, threads, () =>
    createSequenceTokenizer(JSON.parse(textOf(vocabulary))),
  );
  const { session, Tensor, front: tokenizer } = opened;
  const [output = ""] = session.outputNames;

  const run = async (batch: SequenceBatch, lengths: readonly number[]): Promise<Float32Array> => {
    const mask = new Int32Array(batch.ids.length);
    lengths.forEach((length, row) => {
      mask.fill(1, row * batch.length, row * batch.length + length);
    });
    const values = { input_ids: batch.ids, attention_mask: mask, token_type_ids: new Int32Array(batch.ids.length) };
    const feeds = tokenFeeds(readTokenInputs(session), values, [batch.rows.length, batch.length], Tensor);
    const result = (await session.run(feeds))[output];
    const vectors = result?.data;
    if (!(vectors instanceof Float32Array) || vectors.length !== batch.ids.length * dims) {
      throw new UnknownGraph(`the model's output is not of shape [rows, length, ${dims}]`);
    }
    const pooled = new Float32Array(lengths.length * dims);
    lengths.forEach((length, row) => {
      const first = row * batch.length * dims;
      const taken = vectors.subarray(first, first + (pooling === "cls" ? 1 : length) * dims);
      poolInto(pooled.subarray(row * dims, (row + 1) * dims), taken);
    });
    result?.dispose();
    return pooled;
  };

  try {
    // what the graph does not declare shows in a run
    await run({ rows: [0], length: longest, ids: new Int32Array(longest) }, [longest]);
  } catch (cause) {
    await session.release();
    throw notRunnable(card, longest, cause);
  }

  return {
    dims,
    async embed(texts, { signal } = {}) {
      const sequences = texts.map((text) => tokenizer.encode(text, longest));
      const out = new Float32Array(texts.length * dims);
      for (const batch of batchSequences(sequences, BATCH_CELLS)) {
        signal?.throwIfAborted();
        const pooled = await run(
          batch,
          batch.rows.map((row) => sequences[row]?.length ?? 0),
        );
        batch.rows.forEach((row, place) => {
          out.set(pooled.subarray(place * dims, (place + 1) * dims), row * dims);
        });
      }
      return out;
    },
    release: () => session.release(),
  };
}

/** Adds up vectors that lie one after the other, and scales the sum to unit length: the direction of their mean. */
function poolInto(sum: Float32Array, vectors: Float32Array): void {
  const dims = sum.length;
  for (let i = 0; i < vectors.length; i++) sum[i % dims] = (sum[i % dims] ?? 0) + (vectors[i] ?? 0);
  const norm = Math.hypot(...sum);
  if (norm > 0) for (let i = 0; i < dims; i++) sum[i] = (sum[i] ?? 0) / norm;
}

/** An embedding model in this thread. `embed` gives the vectors one after the other, `texts.length * dims` numbers. */
export interface EmbedModel {
  readonly dims: number;
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array>;
  release(): Promise<void>;
}

/** Texts between two looks at whether anybody still waits. */
const ABORTABLE = 32;

/** Loads a model after checking its files; a call blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` */
export function loadEmbedModel(dir: string, card: ModelCard, threads: number): Promise<EmbedModel> {
  const { task, architecture, dims, count_power: power } = card;
  if (task === "embed" && dims !== undefined) {
    if (architecture === "encoder") return loadEncoderModel(dir, card, threads);
    if (architecture === "weighted-bag" && power !== undefined) return loadBagModel(dir, card, dims, power);
  }
  const message = `${card.name} is no embedding model that can be run here`;
  return Promise.reject(new InferenceError("model-invalid", message, { model: card.name }));
}

async function loadBagModel(dir: string, card: ModelCard, dims: number, power: number): Promise<EmbedModel> {
  const [weights, vocabulary] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  let rows: BagRows;
  let bagOf: (text: string) => Bag;
  try {
    rows = readBagRows(weights, card);
    if (rows.width !== dims) throw new Error(`the rows of the model have ${rows.width} numbers, not ${dims}`);
    bagOf = createBagger(createTextTokenizer(JSON.parse(textOf(vocabulary))), power);
  } catch (cause) {
    throw unusable(card, cause);
  }

  return {
    dims,
    async embed(texts, { signal } = {}) {
      const out = new Float32Array(texts.length * dims);
      texts.forEach((text, place) => {
        if (place % ABORTABLE === 0) signal?.throwIfAborted();
        rows.embed(bagOf(text), out, place * dims);
      });
      return out;
    },
    release: () => Promise.resolve(),
  };
}

/** A text as a bag of token ids: each id once, with its weight, a power of how often it occurs. */
type Bag = { ids: Int32Array; weights: Float32Array };

/**
 * Makes bags with `tokenizer`; an id that occurs n times weighs n to the `power`. A text without any known token
 * becomes the bag of token 0 alone, the unknown token.
 */
export function createBagger(tokenizer: TextTokenizer, power: number): (text: string) => Bag {
  const count = new Uint32Array(tokenizer.vocabularySize);
  const seen: number[] = [];
  const take = (id: number): void => {
    if (count[id] === 0) seen.push(id);
    count[id] = (count[id] ?? 0) + 1;
  };

  return (text) => {
    tokenizer.eachId(text, take);
    if (seen.length === 0) take(0);
    const ids = Int32Array.from(seen);
    const weights = new Float32Array(ids.length);
    for (let i = 0; i < ids.length; i++) {
      const id = at(ids, i);
      weights[i] = (count[id] ?? 0) ** power;
      count[id] = 0;
    }
    seen.length = 0;
    return { ids, weights };
  };
}

/** The rows of a static embedding: one a token, in 4 bits. */
interface StaticRows {
  readonly width: number;
  readonly count: number;
  /** Returns the rows of `ids`, one after the other. */
  rowsOf(ids: ArrayLike<number>): Float32Array;
}

/** Weights of a row. */
const WIDTH = 256;
/** Weights of a row that share a step. */
const BLOCK = 32;

/**
 * Reads the constants `packed` (half a byte a weight, low halves first, each minus 8) and `steps` (float16, one for
 * each 32 weights of a row) of a model's bytes, which stand where its card says. @throws Error when it names none, or
 * they do not fit together
 */
export function readStaticRows(model: Uint8Array, { constants = {} }: Pick<ModelCard, "constants">): StaticRows {
  const [packed, halves] = [constants.packed, constants.steps].map((place) =>
    place === undefined ? undefined : model.subarray(place.offset, place.offset + place.bytes),
  );
  if (packed === undefined || halves === undefined) throw new Error("the model has no packed rows with steps");
  const view = new DataView(halves.buffer, halves.byteOffset, halves.byteLength);
  const steps = Float32Array.from({ length: halves.length / 2 }, (_, i) => view.getFloat16(i * 2, true));
  const blocks = WIDTH / BLOCK;
  if (steps.length === 0 || packed.length * 2 !== steps.length * BLOCK) {
    throw new Error("the rows have no step for each of their blocks");
  }
  return {
    width: WIDTH,
    count: steps.length / blocks,
    rowsOf(ids) {
      const out = new Float32Array(ids.length * WIDTH);
      for (let place = 0; place < ids.length; place++) {
        const id = ids[place] ?? 0;
        const from = (id * WIDTH) / 2;
        const to = place * WIDTH;
        for (let block = 0; block < blocks / 2; block++) {
          const low = steps[id * blocks + block] ?? 0;
          const high = steps[id * blocks + block + blocks / 2] ?? 0;
          for (let i = block * BLOCK; i < (block + 1) * BLOCK; i++) {
            const byte = packed[from + i] ?? 0;
            out[to + i] = ((byte & 15) - 8) * low;
            out[to + i + WIDTH / 2] = ((byte >> 4) - 8) * high;
          }
        }
      }
      return out;
    },
  };
}

/** Levels on each side of zero that a row is read in: 8 bits. */
const LEVELS = 127;
const LEAST = 1e-9;

/** Adding and taking off this leaves a float32 that is no larger a whole number, halves to the even one. */
const WHOLE = 12_582_912;

/** The rows of a static embedding, summed. */
interface BagRows {
  readonly width: number;
  /** The sum of the rows of a bag by their weights, of unit length, written into `out` from `at` on. */
  embed(bag: Bag, out: Float32Array, at: number): void;
}

/**
 * Returns the rows of a model's bytes (see readStaticRows), in 8 bits with a scale each, made when they are first
 * needed: of tens of thousands a text has a few hundred. @throws Error as readStaticRows()
 */
export function readBagRows(model: Uint8Array, card: Pick<ModelCard, "constants">): BagRows {
  const { width, count, rowsOf } = readStaticRows(model, card);
  const table = new Int8Array(count * width);
  const scales = new Float32Array(count);
  const sum = new Float64Array(width);

  function makeRow(id: number): void {
    const row = rowsOf([id]);
    let largest = 0;
    for (let i = 0; i < width; i++) largest = Math.max(largest, Math.abs(row[i] ?? 0));
    const scale = Math.max(Math.fround(largest / LEVELS), Math.fround(LEAST));
    for (let i = 0; i < width; i++) {
      const level = Math.fround((row[i] ?? 0) / scale);
      table[id * width + i] = Math.fround(Math.fround(level + WHOLE) - WHOLE);
    }
    scales[id] = scale;
  }

  return {
    width,
    embed({ ids, weights }, out, at) {
      sum.fill(0);
      for (let place = 0; place < ids.length; place++) {
        const id = ids[place] ?? 0;
        if (scales[id] === 0) makeRow(id);
        const weight = (scales[id] ?? 0) * (weights[place] ?? 0);
        const from = id * width;
        for (let i = 0; i < width; i++) sum[i] = (sum[i] ?? 0) + weight * (table[from + i] ?? 0);
      }
      let squares = 0;
      for (let i = 0; i < width; i++) squares += (sum[i] ?? 0) ** 2;
      const length = Math.max(Math.sqrt(squares), LEAST);
      for (let i = 0; i < width; i++) out[at + i] = (sum[i] ?? 0) / length;
    },
  };
}

/** Opens the model in the thread that runs it. */
export async function openModel({
  dir,
  card,
  threads,
}: ModelData): Promise<ThreadModel<string, Float32Array<ArrayBuffer>>> {
  const model = await loadEmbedModel(dir, card, threads);
  return {
    run: async (batch, { signal }) => new Float32Array(await model.embed(batch, { signal })),
    release: () => model.release(),
    transfer: ({ buffer }) => [buffer],
  };
}
