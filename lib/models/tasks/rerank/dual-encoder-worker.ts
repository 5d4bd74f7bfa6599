import { type ModelData, serveModel } from "../../runtime/model-worker.ts";
import { type EncoderInput, loadDualEncoder } from "./encoder-models.ts";

serveModel(async ({ dir, card, threads }: ModelData) => {
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
