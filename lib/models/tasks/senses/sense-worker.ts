import type { ModelCard } from "../../cards/card.ts";
import { serveModel } from "../../runtime/model-worker.ts";
import { loadSenseModel, type SenseInput } from "./sense-model.ts";

/** What the Worker is started with. */
export type SenseWorkerData = { dir: string; card: ModelCard; threads: number };

serveModel(async ({ dir, card, threads }: SenseWorkerData) => {
  const model = await loadSenseModel(dir, card, threads);
  return {
    async run(batch: readonly SenseInput[], { signal }): Promise<Float32Array[]> {
      const out: Float32Array[] = [];
      for (const input of batch) {
        signal?.throwIfAborted();
        out.push(await model.vectors(input));
      }
      return out;
    },
    release: () => model.release(),
  };
});
