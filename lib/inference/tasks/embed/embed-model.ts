import { createBagger } from "./bag.ts";
import { batchBags } from "./bag-batches.ts";
import type { ModelCard } from "../../models/card.ts";
import { loadEncoderModel } from "./encoder-model.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { openSession, textOf, unusable } from "../../runtime/open-session.ts";
import { createTextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { readVerified } from "../../models/verified-file.ts";

/** An embedding model in this thread. `embed` gives the vectors one after the other, `texts.length * dims` numbers. */
export interface EmbedModel {
  readonly dims: number;
  embed(texts: readonly string[], options?: { signal?: AbortSignal }): Promise<Float32Array>;
  release(): Promise<void>;
}

/** Loads a model after checking its files; every call of its session blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` */
export function loadEmbedModel(dir: string, card: ModelCard, threads: number): Promise<EmbedModel> {
  const { task, architecture, dims, count_power: power } = card;
  if (task === "embed" && dims !== undefined) {
    if (architecture === "encoder") return loadEncoderModel(dir, card, threads);
    if (architecture === "weighted-bag" && power !== undefined) return loadBagModel(dir, card, threads, dims, power);
  }
  const message = `${card.name} is no embedding model that can be run here`;
  return Promise.reject(new InferenceError("model-invalid", message, { model: card.name }));
}

async function loadBagModel(
  dir: string,
  card: ModelCard,
  threads: number,
  dims: number,
  power: number,
): Promise<EmbedModel> {
  const [weights, vocabulary] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  const { session, Tensor, front } = await openSession(weights, card, threads, () =>
    createBagger(createTextTokenizer(JSON.parse(textOf(vocabulary))), power),
  );

  return {
    dims,
    async embed(texts, { signal } = {}) {
      const out = new Float32Array(texts.length * dims);
      for (const batch of batchBags(texts.map(front))) {
        signal?.throwIfAborted();
        const shape = [batch.rows.length, batch.length];
        const { embedding } = await session.run({
          input_ids: new Tensor("int32", batch.ids, shape),
          weights: new Tensor("float32", batch.weights, shape),
        });
        const vectors = embedding?.data;
        if (!(vectors instanceof Float32Array) || vectors.length !== batch.rows.length * dims) {
          throw unusable(card, new Error(`the model's output is not of shape [batch, ${dims}]`));
        }
        batch.rows.forEach((row, place) => {
          out.set(vectors.subarray(place * dims, (place + 1) * dims), row * dims);
        });
        embedding?.dispose();
      }
      return out;
    },
    release: () => session.release(),
  };
}
