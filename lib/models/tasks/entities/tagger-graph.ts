import type { ModelCard } from "../../cards/card.ts";
import { openSession, unusable } from "../../runtime/open-session.ts";
import type { Pieces } from "../../tokenizers/pieces.ts";
import type { Window } from "./windows.ts";

/** A graph of a tagger: `model.onnx` for its heads, `nested.onnx` for nested entities. */
export type TaggerGraph = {
  /** All outputs of a window's words, one row a word. */
  run(window: Window): Promise<Float32Array>;
  release(): Promise<void>;
};

/** Opens a graph over the bytes of a file of the model. @throws InferenceError `model-invalid` */
export async function openGraph(
  file: string,
  weights: Uint8Array,
  card: ModelCard,
  { threads, pieces }: { threads: number; pieces: Pieces },
): Promise<TaggerGraph> {
  const weightBits = card.files[file]?.weight_bits;
  const { session, Tensor } = await openSession(weights, card, threads, () => undefined, { weightBits });
  return {
    async run({ ids, firsts }) {
      const { scores } = await session.run({
        words: new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]),
        firsts: new Tensor("int32", Int32Array.from(firsts), [firsts.length]),
      });
      const { data } = scores ?? {};
      if (!(data instanceof Float32Array) || data.length % firsts.length !== 0) {
        throw unusable(card, new Error("the model's output is not a row of numbers for each word"));
      }
      return data;
    },
    release: () => session.release(),
  };
}
