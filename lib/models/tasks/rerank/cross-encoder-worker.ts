import { type ModelData, serveModel } from "../../runtime/model-worker.ts";
import { loadCrossEncoder, type Pair } from "./encoder-models.ts";

serveModel(async ({ dir, card, threads }: ModelData) => {
  const model = await loadCrossEncoder(dir, card, threads);
  return {
    run: (batch: readonly Pair[], context) => model.scores(batch, context),
    release: () => model.release(),
    transfer: (scores: Float32Array<ArrayBuffer>) => [scores.buffer],
  };
});
