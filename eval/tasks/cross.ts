import { fileURLToPath, URL } from "node:url";
import { createEmbedder, createPassageReader, createReranker, openRegistry } from "@isnad/lib/models";
import { type Direction, directionOf, passagesOf, readQuestions } from "../cross/questions.ts";
import { dataFolder } from "../embed/data.ts";
import { evalHybrid } from "../hybrid/evaluate.ts";
import { indexCollection } from "../hybrid/indexed.ts";
import { type Collection, readCollection } from "../keyword/collection.ts";
import { evalRerank } from "../rerank/evaluate.ts";
import type { EvalTask } from "../task.ts";

const questions = (name: string): string => fileURLToPath(new URL(`../cross/${name}.jsonl`, import.meta.url));

/** Questions in one language about passages in the other one; with `full` reranked, too. */
export const cross: EvalTask = {
  name: "cross",
  formats: "a BEIR folder; or questions of eval/cross, about the passages of the data folder",
  sets: () => [
    { set: "Arabic to English", path: questions("test.ar-en") },
    { set: "English to Arabic", path: questions("test.en-ar") },
  ],
  async load({ full }) {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
    const reranker = full ? await createReranker({ registry, timeoutMs: 600_000 }) : undefined;
    const reader = full ? await createPassageReader({ registry, timeoutMs: 600_000 }) : undefined;
    return {
      async measure({ path }) {
        const collection = collectionAt(path);
        await using indexed = await indexCollection(collection, embedder);
        const { keyword, vector, hybrid, byScore, rankings } = await evalHybrid(indexed, collection);
        const reranked = reranker && (await evalRerank(indexed, { reranker, reader }, collection, { stage: "hybrid" }));
        const predictions = rankings.flatMap(({ query, ids, scores }) =>
          ids.map((id, place) => `${query}\t${id}\t${place + 1}\t${scores[place]?.toFixed(6)}`),
        );
        const figures = {
          "nDCG@10": hybrid,
          "by score": byScore,
          ...(reranked && { reranked: reranked.after }),
          "keyword alone": keyword,
          "vector alone": vector,
        };
        return { figures, size: collection.queries.length, predictions };
      },
      async close() {
        await embedder.close();
        await reranker?.close();
        await reader?.close();
      },
    };
  },
};

function collectionAt(path: string): Collection {
  const direction: Direction | undefined = directionOf(path);
  if (direction === undefined) return readCollection(path);
  const data = dataFolder(process.env);
  if (data === undefined) throw new Error("the passages stand in the data folder, and there is none");
  return readQuestions(path, passagesOf(data, direction));
}
