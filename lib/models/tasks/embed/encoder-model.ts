import type { ModelCard } from "../../cards/card.ts";
import { batchSequences, type SequenceBatch } from "../checkworthiness/sequence-batches.ts";
import type { EmbedModel } from "./embed-model.ts";
import { notRunnable, openSession, textOf } from "../../runtime/open-session.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";
import { readTokenInputs, tokenFeeds, UnknownGraph } from "../../tokenizers/token-inputs.ts";
import { readVerified } from "../../cards/verified-file.ts";

/** Cells (rows × length) of one run: what keeps the activations of a large encoder within tens of megabytes. */
const BATCH_CELLS = 4096;

/**
 * Loads a transformer encoder as hubs export it (`input_ids`, `attention_mask` and, where it has them,
 * `token_type_ids`, int64, to token vectors of shape [rows, length, dims]). The token vectors become one by the card's
 * pooling, to unit length.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadEncoderModel(dir: string, card: ModelCard, threads: number): Promise<EmbedModel> {
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
