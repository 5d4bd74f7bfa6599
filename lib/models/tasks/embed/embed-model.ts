import { type Bag, createBagger } from "./bag.ts";
import { type BagRows, readBagRows } from "./bag-rows.ts";
import type { ModelCard } from "../../cards/card.ts";
import { loadEncoderModel } from "./encoder-model.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { textOf, unusable } from "../../runtime/open-session.ts";
import { createTextTokenizer } from "../../tokenizers/text-tokenizer.ts";
import { readVerified } from "../../cards/verified-file.ts";

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
