import { loadEmbedModel } from "./embed-model.ts";
import { type ModelData, serveModel } from "../../runtime/model-worker.ts";

serveModel(async ({ dir, card, threads }: ModelData) => {
  const model = await loadEmbedModel(dir, card, threads);
  return {
    run: async (batch: readonly string[], { signal }) => new Float32Array(await model.embed(batch, { signal })),
    release: () => model.release(),
    transfer: (vectors: Float32Array<ArrayBuffer>) => [vectors.buffer],
  };
});
