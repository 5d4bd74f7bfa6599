import { randomUUID } from "node:crypto";
import { available } from "@isnad/lib/answers";
import { chunkConditions, ChunkFilters, MAX_PASSAGES, PassagesResponse, textField } from "@isnad/lib/contract";
import { type OnBehalf, type ServiceClient, z } from "@isnad/lib/service/http";
import { at, errorMessage } from "@isnad/lib/std";
import { codePointSlice } from "@isnad/lib/text";
import type { Capabilities } from "../capabilities.ts";
import { type Candidate, candidateOf, type DevItems, formatChunkId } from "./dev-items.ts";

/** Characters of a snippet. */
const SNIPPET = 280;

/** Time that reranking may take, in milliseconds: the order by meaning now is worth more than a better one later. */
const RERANK_MS = 3_000;

/** Holds what a query is answered with; `devItems` only where developers may add some. */
type RagDeps = { retrieval: ServiceClient; capabilities: Capabilities; devItems?: DevItems | undefined };

/**
 * Returns the chunks nearest to a question in meaning, the first of them reranked. When the reranker fails, the order
 * by meaning is the answer, and `failure` says why. @throws AppError when there is no search
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
  // An item of a developer is of no story.
  if (devItems === undefined || embed.missing !== undefined || filters?.story_id !== undefined) return [];
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

/** The body of `POST /rag/query`. */
export const RagQuery = z
  .object({
    query: textField({ min: 1, max: 2000 }),
    k: z.int().min(1).max(MAX_PASSAGES).default(10).openapi({ description: "results" }),
    rerank_top_n: z
      .int()
      .min(0)
      .max(MAX_PASSAGES)
      .default(20)
      .openapi({ description: "candidates that are put into the order of the reranker; 0: none" }),
    filters: ChunkFilters.nullish(),
  })
  .openapi("RagQuery");
export type RagQuery = z.output<typeof RagQuery>;

/** A chunk, as it is shown. */
const RagResult = z
  .object({
    id: z.string().openapi({ example: "article:5f0c…:chunk:0" }),
    article_id: z.string().openapi({ description: "the article's uuid" }),
    chunk_no: z.int(),
    url: z.string(),
    title: z.string(),
    snippet: z.string().openapi({ description: "the beginning of the chunk, as plain text" }),
    lang: z.string().nullable(),
    source: z.string(),
    published_at_bucket: z.int().nullable().openapi({ description: "the month as YYYYMM, in UTC" }),
    vector_score: z.number().openapi({ description: "cosine of the question and the chunk" }),
    rerank_pos: z.int().openapi({ description: "from 1; the position by meaning where nothing was reranked" }),
  })
  .openapi("RagResult");
type RagResult = z.output<typeof RagResult>;

/** The answer of `POST /rag/query`. */
export const RagAnswer = z
  .object({
    ok: z.literal(true),
    timing_ms: z.object({ embed: z.int(), search: z.int(), rerank: z.int(), total: z.int() }),
    reranked: z.boolean().openapi({
      description: "false where that was not asked for, nothing was found, or the reranker cannot answer",
    }),
    results: z.array(RagResult),
  })
  .openapi("RagAnswer");
export type RagAnswer = z.output<typeof RagAnswer>;

/** Says how a trial went; times in milliseconds. */
type SmokeOutcome = {
  ok: boolean;
  id: string;
  found: boolean;
  timing_ms: { embed: number; upsert: number; query: number; total: number };
};

/** Embeds a text, upserts it, asks for it as `/rag/query` does, and removes it again. @throws what these throw */
export async function smoke(deps: RagDeps & { devItems: DevItems }, text: string, on: OnBehalf): Promise<SmokeOutcome> {
  const id = formatChunkId({ docId: randomUUID(), chunkNo: 0 });
  const start = performance.now();
  const vectors = await available(deps.capabilities.embed).use.embed([text], "passage", on.signal);
  const embedded = performance.now();
  deps.devItems.upsert([{ id, text, metadata: { source: "smoke" }, vector: at(vectors, 0) }]);
  const upserted = performance.now();
  try {
    const asked = { query: text.slice(0, 1000), k: 10, rerank_top_n: 0, filters: { source: "smoke" } };
    const { answer } = await ragQuery(deps, asked, on);
    const found = answer.results.some((result) => result.id === id);
    const end = performance.now();
    const [embed, upsert, query, total] = [embedded - start, upserted - embedded, end - upserted, end - start].map(
      Math.round,
    );
    return {
      ok: found,
      id,
      found,
      timing_ms: { embed: embed ?? 0, upsert: upsert ?? 0, query: query ?? 0, total: total ?? 0 },
    };
  } finally {
    deps.devItems.remove(id);
  }
}
