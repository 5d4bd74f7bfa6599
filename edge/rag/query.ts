import { chunkConditions, PassagesResponse } from "@isnad/lib/contract";
import type { OnBehalf, ServiceClient } from "@isnad/lib/service/http";
import { errorMessage } from "@isnad/lib/std";
import { codePointSlice } from "@isnad/lib/text";
import type { Capabilities } from "../deps.ts";
import { type Candidate, candidateOf } from "./candidate.ts";
import { formatChunkId } from "./chunk-id.ts";
import type { DevItems } from "./dev-items.ts";
import type { RagAnswer, RagQuery, RagResult } from "./query-schema.ts";

/** Characters of a snippet. */
const SNIPPET = 280;

/** Time that reranking may take, in milliseconds: the order by meaning now is worth more than a better one later. */
const RERANK_MS = 3_000;

/** What a query is answered with; `devItems` only where developers may add some. */
export type RagDeps = { retrieval: ServiceClient; capabilities: Capabilities; devItems?: DevItems | undefined };

/**
 * The chunks nearest to a question in meaning, the first of them reranked. When the reranker fails, the order by
 * meaning is the answer, and `failure` says why. @throws AppError when there is no search
 */
export async function ragQuery(
  deps: RagDeps,
  { query, k, rerank_top_n, filters }: RagQuery,
  on: OnBehalf,
): Promise<{ answer: RagAnswer; failure: string | undefined }> {
  const start = performance.now();
  const count = Math.max(k, rerank_top_n);
  const [{ results, diagnostics }, own] = await Promise.all([
    deps.retrieval.post(
      "/passages",
      { query, k: count, filters, ...vectorsFor(deps, rerank_top_n) },
      PassagesResponse,
      on,
    ),
    devCandidates(deps, query, count, filters, on),
  ]);
  const candidates = [...results.map(candidateOf), ...own].sort((a, b) => b.score - a.score).slice(0, count);
  const rerankStart = performance.now();
  const { order, judged, failure } = await rerank(deps.capabilities, query, candidates, rerank_top_n, on.signal);
  const end = performance.now();
  const answer: RagAnswer = {
    ok: true,
    timing_ms: {
      embed: Math.round(diagnostics.embed_ms),
      search: Math.round(diagnostics.search_ms),
      rerank: Math.round(end - rerankStart),
      total: Math.round(end - start),
    },
    reranked: judged > 0,
    results: order.slice(0, k).map(shown),
  };
  return { answer, failure };
}

/** Asks for what the reranker of this machine made of the chunks beforehand, where it is to judge some. */
function vectorsFor({ capabilities: { rerank } }: RagDeps, topN: number): { vectors_of?: string } {
  if (topN === 0 || rerank.missing !== undefined || rerank.provider !== "builtin") return {};
  return { vectors_of: rerank.model };
}

async function devCandidates(
  { devItems, capabilities }: RagDeps,
  query: string,
  count: number,
  filters: RagQuery["filters"],
  { signal }: OnBehalf,
): Promise<Candidate[]> {
  const { embed } = capabilities;
  if (devItems === undefined || embed.missing !== undefined) return [];
  const [vector] = await embed.use.embed([query], "query", signal);
  return vector === undefined ? [] : devItems.search(vector, count, chunkConditions(filters ?? {}));
}

async function rerank(
  { rerank: reranker }: Capabilities,
  query: string,
  candidates: readonly Candidate[],
  topN: number,
  signal: AbortSignal,
): Promise<{ order: readonly Candidate[]; judged: number; failure?: string | undefined }> {
  const head = candidates.slice(0, topN);
  const asTheyStand = { order: candidates, judged: 0 };
  if (head.length === 0) return asTheyStand;
  if (reranker.missing !== undefined) return { ...asTheyStand, failure: reranker.missing.message };
  try {
    const passages = head.map(({ title, text, vector }) => ({ title, text, vectors: vector }));
    const limited = AbortSignal.any([signal, AbortSignal.timeout(RERANK_MS)]);
    const scores = await reranker.use.rerank(query, passages, { signal: limited, kind: "rag" });
    const ranked = head
      .map((candidate, i) => ({ candidate, score: scores[i] ?? Number.NEGATIVE_INFINITY }))
      .sort((a, b) => b.score - a.score)
      .map(({ candidate }) => candidate);
    return { order: [...ranked, ...candidates.slice(topN)], judged: ranked.length };
  } catch (error) {
    signal.throwIfAborted();
    return { ...asTheyStand, failure: errorMessage(error) };
  }
}

function shown(candidate: Candidate, i: number): RagResult {
  const { docId, chunkNo, url, title, text, lang, source, month, score } = candidate;
  return {
    id: formatChunkId({ docId, chunkNo }),
    article_id: docId,
    chunk_no: chunkNo,
    url,
    title,
    snippet: codePointSlice(text.replace(/\s+/g, " ").trim(), 0, SNIPPET),
    lang,
    source,
    published_at_bucket: month,
    vector_score: score,
    rerank_pos: i + 1,
  };
}
