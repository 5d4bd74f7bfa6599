import { articleIdParam, filtersOf, type SearchResult, SimilarArticles, SimilarParams } from "@isnad/lib/contract";
import { reciprocalRankFusion } from "@isnad/lib/search";
import {
  AppError,
  createRoute,
  type HttpEnv,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { articleIdOfKey, type Store } from "@isnad/lib/store";
import { queryTerms } from "@isnad/lib/text";
import type { RetrievalDeps } from "../deps.ts";
import { type Documents, withDocuments } from "../documents.ts";
import { show } from "../search/passages.ts";
import { resultOf } from "../search/search.ts";

/** Neighbours of an article by word, and by meaning. */
const WINDOW = 100;
/** The constant of rank fusion, as of searches. */
const K_RRF = 60;
/** Words of a title at most that are looked for: more make a query of a text. */
const MAX_WORDS = 24;
/** Titles weigh more than content, as in searches. */
const FIELDS = { title: 3, content: 1 };

/** Knows which articles are copies of one another, and what their vectors are. */
type SimilarStore = Pick<Store, "chunks" | "copies" | "articles">;

type SimilarDeps = Pick<RetrievalDeps, "keyword" | "vectors" | "embedder"> & {
  store: SimilarStore;
  documents: Documents;
};

/**
 * Returns the articles that are most like one, by the words of its title and by the mean of its passages' vectors, best
 * first; undefined where there is none of this id. Itself and its copies are not among them.
 */
async function similarArticles(
  { store, keyword, vectors, embedder, documents }: SimilarDeps,
  id: string,
  { limit, ...params }: SimilarParams,
): Promise<{ articleId: number; results: SearchResult[] } | undefined> {
  const family = await store.copies.family(id);
  if (family === undefined) return undefined;
  const { articleId } = family;
  const [article] = await store.articles.byIds([articleId], ["articleId", "docId", "title"]);
  if (article === undefined) return undefined;
  const copies = new Set(family.members.map((member) => member.articleId));
  copies.add(articleId);
  const filters = filtersOf(params);
  // Quotes, dashes and brackets of a headline are no syntax.
  const text = article.title
    .replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, " ")
    .split(" ", MAX_WORDS)
    .join(" ");
  const nearest = async (): Promise<number[]> => {
    const modelId = embedder.model?.modelId;
    const chunks = modelId === undefined ? [] : await store.chunks.ofArticles(modelId, [articleId]);
    const mean = meanOf(chunks.map(({ vector }) => vector));
    if (mean === undefined) return [];
    return Array.from((await vectors.search(mean, WINDOW + copies.size, filters)).articleIds);
  };
  const alike = keyword.search({ text, fields: FIELDS, filters, limit: WINDOW + copies.size });
  const [words, meaning] = await Promise.all([alike, nearest()]);
  const others = (keys: readonly number[]) => keys.filter((key) => !copies.has(articleIdOfKey(key)));
  const byWord = others(words.hits.map((hit) => hit.articleId));
  const fused = reciprocalRankFusion(byWord, others(meaning), K_RRF).map(({ score, ...hit }) => {
    return { ...hit, score, rrfScore: score };
  });
  const terms = queryTerms(text);
  const shown = await withDocuments(
    documents,
    { length: fused.length, slice: (a, b) => fused.slice(a, b) },
    { offset: 0, limit },
  );
  return { articleId, results: shown.map((hit) => resultOf(hit, show(hit.document, terms, undefined), hit.score)) };
}

/** Returns the mean of vectors, of length 1; undefined of none, or where it has no direction. */
function meanOf(vectors: readonly Float32Array[]): Float32Array | undefined {
  const [first] = vectors;
  if (first === undefined) return undefined;
  const mean = new Float32Array(first.length);
  for (const vector of vectors) for (let i = 0; i < mean.length; i++) mean[i] = (mean[i] ?? 0) + (vector[i] ?? 0);
  const norm = Math.hypot(...mean);
  return norm > 0 ? mean.map((value) => value / norm) : undefined;
}

/** GET /similar/{article_id}: what `GET /v1/articles/{article_id}/similar` of the API serves. */
export function addSimilar(
  app: OpenAPIHono<HttpEnv>,
  deps: Parameters<typeof similarArticles>[0] & { limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const { article_id: id } = c.req.valid("param");
    const { signal } = c.req.raw;
    const ask = () => similarArticles(deps, id, c.req.valid("query"));
    const found = await deps.limiter.run(ask, { signal, client: c.var.client });
    if (found === undefined) throw new AppError("not-found", `There is no article ${id.slice(0, 64)}.`);
    note(c, { hits: found.results.length });
    const results = found.results.map((result) => SimilarArticles.shape.results.element.parse(result));
    return c.json({ article_id: found.articleId, results }, 200);
  });
}

const route = createRoute({
  method: "get",
  path: "/similar/{article_id}",
  operationId: "similarBranches",
  tags: ["retrieval"],
  summary: "Articles that are most like one",
  request: { params: z.object({ article_id: articleIdParam() }), query: SimilarParams },
  responses: {
    200: { description: "The most alike first.", content: { "application/json": { schema: SimilarArticles } } },
    ...problems("not-found", "validation-error", "overloaded", "service-unavailable"),
  },
});
