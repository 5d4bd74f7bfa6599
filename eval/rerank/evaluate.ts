import type { Reranker } from "@isnad/lib/inference";
import { at } from "@isnad/lib/std";
import type { Indexed } from "../hybrid/indexed.ts";
import { type Collection, ndcgAt10 } from "../keyword/collection.ts";
import { candidates, type Stage } from "./first-stage.ts";

/**
 * Mean nDCG@10 as the first stage found the candidates and as reranked, and the ranking of each query, ten ids at most,
 * in the order of the queries.
 */
export type RerankScores = {
  before: number;
  after: number;
  rankings: { query: string; ids: string[]; scores: number[] }[];
};

/** Measures the reranking of the first `count` (30, as in production) documents that a first stage finds. */
export async function evalRerank(
  { branches }: Pick<Indexed, "branches">,
  reranker: Pick<Reranker, "rerank">,
  collection: Collection,
  { stage = "hybrid", count = 30 }: { stage?: Stage; count?: number } = {},
): Promise<RerankScores> {
  const { documents, queries, grades } = collection;
  const rankings: RerankScores["rankings"] = [];
  let before = 0;
  let after = 0;
  for (const { id, text } of queries) {
    const found = await candidates(branches, collection, text, { stage, count });
    const scores = await reranker.rerank(
      text,
      found.map(({ passage }) => passage),
    );
    const judged = grades.get(id) ?? new Map<string, number>();
    const plain = found.map(({ document }) => documents[document]?.id ?? "");
    const ranked = plain
      .map((document, i) => ({ document, score: at(scores, i) }))
      .sort((a, b) => b.score - a.score)
      .slice(0, 10);
    const ids = ranked.map(({ document }) => document);
    before += ndcgAt10(plain, judged);
    after += ndcgAt10(ids, judged);
    rankings.push({ query: id, ids, scores: ranked.map(({ score }) => score) });
  }
  const size = Math.max(1, queries.length);
  return { before: before / size, after: after / size, rankings };
}
