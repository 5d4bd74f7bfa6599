import { type BranchQuery, searchBranches } from "@isnad/lib/search";
import { type Collection, ndcgAt10 } from "../keyword/collection.ts";
import type { Indexed } from "./indexed.ts";

/** Mean nDCG@10 of the two branches alone and of both fused, and the fused ranking of each query, ten ids at most, in the order of the queries. */
export type HybridScores = {
  keyword: number;
  vector: number;
  hybrid: number;
  rankings: { query: string; ids: string[]; scores: number[] }[];
};

/** As `/v1/search` asks: windows, fields and constant of the fusion. */
const AS_SEARCH: Omit<BranchQuery, "text"> = {
  fields: { title: 3, content: 1 },
  filters: {},
  kKeyword: 1000,
  kVector: 200,
  kRrf: 60,
};

/** Measures hybrid search of an indexed collection as production runs it, and each branch alone. */
export async function evalHybrid(
  { branches }: Pick<Indexed, "branches">,
  collection: Collection,
): Promise<HybridScores> {
  const { documents, queries, grades } = collection;
  const sums = { keyword: 0, vector: 0, hybrid: 0 };
  const rankings: HybridScores["rankings"] = [];
  for (const { id, text } of queries) {
    const found = await searchBranches(branches, { ...AS_SEARCH, text });
    const judged = grades.get(id) ?? new Map<string, number>();
    const idsOf = (articleIds: readonly number[]): string[] =>
      articleIds.slice(0, 10).map((articleId) => documents[articleId - 1]?.id ?? "");
    const top = found.fused.slice(0, 10);
    const ids = idsOf(top.map(({ articleId }) => articleId));
    // both maps are in the order of their branch
    sums.keyword += ndcgAt10(idsOf([...found.keywordScores.keys()]), judged);
    sums.vector += ndcgAt10(idsOf([...found.passages.keys()]), judged);
    sums.hybrid += ndcgAt10(ids, judged);
    rankings.push({ query: id, ids, scores: top.map(({ score }) => score) });
  }
  const size = Math.max(1, queries.length);
  return { keyword: sums.keyword / size, vector: sums.vector / size, hybrid: sums.hybrid / size, rankings };
}
