import { Buffer } from "node:buffer";
import {
  type ChunkCondition,
  chunkConditions,
  ChunkFilters,
  type Passage,
  PassagesRequest,
  PassagesResponse,
} from "@isnad/lib/contract";
import {
  BODY_PROBLEMS,
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  type z,
} from "@isnad/lib/service/http";
import { at } from "@isnad/lib/std";
import { articleIdOfKey, articleKey, keysOfNumber } from "@isnad/lib/store";
import { chunkText, codePointSlice } from "@isnad/lib/text";
import { articleKeys } from "../documents.ts";
import { type QueryVector, WORD } from "../branches.ts";
import type { RetrievalDeps } from "../deps.ts";
import { VectorsUnavailable } from "../evidence.ts";

const FIELDS = ["articleId", "docId", "title", "content", "url", "sourceId", "lang", "publishedAt"] as const;

/**
 * The chunks nearest to a question in meaning. A question without a letter or digit is near to none. @throws
 * VectorsUnavailable
 */
async function passages(
  { vectors, store, reranker, embed }: Pick<RetrievalDeps, "vectors" | "store" | "reranker"> & { embed: QueryVector },
  { query, k, filters, vectors_of }: z.output<typeof PassagesRequest>,
  signal: AbortSignal,
): Promise<PassagesResponse> {
  const { story_id, ...others } = filters ?? {};
  const [conditions, ofStories] = await Promise.all([
    byKey(store, chunkConditions(others)),
    storyConditions(store, story_id),
  ]);
  const start = performance.now();
  if (!WORD.test(query)) return { results: [], diagnostics: { embed_ms: 0, search_ms: 0 } };
  const unavailable = (cause: unknown): never => {
    signal.throwIfAborted();
    throw new VectorsUnavailable("the chunks cannot be searched", { cause });
  };
  const vector = await embed({ text: query }, signal).catch(unavailable);
  const embedded = performance.now();
  const found = await vectors.searchChunks(vector, k, [...conditions, ...ofStories]).catch(unavailable);
  const ids = [...new Set(Array.from(found.articleIds, articleIdOfKey))];
  const judge = vectors_of !== undefined && reranker.model?.modelId === vectors_of ? reranker.model : undefined;
  const dims = judge?.dims ?? 0;
  const [articles, rerankVectors] = await Promise.all([
    store.articles.byIds(ids, FIELDS),
    judge === undefined || dims === 0 ? undefined : store.rerank.vectorsOf(ids, judge),
  ]);
  const byArticleKey = new Map(articles.map((article) => [articleKey(article.articleId, article.docId), article]));
  // The index may have been made when texts were cut otherwise; the reranker reads them as they are cut today.
  const wereRead = articles.filter(({ articleId }) => rerankVectors?.has(articleId));
  const chunksOf = new Map(wereRead.map(({ articleId, content }) => [articleId, chunkText("", content)]));
  const results = Array.from(found.articleIds, (key, i): Passage | undefined => {
    const article = byArticleKey.get(key);
    // It was deleted an instant ago, or another article has its number.
    if (article === undefined) return undefined;
    const { articleId } = article;
    const [no, from, to] = [at(found.chunks, 3 * i), at(found.chunks, 3 * i + 1), at(found.chunks, 3 * i + 2)];
    const chunk = chunksOf.get(articleId)?.[no];
    const isChunk = chunk?.start === from && chunk.end === to;
    return {
      doc_id: article.docId,
      article_id: articleId,
      chunk_no: no,
      title: article.title,
      text: to > from ? codePointSlice(article.content, from, to) : article.title,
      url: article.url,
      lang: article.lang,
      source: article.sourceId,
      published_at: article.publishedAt,
      score: at(found.scores, i),
      ...(isChunk && base64Of(rerankVectors?.get(articleId)?.subarray(no * dims, (no + 1) * dims))),
    };
  }).filter((passage) => passage !== undefined);
  return { results, diagnostics: { embed_ms: embedded - start, search_ms: performance.now() - embedded } };
}

/** The vector of a chunk; nothing where it is not one of those that were read. */
function base64Of(vector: Int8Array | undefined): { vector?: string } {
  return vector === undefined || vector.length === 0 ? {} : { vector: Buffer.from(vector).toString("base64") };
}

/** Returns that an article must be of one of these stories; nothing where none is named. */
async function storyConditions(
  { stories }: Pick<RetrievalDeps["store"], "stories">,
  named: ChunkFilters["story_id"],
): Promise<ChunkCondition[]> {
  if (named === undefined) return [];
  const values = (await Promise.all([named].flat().map(stories.keysOf))).flat();
  return [{ field: "article_id", is: "in", values }];
}

/** The conditions with keys in place of articles' numbers and uuids; 0, which no article has, for an unknown one. */
async function byKey(
  store: RetrievalDeps["store"],
  conditions: readonly ChunkCondition[],
): Promise<readonly ChunkCondition[]> {
  const named = conditions.filter(({ field }) => field === "article_id").flatMap(({ values }) => values);
  if (named.length === 0) return conditions;
  const uuids = named.filter((value) => typeof value === "string");
  const numbers = await store.articles.idsOf(uuids);
  const idOf = (value: string | number) =>
    typeof value === "string" ? (numbers.get(value.toLowerCase()) ?? 0) : value;
  const keys = await articleKeys(store, named.map(idOf));
  const keyOf = (is: ChunkCondition["is"], id: number): number => {
    const { first, last } = keysOfNumber(id);
    if (is === "gte" || is === "lt") return first;
    return is === "gt" || is === "lte" ? last : (keys.get(id) ?? 0);
  };
  return conditions.map(({ field, is, values }) =>
    field === "article_id"
      ? { field, is, values: values.map((value) => keyOf(is, Number(idOf(value)))) }
      : { field, is, values },
  );
}

/** POST /passages: the chunks of articles that are nearest to a question, for the edge worker. */
export function addPassages(
  app: OpenAPIHono<HttpEnv>,
  deps: Pick<RetrievalDeps, "vectors" | "store" | "reranker"> & { embed: QueryVector; limiter: Limiter },
): void {
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("ChunkFilters", ChunkFilters);
  app.openapi(route, async (c) => {
    const { signal } = c.req.raw;
    const body = await deps.limiter.run(() => passages(deps, c.req.valid("json"), signal), {
      signal,
      client: c.var.client,
    });
    note(c, { hits: body.results.length });
    return c.json(body, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/passages",
  operationId: "findPassages",
  tags: ["retrieval"],
  summary: "The chunks of articles nearest in meaning",
  description: "Filters apply before candidates are counted: the search among what passes them is exact.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: PassagesRequest } } } },
  responses: {
    200: { description: "Nearest first.", content: { "application/json": { schema: PassagesResponse } } },
    ...problems(...BODY_PROBLEMS, "overloaded", "service-unavailable", "model-not-installed"),
  },
});
