import { at } from "../../../std/at.ts";
import { GENRES, type Genre, type ModelCard } from "../../cards/card.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { openSession, textOf, unusable } from "../../runtime/open-session.ts";
import { createSequenceTokenizer } from "../../tokenizers/sequence-tokenizer.ts";
import { readVerified } from "../../cards/verified-file.ts";
import { BATCH_CELLS, batchSequences, type SequenceBatch } from "./sequence-batches.ts";

/** Share of a batch that may be padding: the graph pays for it in its attention alone. */
const PADDING = 0.3;

/** A sentence, and which of the outputs that the model has for its genre is asked for. */
export type Asked = { text: string; genre: Genre; output: number };

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
  const makeTokenizer = () => createSequenceTokenizer(JSON.parse(textOf(vocabulary)), { byWord: true });
  const opened = await openSession(weights, card, threads, makeTokenizer, { keepMemory: true });
  const { session, Tensor, front: tokenizer } = opened;
  const outputsOf = (genre: Genre) => calibration.filter((one) => one.genre === genre).length;
  const branches = outputsOf("news") > 0;

  /** Only the layers of the genre are computed. */
  async function run(batch: SequenceBatch, genre: Genre): Promise<Float32Array> {
    const outputs = outputsOf(genre);
    const { logits } = await session.run({
      input_ids: new Tensor("int32", batch.ids, [batch.rows.length, batch.length]),
      ...(branches && { news: new Tensor("bool", [genre === "news"], []) }),
    });
    const output = logits?.data;
    if (!(output instanceof Float32Array) || output.length !== batch.rows.length * outputs) {
      throw unusable(card, new Error(`the model's output is not of shape [batch, ${outputs}]`));
    }
    const kept = output.slice();
    logits?.dispose();
    return kept;
  }

  return {
    async logits(asked, { signal } = {}) {
      const out = new Float64Array(asked.length);
      for (const genre of GENRES) {
        const places = asked.flatMap((one, place) => (one.genre === genre ? [place] : []));
        const sequences = places.map((place) => tokenizer.encode(at(asked, place).text, longest));
        for (const batch of batchSequences(sequences, BATCH_CELLS, PADDING)) {
          signal?.throwIfAborted();
          const logits = await run(batch, genre);
          batch.rows.forEach((row, line) => {
            const place = at(places, row);
            out[place] = at(logits, line * outputsOf(genre) + at(asked, place).output);
          });
        }
      }
      return out;
    },
    release: () => session.release(),
  };
}
