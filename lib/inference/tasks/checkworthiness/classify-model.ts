import { at } from "../../../std/at.ts";
import type { ModelCard } from "../../models/card.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { openSession, textOf, unusable } from "../../runtime/open-session.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";
import { readVerified } from "../../models/verified-file.ts";
import { batchSequences } from "./sequence-batches.ts";

/** A sentence, and which of the model's outputs is asked for. */
export type Asked = { text: string; output: number };

/** A classifier in this thread. */
export interface ClassifyModel {
  /** The asked output of each sentence, a logit, in order. */
  logits(asked: readonly Asked[], options?: { signal?: AbortSignal }): Promise<Float64Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** Loads a classifier after checking its files; every call of its session blocks the calling thread while it computes.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid` */
export async function loadClassifyModel(dir: string, card: ModelCard, threads: number): Promise<ClassifyModel> {
  const { max_tokens: longest, calibration } = card;
  if (card.architecture !== "encoder-classifier" || longest === undefined || calibration === undefined) {
    const message = `${card.name} is no classifier that can be run here`;
    throw new InferenceError("model-invalid", message, { model: card.name });
  }
  const [weights, vocabulary] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "tokenizer.json"),
  ]);
  const opened = await openSession(weights, card, threads, () =>
    createSequenceTokenizer(JSON.parse(textOf(vocabulary)), { byWord: true }),
  );
  const { session, Tensor, front: tokenizer } = opened;
  const outputs = calibration.length;

  return {
    async logits(asked, { signal } = {}) {
      const out = new Float64Array(asked.length);
      for (const batch of batchSequences(asked.map(({ text }) => tokenizer.encode(text, longest)))) {
        signal?.throwIfAborted();
        const { logits } = await session.run({
          input_ids: new Tensor("int32", batch.ids, [batch.rows.length, batch.length]),
        });
        const found = logits?.data;
        if (!(found instanceof Float32Array) || found.length !== batch.rows.length * outputs) {
          throw unusable(card, new Error(`the model's output is not of shape [batch, ${outputs}]`));
        }
        batch.rows.forEach((row, place) => {
          out[row] = at(found, place * outputs + (asked[row]?.output ?? 0));
        });
        logits?.dispose();
      }
      return out;
    },
    release: () => session.release(),
  };
}
