import type { Branches, VectorHit } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
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
    allowed: (query, articleIds) => keyword.allowed(query, articleIds),
    async vector(text, k, filters, signal) {
      if (!WORD.test(text)) return { hits: [], candidates: 0 };
      const vector = await embed(text, signal);
      const found = await vectors.search(vector, k, filters);
      return { hits: rows(found), candidates: found.candidates };
    },
  };
}

function rows({ articleIds, scores, chunks }: VectorHits): VectorHit[] {
  const hits: VectorHit[] = [];
  for (let i = 0; i < articleIds.length; i++) {
    const [chunkNo, start, end] = [at(chunks, 3 * i), at(chunks, 3 * i + 1), at(chunks, 3 * i + 2)];
    hits.push({ articleId: at(articleIds, i), score: at(scores, i), chunkNo, start, end });
  }
  return hits;
}
