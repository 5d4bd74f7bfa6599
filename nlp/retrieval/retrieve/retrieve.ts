import { AppError } from "@isnad/lib/http";
import { type Branches, searchBranches } from "@isnad/lib/search";
import { queryTerms } from "@isnad/lib/text";
import type { RetrievalDeps } from "../deps.ts";
import { withDocuments } from "../documents.ts";
import { reason, VectorsUnavailable } from "../failures.ts";
import { inTurns } from "../in-turns.ts";
import { show } from "../search/passages.ts";
import { HIT_FIELDS, type Hit, type RetrieveResponse } from "./hit.ts";
import { passageOf } from "./passage.ts";
import type { RetrieveRequest } from "./request.ts";

/** Titles weigh three times as much as content. */
const FIELDS = { title: 3, content: 1 };

/**
 * Hybrid retrieval of evidence: exactly the branches and depths that the request names, fused. Throws {@link AppError}: 404 for an unknown
 * index, 422 for an unknown vector field or a rerank without a reranker.
 */
export async function retrieve(
  { branches, store, config, registry }: Pick<RetrievalDeps, "store" | "config" | "registry"> & { branches: Branches },
  request: RetrieveRequest,
  signal?: AbortSignal,
): Promise<{ body: RetrieveResponse; failures: Record<string, string> }> {
  const { query, lang, k_bm25, k_knn, k_rrf, rerank, limit, fields } = request;
  const { search_fields, index, vector_field, term, source_tier, ...filters } = request.filters ?? {};
  if (index !== undefined && index !== config.search.index) {
    throw new AppError("not-found", `There is no index named ${index}.`);
  }
  if (vector_field !== undefined && vector_field !== config.search.vectorField) {
    throw invalid("filters.vector_field", `must be ${config.search.vectorField}`);
  }
  if (rerank && !registry.list().some((entry) => entry.card?.task === "rerank")) {
    throw invalid("rerank", "no reranker is installed: bun run models list shows what is");
  }
  const found = await searchBranches(
    branches,
    {
      text: query,
      lang: lang ?? undefined,
      fields: search_fields === undefined ? FIELDS : weights(search_fields),
      filters: { ...filters, sourceTier: source_tier },
      term,
      kKeyword: k_bm25,
      kVector: k_knn,
      kRrf: k_rrf,
    },
    { signal },
  ).catch((error: unknown) => {
    if (k_bm25 === 0) throw new VectorsUnavailable("the vector branch failed", { cause: error });
    throw error;
  });

  const wanted = new Set<keyof Hit>(fields ?? HIT_FIELDS);
  const page = await withDocuments(store, found.fused, { offset: 0, limit: limit ?? found.fused.length });
  const terms = queryTerms(query);
  const results = await inTurns(page, ({ document, ...hit }): Partial<Hit> => {
    const nearest = found.passages.get(hit.articleId);
    const values: Record<keyof Hit, () => unknown> = {
      doc_id: () => document.docId,
      article_id: () => document.articleId,
      title: () => document.title,
      passage: () => passageOf(document, terms, nearest),
      url: () => document.url,
      published_at: () => document.publishedAt,
      source: () => document.sourceId,
      bm25_rank: () => hit.keywordRank,
      knn_rank: () => hit.vectorRank,
      rrf_score: () => hit.score,
      final_rank: () => hit.finalRank,
      highlights: () => show(document, terms, nearest).highlights,
    };
    return Object.fromEntries(HIT_FIELDS.filter((field) => wanted.has(field)).map((field) => [field, values[field]()]));
  });
  const failures: Record<string, string> = {};
  if (found.keywordError !== undefined) failures.keyword = reason(found.keywordError);
  if (found.vectorError !== undefined) failures.vector = reason(found.vectorError);
  const body: RetrieveResponse = {
    query,
    params: { k_bm25, k_knn, k_rrf, rerank },
    results,
    diagnostics: { bm25_ms: found.keywordMs, knn_ms: found.vectorMs, rrf_ms: found.rrfMs, rerank_ms: 0 },
    degraded: Object.keys(failures).length > 0,
  };
  return { body, failures };
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

function invalid(field: string, message: string): AppError {
  return new AppError("validation-error", "One or more fields contain invalid values.", {
    errors: { [field]: [message] },
  });
}
