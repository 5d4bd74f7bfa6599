import type { ModelCard } from "../../cards/registry.ts";
import { serveModel } from "../../runtime/model-worker.ts";
import { type Asked, loadClassifyModel } from "./classify-model.ts";

/** Holds what the Worker is started with. */
export type ClassifyWorkerData = { dir: string; card: ModelCard; threads: number };

serveModel(async ({ dir, card, threads }: ClassifyWorkerData) => {
  const model = await loadClassifyModel(dir, card, threads);
  return {
    run: (batch: readonly Asked[], context) => model.logits(batch, context),
    release: () => model.release(),
    transfer: (logits: Float64Array<ArrayBuffer>) => [logits.buffer],
  };
});
