import type { InferenceSession, Tensor } from "onnxruntime-node";
import type { ModelCard } from "../../models/card.ts";
import { readVerified } from "../../models/verified-file.ts";
import { openSession, unusable } from "../../runtime/open-session.ts";
import type { Pieces } from "../../tokenizers/pieces.ts";
import type { Window } from "./windows.ts";

/** What the words of a window are read for: the heads of the tagger, or its types for nested entities. */
export type Reading = "heads" | "nested";

/** The graphs of a tagger: lower layers that both readings share, and upper ones of each. */
export type TaggerGraphs = {
  /** The scores of a window's words, one row a word, for each reading that is asked for. */
  run(window: Window, readings: readonly Reading[]): Promise<Map<Reading, Float32Array>>;
  release(): Promise<void>;
};

const FILES = { heads: "model.onnx", nested: "nested.onnx" } as const;

/**
 * Opens the graphs after checking their files.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
export async function openGraphs(dir: string, card: ModelCard, threads: number, pieces: Pieces): Promise<TaggerGraphs> {
  const open = async (name: string): Promise<{ session: InferenceSession; Tensor: typeof Tensor }> =>
    openSession(await readVerified(dir, card, name), card, threads, () => undefined);
  const lower = await open("lower.onnx");
  const upper = { heads: await open(FILES.heads), nested: await open(FILES.nested) };
  const made = lower.Tensor;
  return {
    async run({ ids, firsts }, readings) {
      const words = new made("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]);
      const { states } = await lower.session.run({ words });
      const places = new made("int32", Int32Array.from(firsts), [firsts.length]);
      const found = new Map<Reading, Float32Array>();
      for (const reading of readings) {
        if (states === undefined) throw unusable(card, new Error("the lower layers gave no states"));
        const { scores } = await upper[reading].session.run({ states, firsts: places });
        const { data } = scores ?? {};
        if (!(data instanceof Float32Array) || data.length % firsts.length !== 0) {
          throw unusable(card, new Error("the model's output is not a row of numbers for each word"));
        }
        found.set(reading, data);
      }
      return found;
    },
    async release() {
      for (const { session } of [lower, upper.heads, upper.nested]) await session.release();
    },
  };
}
