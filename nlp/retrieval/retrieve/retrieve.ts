import { filtersOf } from "@isnad/lib/contract";
import { AppError, invalidFields } from "@isnad/lib/service/http";
import { type Branches, type KeywordQuery, reciprocalRankFusion, searchBranches } from "@isnad/lib/search";
import { mapInSlices } from "@isnad/lib/std";
import { parseQuery, queryTerms } from "@isnad/lib/text";
import { articleKeys, type Documents, type KeyStore, keysWithin, withDocuments } from "../documents.ts";
import { installed, type RerankStore, type RetrievalDeps } from "../deps.ts";
import { evidenceOf, failuresOf, VectorsUnavailable } from "../evidence.ts";
import { passageOf, passagesOf, RERANKED, rerankPage, unranked } from "../rerank/rerank.ts";
import { show } from "../search/passages.ts";
import { type Hit, HIT_FIELDS, type RetrieveRequest, type RetrieveResponse, USUAL_FIELDS } from "./request.ts";

/** Holds what is asked of the store. */
export type RetrieveStore = RerankStore & KeyStore;

/** Titles weigh three times as much as content. */
const FIELDS = { title: 3, content: 1 };

/**
 * Hybrid retrieval of evidence: exactly the branches and depths that the request names, all they find fused by ranks,
 * and reranked where that is asked for. Throws {@link AppError}: 404 for an unknown index, 422 for an unknown vector
 * field, 503 for a rerank without a reranker.
 */
export async function retrieve(
  deps: Pick<RetrievalDeps, "config" | "reranker" | "followers"> & {
    branches: Branches;
    documents: Documents;
    store: RetrieveStore;
  },
  request: RetrieveRequest,
  signal?: AbortSignal,
): Promise<{ body: RetrieveResponse; failures: Record<string, string> }> {
  const { branches, documents, store, config, reranker } = deps;
  const { query, lang, k_bm25, k_knn, k_rrf, rerank, limit, fields } = request;
  const { search_fields, index, vector_field, term, ...params } = request.filters ?? {};
  if (index !== undefined && index !== config.search.index) {
    throw new AppError("not-found", `There is no index named ${index.slice(0, 64)}.`);
  }
  if (vector_field !== undefined && vector_field !== config.search.vectorField) {
    throw invalidFields({ "filters.vector_field": [`must be ${config.search.vectorField}`] });
  }
  const judge = rerank ? installed(reranker) : undefined;
  const found = await searchBranches(
    branches,
    {
      text: query,
      lang: lang ?? undefined,
      fields: search_fields === undefined ? FIELDS : weights(search_fields),
      filters: { ...filtersOf(params), articleIds: await keysWithin(store, params) },
      term: await byKey(store, term),
      kKeyword: k_bm25,
      kVector: k_knn,
    },
    { signal },
  ).catch((error: unknown) => {
    if (k_bm25 === 0) throw new VectorsUnavailable("the vector branch failed", { cause: error });
    throw error;
  });

  const rrfStart = performance.now();
  const fused = reciprocalRankFusion(
    found.keyword.map(({ articleId }) => articleId),
    found.vector.map(({ articleId }) => articleId),
    k_rrf,
  );
  const rrfMs = performance.now() - rrfStart;
  const evidence = evidenceOf(found);
  const keys = new Set<keyof Hit>(fields ?? USUAL_FIELDS);
  const count = limit ?? fused.length;
  const first = await withDocuments(documents, fused, {
    offset: 0,
    limit: judge === undefined ? count : Math.max(count, RERANKED),
  });
  const { text } = parseQuery(query);
  const terms = queryTerms(text);
  const ranked =
    judge === undefined
      ? { page: unranked(first), ms: 0, error: undefined }
      : await rerankPage({ judge, store }, text, first, { evidence, terms, signal });
  const results = await mapInSlices(ranked.page.slice(0, count), ({ document, ...hit }): Partial<Hit> => {
    const nearest = evidence.passages.get(hit.articleId);
    const values: Record<keyof Hit, () => unknown> = {
      doc_id: () => document.docId,
      article_id: () => document.articleId,
      title: () => document.title,
      passage: () => passageOf(document, terms, nearest),
      passages: () => passagesOf(document, terms, nearest),
      url: () => document.url,
      published_at: () => document.publishedAt,
      source: () => document.sourceId,
      bm25_rank: () => hit.keywordRank,
      knn_rank: () => hit.vectorRank,
      rrf_score: () => hit.score,
      rerank_score: () => hit.rerankScore,
      final_rank: () => hit.finalRank,
      highlights: () => show(document, terms, nearest).highlights,
    };
    return Object.fromEntries(HIT_FIELDS.filter((field) => keys.has(field)).map((field) => [field, values[field]()]));
  });
  const failures = failuresOf(found, ranked.error, deps.followers);
  const body: RetrieveResponse = {
    query,
    params: { k_bm25, k_knn, k_rrf, rerank },
    results,
    diagnostics: { bm25_ms: found.keywordMs, knn_ms: found.vectorMs, rrf_ms: rrfMs, rerank_ms: ranked.ms },
    degraded: Object.keys(failures).length > 0,
  };
  return { body, failures };
}

/** A term with the article's key in place of its number. */
async function byKey(store: RetrieveStore, term: KeywordQuery["term"]): Promise<KeywordQuery["term"]> {
  if (term?.field !== "article_id") return term;
  const id = Number(term.value);
  return { ...term, value: (await articleKeys(store, [id])).get(id) ?? 0 };
}

/** A field named twice counts with the sum of its boosts. */
function weights(fields: readonly { name: "title" | "content"; boost: number }[]): {
  title?: number;
  content?: number;
} {
  const sum: { title?: number; content?: number } = {};
  for (const { name, boost } of fields) sum[name] = (sum[name] ?? 0) + boost;
  return sum;
}
