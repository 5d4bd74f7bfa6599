import { type ModelData, serveModel } from "../../runtime/model-worker.ts";
import { type Asked, loadClassifyModel } from "./classify-model.ts";

serveModel(async ({ dir, card, threads }: ModelData) => {
  const model = await loadClassifyModel(dir, card, threads);
  return {
    run: (batch: readonly Asked[], context) => model.logits(batch, context),
    release: () => model.release(),
    transfer: (logits: Float64Array<ArrayBuffer>) => [logits.buffer],
  };
});
