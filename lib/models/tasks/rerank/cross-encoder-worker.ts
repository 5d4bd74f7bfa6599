import type { ModelCard } from "../../cards/registry.ts";
import { serveModel } from "../../runtime/model-worker.ts";
import { loadCrossEncoder, type Pair } from "./encoder-models.ts";

/** Holds what the Worker is started with. */
export type CrossEncoderWorkerData = { dir: string; card: ModelCard; threads: number };

serveModel(async ({ dir, card, threads }: CrossEncoderWorkerData) => {
  const model = await loadCrossEncoder(dir, card, threads);
  return {
    run: (batch: readonly Pair[], context) => model.scores(batch, context),
    release: () => model.release(),
    transfer: (scores: Float32Array<ArrayBuffer>) => [scores.buffer],
  };
});
