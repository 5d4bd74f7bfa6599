import type { ModelCard } from "../card.ts";
import { InferenceError } from "../errors.ts";
import { openSession, textOf, unusable } from "../open-session.ts";
import { readVerified } from "../verified-file.ts";
import { createRerankEncoder } from "./encoder.ts";
import { FEATURES } from "./features.ts";
import type { RerankInput } from "./passage.ts";

/** A reranking model in this thread. */
export interface RerankModel {
  /** A score a passage, in order; they compare passages of one call alone. */
  scores(input: RerankInput): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** Loads a model after checking its files; every call of its session blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` */
export async function loadRerankModel(dir: string, card: ModelCard, threads: number): Promise<RerankModel> {
  const model = card.name;
  if (card.task !== "rerank" || card.architecture !== "late-interaction") {
    throw new InferenceError("model-invalid", `${model} is no reranker that can be run here`, { model });
  }
  const [weights, tokenizer] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  const opened = await openSession(weights, card, threads, () => createRerankEncoder(JSON.parse(textOf(tokenizer))));
  const { session, Tensor, front: encode } = opened;

  return {
    async scores(input) {
      const count = input.passages.length;
      if (count === 0) return new Float32Array();
      const { length, ...encoded } = encode(input);
      const ints = (values: Int32Array, shape: number[]) => new Tensor("int32", values, shape);
      const floats = (values: Float32Array, shape: number[]) => new Tensor("float32", values, shape);
      const { scores } = await session.run({
        query: ints(encoded.query, [encoded.query.length]),
        query_weights: floats(encoded.queryWeights, [encoded.query.length]),
        importance: floats(encoded.importance, [encoded.query.length]),
        passages: ints(encoded.passages, [count, length]),
        weights: floats(encoded.weights, [count, length]),
        features: floats(encoded.features, [count, FEATURES]),
      });
      const found = scores?.data;
      if (!(found instanceof Float32Array) || found.length !== count) {
        throw unusable(card, new Error("the model's output is not one score a passage"));
      }
      const copy = new Float32Array(found);
      scores?.dispose();
      return copy;
    },
    release: () => session.release(),
  };
}
