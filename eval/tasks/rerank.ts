import { openRegistry } from "@isnad/lib/models";
import { indexCollection } from "../hybrid/indexed.ts";
import { readCollection } from "../keyword/collection.ts";
import { openRankingModels } from "../ranking-models.ts";
import { evalRerank } from "../rerank/evaluate.ts";
import type { EvalTask } from "../task.ts";
import { retrievalSets } from "./retrieval-sets.ts";

/** Every nth question of the larger sets: enough to tell, and a fifth of the time. */
const EVERY: Readonly<Record<string, number>> = { "TyDi QA ar dev": 3, "ARCD train": 3, "TyDi QA en": 12 };

/**
 * The reranker over the first 30 hits of hybrid search: nDCG@10 after it, and what it gained; with `full` what it gains
 * over keyword search, too.
 */
export const rerank: EvalTask = {
  name: "rerank",
  formats: "a BEIR folder",
  sets: (data, { full }) =>
    retrievalSets(data).map((known) => {
      const every = full ? undefined : EVERY[known.set];
      return every === undefined
        ? known
        : { ...known, set: `${known.set}, every ${every === 3 ? "3rd" : `${every}th`} question`, every };
    }),
  async load({ full }) {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const { embedder, reranker, reader, close } = await openRankingModels(registry);
    return {
      async measure({ path, every = 1 }) {
        const whole = readCollection(path);
        const collection = { ...whole, queries: whole.queries.filter((_, place) => place % every === 0) };
        await using indexed = await indexCollection(collection, embedder);
        const overHybrid = await evalRerank(indexed, { reranker, reader }, collection, { stage: "hybrid" });
        const overKeyword = full
          ? await evalRerank(indexed, { reranker, reader }, collection, { stage: "keyword" })
          : undefined;
        const predictions = overHybrid.rankings.flatMap(({ query, ids, scores }) =>
          ids.map((id, place) => `${query}\t${id}\t${place + 1}\t${scores[place]?.toFixed(6)}`),
        );
        const figures = {
          "nDCG@10": overHybrid.after,
          "gain, hybrid": overHybrid.after - overHybrid.before,
          ...(overKeyword && { "gain, keyword": overKeyword.after - overKeyword.before }),
        };
        return { figures, size: collection.queries.length, predictions };
      },
      close,
    };
  },
};
