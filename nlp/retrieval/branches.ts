import type { Branches, VectorHit } from "@isnad/lib/search";
import type { RetrievalDeps, VectorHits } from "./deps.ts";
import type { QueryVector } from "./query-vectors.ts";

/** What a text without any of these says is nothing that could be near to an article. */
export const WORD = /[\p{L}\p{N}]/u;

/** Both branches over the indexes of this process. A query without a letter or digit finds nothing in either. */
export function createBranches(
  { keyword, vectors }: Pick<RetrievalDeps, "keyword" | "vectors">,
  embed: QueryVector,
): Branches {
  return {
    keyword: (query) => keyword.search(query),
    reading: (query) => keyword.reading(query),
    supports: (query, articleIds) => keyword.supports(query, articleIds),
    allowed: (query, articleIds) => keyword.allowed(query, articleIds),
    async vector(query, k, filters, signal) {
      if (!WORD.test(query.text)) return { hits: [], candidates: 0 };
      const vector = await embed(query, signal);
      const found = await vectors.search(vector, k, filters);
      return { hits: rows(found), candidates: found.candidates };
    },
  };
}

function rows({ articleIds, scores, chunks }: VectorHits): VectorHit[] {
  const hits: VectorHit[] = [];
  // Ten times as fast as with at().
  for (let i = 0; i < articleIds.length; i++) {
    hits.push({
      articleId: articleIds[i] ?? 0,
      score: scores[i] ?? 0,
      chunkNo: chunks[3 * i] ?? 0,
      start: chunks[3 * i + 1] ?? 0,
      end: chunks[3 * i + 2] ?? 0,
    });
  }
  return hits;
}
