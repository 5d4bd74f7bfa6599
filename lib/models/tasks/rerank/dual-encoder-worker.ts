import type { ModelCard } from "../../cards/registry.ts";
import { serveModel } from "../../runtime/model-worker.ts";
import { type EncoderInput, loadDualEncoder } from "./encoder-models.ts";

/** Holds what the Worker is started with. */
export type DualEncoderWorkerData = { dir: string; card: ModelCard; threads: number };

serveModel(async ({ dir, card, threads }: DualEncoderWorkerData) => {
  const model = await loadDualEncoder(dir, card, threads);
  return {
    async run(batch: readonly EncoderInput[], { signal }): Promise<Float32Array<ArrayBuffer>[]> {
      const vectors: Float32Array<ArrayBuffer>[] = [];
      for (const input of batch) {
        signal.throwIfAborted();
        vectors.push(await model.vector(input));
      }
      return vectors;
    },
    release: () => model.release(),
    transfer: (vectors) => vectors.map(({ buffer }) => buffer),
  };
});
