import { serveModel } from "../../runtime/model-worker.ts";
import { type Asked, type ClassifyData, loadClassifyModel } from "./classify-model.ts";

serveModel(async ({ dir, card, threads, isLazy }: ClassifyData) => {
  const model = await loadClassifyModel(dir, card, { threads, isLazy });
  return {
    run: (batch: readonly Asked[], context) => model.logits(batch, context),
    release: () => model.release(),
    transfer: (logits: Float64Array<ArrayBuffer>) => [logits.buffer],
  };
});
