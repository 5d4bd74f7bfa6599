import type { ModelCard } from "../../models/card.ts";
import { serveModel } from "../../runtime/model-worker.ts";
import type { RerankInput } from "./passage.ts";
import { loadRerankModel } from "./rerank-model.ts";

/** What the Worker is started with. */
export type RerankWorkerData = { dir: string; card: ModelCard; threads: number };

serveModel(async ({ dir, card, threads }: RerankWorkerData) => {
  const model = await loadRerankModel(dir, card, threads);
  return {
    async run(batch: readonly RerankInput[], { signal }): Promise<Float32Array<ArrayBuffer>[]> {
      const scores: Float32Array<ArrayBuffer>[] = [];
      for (const input of batch) {
        signal.throwIfAborted();
        scores.push(await model.scores(input));
      }
      return scores;
    },
    release: () => model.release(),
    transfer: (scores) => scores.map((row) => row.buffer),
  };
});
