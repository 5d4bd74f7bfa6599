import { join } from "node:path";
import { createEmbedder, openRegistry } from "@isnad/lib/models";
import { type BranchQuery, fuseHybrid, searchBranches } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { heldOutTitles } from "../held-out-titles.ts";
import { indexCollection, type Indexed } from "../indexed.ts";
import { type Collection, ndcgAt10, readCollection, retrievalSets } from "../retrieval-sets.ts";
import type { EvalTask } from "../task.ts";

/** The constant of reciprocal rank fusion, as `/v1/search` has it by default. */
export const K_RRF = 60;

/**
 * Mean nDCG@10 of the two branches alone, and of both fused by ranks and by scores; and the ranking by ranks of each
 * query, ten ids at most, in the order of the queries.
 */
export type HybridScores = {
  keyword: number;
  vector: number;
  hybrid: number;
  byScore: number;
  /** The share of the ten nearest articles that the vector branch found; undefined where it compares every vector. */
  recall?: number | undefined;
  rankings: { query: string; ids: string[]; scores: number[] }[];
};

/** As `/v1/search` asks: windows and fields. */
export const AS_SEARCH: Omit<BranchQuery, "text"> = {
  fields: { title: 3, content: 1 },
  filters: {},
  typos: "auto",
  floor: true,
  kKeyword: 1000,
  kVector: 200,
};

/** Measures hybrid search of an indexed collection as production runs it, and each branch alone. */
export async function evalHybrid(
  { branches, exact }: Pick<Indexed, "branches" | "exact">,
  collection: Collection,
): Promise<HybridScores> {
  const { documents, queries, grades } = collection;
  const sums = { keyword: 0, vector: 0, hybrid: 0, byScore: 0, recall: 0 };
  const rankings: HybridScores["rankings"] = [];
  for (const { id, text } of queries) {
    const branchHits = await searchBranches(branches, { ...AS_SEARCH, text });
    const judged = grades.get(id) ?? new Map<string, number>();
    const idsOf = (hits: readonly { articleId: number }[]): string[] =>
      hits.slice(0, 10).map(({ articleId }) => at(documents, articleId - 1).id);
    const { hits } = fuseHybrid(branchHits, { k: K_RRF, fusion: "rrf" });
    sums.keyword += ndcgAt10(idsOf(branchHits.keyword), judged);
    sums.vector += ndcgAt10(idsOf(branchHits.vector), judged);
    sums.hybrid += ndcgAt10(idsOf(hits), judged);
    sums.byScore += ndcgAt10(idsOf(fuseHybrid(branchHits, { k: K_RRF, fusion: "score" }).hits), judged);
    if (exact !== undefined) {
      const nearest = new Set((await exact(text, 10)).map(({ articleId }) => articleId));
      const ten = branchHits.vector.slice(0, 10);
      sums.recall += ten.filter(({ articleId }) => nearest.has(articleId)).length / Math.max(1, nearest.size);
    }
    rankings.push({ query: id, ids: idsOf(hits), scores: hits.slice(0, 10).map(({ score }) => score) });
  }
  const mean = (sum: number) => sum / Math.max(1, queries.length);
  const { keyword, vector, hybrid, byScore } = sums;
  return {
    keyword: mean(keyword),
    vector: mean(vector),
    hybrid: mean(hybrid),
    byScore: mean(byScore),
    recall: exact && mean(sums.recall),
    rankings,
  };
}

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
