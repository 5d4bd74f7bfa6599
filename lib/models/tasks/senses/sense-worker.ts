import { type ModelCard, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { type ModelData, serveModel } from "../../runtime/model-worker.ts";
import { openSession, unusable } from "../../runtime/onnxruntime.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import { windowsOf } from "../entities/windows.ts";

/** The words of a sentence, and the places of those whose meaning is asked for, ascending. */
export type SenseInput = { words: readonly string[]; places: readonly number[] };

/** Holds what words mean in their sentences, as vectors, in this thread. */
interface SenseModel {
  readonly dims: number;
  /** Unit vectors of the places, one after the other; blocks the calling thread while it computes. */
  vectors(input: SenseInput): Promise<Float32Array>;
  release(): Promise<void>;
}

/**
 * Loads the model, and the pieces that it shares with other models, after checking their files.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
async function loadSenseModel(dir: string, card: ModelCard, threads: number): Promise<SenseModel> {
  const { dims } = card;
  if (card.task !== "senses" || dims === undefined) {
    throw new InferenceError("model-invalid", `${card.name} gives no vectors of senses`, { model: card.name });
  }
  const pieces = await loadPieces(dir, card);
  const lower = await openSession(await readVerified(dir, card, "lower.onnx"), card, threads, () => undefined);
  const head = await openSession(await readVerified(dir, card, "model.onnx"), card, threads, () => undefined);
  const { Tensor } = lower;
  return {
    dims,
    async vectors({ words, places }) {
      const asked = new Set(places);
      const out = new Float32Array(asked.size * dims);
      let before = 0;
      let filled = 0;
      for (const { ids, firsts } of windowsOf([words], pieces.tokenizer.idsOf)) {
        const here = firsts.filter((_, place) => asked.has(before + place));
        before += firsts.length;
        if (here.length === 0) continue;
        const rows = new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]);
        const { states } = await lower.session.run({ words: rows });
        if (states === undefined) throw unusable(card, new Error("the lower layers gave no states"));
        const first = new Tensor("int32", Int32Array.from(here), [here.length]);
        const { vectors } = await head.session.run({ states, firsts: first });
        const { data } = vectors ?? {};
        if (!(data instanceof Float32Array) || data.length !== here.length * dims) {
          throw unusable(card, new Error(`the model's output is not ${dims} numbers for each word`));
        }
        out.set(data, filled);
        filled += data.length;
      }
      return out;
    },
    async release() {
      for (const { session } of [lower, head]) await session.release();
    },
  };
}

serveModel(async ({ dir, card, threads }: ModelData) => {
  const model = await loadSenseModel(dir, card, threads);
  return {
    async run(batch: readonly SenseInput[], { signal }): Promise<Float32Array[]> {
      const out: Float32Array[] = [];
      for (const input of batch) {
        signal?.throwIfAborted();
        out.push(await model.vectors(input));
      }
      return out;
    },
    release: () => model.release(),
  };
});
