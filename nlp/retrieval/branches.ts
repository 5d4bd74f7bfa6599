import type { Branches, VectorHit } from "@isnad/lib/search";
import type { RetrievalDeps, VectorHits } from "./deps.ts";
import { installed } from "./optional-model.ts";
import { queryVectors } from "./query-vectors.ts";

/** What a text without any of these says is nothing that could be near to an article. */
const WORD = /[\p{L}\p{N}]/u;

/** Both branches over the indexes of this process. A query without a letter or digit finds nothing in either. */
export function createBranches({
  keyword,
  vectors,
  embedder,
}: Pick<RetrievalDeps, "keyword" | "vectors" | "embedder">): Branches {
  const embed = queryVectors({ embed: async (...call) => installed(embedder).embed(...call) });
  return {
    keyword: (query) => keyword.search(query),
    async vector(text, k, filters, signal) {
      if (!WORD.test(text)) return [];
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
