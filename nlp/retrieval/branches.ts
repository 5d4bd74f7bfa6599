import type { Branches, VectorHit } from "@isnad/lib/search";
import type { RetrievalDeps, VectorHits } from "./deps.ts";
import { queryVectors } from "./query-vectors.ts";

/** Both branches over the indexes of this process. */
export function createBranches({
  keyword,
  vectors,
  embedder,
}: Pick<RetrievalDeps, "keyword" | "vectors" | "embedder">): Branches {
  const embed = queryVectors(embedder);
  return {
    keyword: (query) => keyword.search(query),
    async vector(text, k, filters, signal) {
      const vector = await embed(text, signal);
      return rows(await vectors.search(vector, k, filters));
    },
  };
}

function rows({ articleIds, scores, chunks }: VectorHits): VectorHit[] {
  return Array.from(articleIds, (articleId, i) => ({
    articleId,
    score: scores[i] ?? 0,
    chunkNo: chunks[3 * i] ?? 0,
    start: chunks[3 * i + 1] ?? 0,
    end: chunks[3 * i + 2] ?? 0,
  }));
}
