import type { ModelCard } from "../../cards/card.ts";
import { readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { fourBitBytes, int8Columns } from "../../runtime/four-bit.ts";
import { openSession, unusable } from "../../runtime/onnxruntime.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";

/** A text to be read: a query, or a passage of which no more than `longest` pieces are read. */
export type EncoderInput = { kind: "query" | "passage"; text: string; longest?: number };

/** Queries and passages to vectors that compare, in this thread. */
export interface DualEncoderModel {
  readonly dims: number;
  /** Returns a vector of unit length; blocks the calling thread while it computes. */
  vector(input: EncoderInput): Promise<Float32Array<ArrayBuffer>>;
  release(): Promise<void>;
}

/** Holds what the graph calls the file with its weights. */
const WEIGHTS = "int8";

/**
 * Loads the model, and the pieces that it shares with other models, after checking their files. Its weights are kept in
 * 4 bits, and given to the graph in 8.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function loadDualEncoder(dir: string, card: ModelCard, threads: number): Promise<DualEncoderModel> {
  const { dims, prefixes, packed, max_tokens: most } = card;
  if (card.task !== "rerank" || !dims || !prefixes || !packed || !most) {
    throw new InferenceError("model-invalid", `${card.name} is no dual encoder`, { model: card.name });
  }
  const [graph, weights, pieces] = await Promise.all([
    readVerified(dir, card, "model.onnx"),
    readVerified(dir, card, "weights.bin"),
    loadPieces(dir, card),
  ]);
  const shapes = Array.from({ length: packed.layers }, () => packed.matrices).flat();
  if (weights.length !== shapes.reduce((sum, shape) => sum + fourBitBytes(shape), 0)) {
    throw unusable(card, new Error("weights.bin does not hold the matrices that the card names"));
  }
  const files = { [WEIGHTS]: new Uint8Array(int8Columns(weights, shapes).buffer) };
  const { session, Tensor } = await openSession(graph, card, threads, () => undefined, { files });
  return {
    dims,
    async vector({ kind, text, longest = most }) {
      const ids = pieces.tokenizer.encode(`${prefixes[kind]}${text}`, Math.min(longest, most));
      const words = new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]);
      const { vector } = await session.run({ words });
      if (!(vector?.data instanceof Float32Array) || vector.data.length !== dims) {
        throw unusable(card, new Error(`the model's output is not ${dims} numbers`));
      }
      const copy = new Float32Array(vector.data);
      vector.dispose();
      return copy;
    },
    release: () => session.release(),
  };
}
