import type { Passage } from "@isnad/lib/models";
import { type Branches, fuseHybrid, searchBranches } from "@isnad/lib/search";
import { chunkText, codePointSlice, countWords, queryWords } from "@isnad/lib/text";
import { AS_SEARCH, K_RRF } from "../hybrid/evaluate.ts";
import type { Collection } from "../keyword/collection.ts";

/** Which branches find the candidates. */
export type Stage = "keyword" | "hybrid";

/** A candidate: a document by its place in the collection, with the passage of it that is judged. */
export type Candidate = { document: number; passage: Passage };

/** The first `count` documents for a query in the order of the first stage, asked as `/v1/search` asks. */
export async function candidates(
  branches: Branches,
  { documents }: Pick<Collection, "documents">,
  query: string,
  { stage, count }: { stage: Stage; count: number },
): Promise<Candidate[]> {
  const asked = stage === "keyword" ? { ...AS_SEARCH, kVector: 0 } : AS_SEARCH;
  const branchHits = await searchBranches(branches, { ...asked, text: query });
  const passages = new Map(branchHits.vector.map((hit) => [hit.articleId, hit]));
  const scores = new Map(branchHits.keyword.map(({ articleId, score }) => [articleId, score]));
  return fuseHybrid(branchHits, { k: K_RRF, fusion: "rrf" })
    .hits.slice(0, count)
    .map(({ articleId }) => {
      const { title = "", text = "" } = documents[articleId - 1] ?? {};
      const part = passages.get(articleId) ?? fullest(title, text, query);
      const passage = { title, text: codePointSlice(text, part.start, part.end), keywordScore: scores.get(articleId) };
      return { document: articleId - 1, passage };
    });
}

function fullest(title: string, text: string, query: string): { start: number; end: number } {
  const chunks = chunkText(title, text);
  const [only] = chunks;
  if (only !== undefined && chunks.length === 1) return only;
  const stems = new Set(queryWords(query).flatMap(({ terms }) => terms.stems));
  let best = { start: 0, end: 0, found: -1 };
  for (const { start, end } of chunks) {
    const words = new Set(
      [...countWords(codePointSlice(text, start, end)).counts.keys()]
        .flatMap((terms) => terms.stems)
        .filter((stem) => stems.has(stem)),
    ).size;
    if (words > best.found) best = { start, end, found: words };
  }
  return best;
}
