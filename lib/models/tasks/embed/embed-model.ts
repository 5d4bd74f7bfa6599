import type { ModelCard } from "../../cards/card.ts";
import { readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { notRunnable, openSession, textOf, unusable } from "../../runtime/onnxruntime.ts";
import {
  createSequenceTokenizer,
  readTokenInputs,
  tokenFeeds,
  UnknownGraph,
} from "../../tokenizers/sequence-tokenizer.ts";
import { createTextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { batchSequences, type SequenceBatch } from "../checkworthiness/classify-model.ts";
import { type Bag, type BagRows, createBagger, readBagRows } from "./bag.ts";

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
