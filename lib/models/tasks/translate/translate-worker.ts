import { type ModelData, serveModel } from "../../runtime/model-worker.ts";
import { loadTranslateModel } from "./translate-model.ts";

/** Holds what the Worker is started with. */
export type TranslateWorkerData = ModelData & { beams: number };

serveModel(async ({ dir, card, threads, beams }: TranslateWorkerData) => {
  const model = await loadTranslateModel(dir, card, threads);
  return {
    async run(batch: readonly string[], { signal }) {
      const texts: string[] = [];
      for (const text of batch) texts.push(await model.translate(text, { beams, signal }));
      return texts;
    },
    release: () => model.release(),
  };
});
