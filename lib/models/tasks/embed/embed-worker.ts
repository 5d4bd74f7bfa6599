import type { ModelCard } from "../../cards/registry.ts";
import { loadEmbedModel } from "./embed-model.ts";
import { serveModel } from "../../runtime/model-worker.ts";

/** Holds what the Worker is started with. */
export type EmbedWorkerData = { dir: string; card: ModelCard; threads: number };

serveModel(async ({ dir, card, threads }: EmbedWorkerData) => {
  const model = await loadEmbedModel(dir, card, threads);
  return {
    run: async (batch: readonly string[], { signal }) => new Float32Array(await model.embed(batch, { signal })),
    release: () => model.release(),
    transfer: (vectors: Float32Array<ArrayBuffer>) => [vectors.buffer],
  };
});
