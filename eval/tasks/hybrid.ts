import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { heldOutTitles } from "../held-out-titles.ts";
import { evalHybrid } from "../hybrid/evaluate.ts";
import { indexCollection } from "../hybrid/indexed.ts";
import { type Collection, readCollection } from "../keyword/collection.ts";
import type { EvalTask } from "../task.ts";
import { retrievalSets } from "./retrieval-sets.ts";

/** Sets made of news that no model was trained on; `path` is the folder of the news. */
const NEWS: Record<string, (news: string) => Collection> = {
  "title to body ar, held out": (news) => heldOutTitles(news, "ar", "body"),
  "title to body en, held out": (news) => heldOutTitles(news, "en", "body"),
  "title to abstract ar, held out": (news) => heldOutTitles(news, "ar", "abstract"),
};

/** Hybrid search as it is in production, beside its two branches. */
export const hybrid: EvalTask = {
  name: "hybrid",
  formats: "a BEIR folder",
  sets: (data) => [...retrievalSets(data), ...Object.keys(NEWS).map((set) => ({ set, path: join(data, "news") }))],
  async load() {
    const embedder = await createEmbedder({
      registry: openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" }),
      timeoutMs: 600_000,
    });
    return {
      async measure({ set, path }) {
        const collection = NEWS[set]?.(path) ?? readCollection(path);
        await using indexed = await indexCollection(collection, embedder);
        const { keyword, vector, hybrid: fused, byScore, recall, rankings } = await evalHybrid(indexed, collection);
        const predictions = rankings.flatMap(({ query, ids, scores }) =>
          ids.map((id, place) => `${query}\t${id}\t${place + 1}\t${scores[place]?.toFixed(6)}`),
        );
        const over = fused - Math.max(keyword, vector);
        const figures = {
          "nDCG@10": fused,
          "over better": over,
          "by score": byScore,
          "keyword alone": keyword,
          "vector alone": vector,
          ...(recall !== undefined && { "recall@10": recall }),
        };
        return { figures, size: collection.queries.length, predictions };
      },
      close: () => embedder.close(),
    };
  },
};
