import {
  articleIdParam,
  ArticleList,
  ArticleListParams,
  ArticleView,
  ChainView,
  SEARCH_STATE,
  SEARCH_TYPES,
  SearchBody,
  searchState,
  searchStateHeader,
  SimilarArticles,
  SimilarParams,
} from "@isnad/lib/contract";
import {
  acceptedOffer,
  type Access,
  answer,
  AppError,
  createRoute,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
  queryOf,
  type ServiceClient,
  z,
} from "@isnad/lib/service/http";
import { isObject, parseJson } from "@isnad/lib/std";
import { type ArticleDetail, parseArticleId } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";
import { asFormat, searchContent } from "../formats.ts";
import { type ChainLink, chainOf } from "@isnad/lib/stories";

/** Shows an article, with its `raw` when `withRaw`. */
function viewOf(
  article: ArticleDetail,
  { storyId, withRaw }: { storyId: number | null; withRaw: boolean },
): ArticleView {
  return {
    article_id: article.articleId,
    doc_id: article.docId,
    source_id: article.sourceId,
    external_id: article.externalId,
    url: article.url,
    canonical_url: article.canonicalUrl,
    title: article.title,
    content: article.content,
    summary: article.state === "indexed" ? article.summary : null,
    lang: article.lang,
    published_at: article.publishedAt,
    authors: article.authors,
    images: article.images,
    category_label: article.categoryLabel,
    provider: article.provider,
    category_id: article.categoryId,
    category_source: article.categorySource,
    category_confidence: article.categoryConfidence,
    taxonomy_version: article.taxonomyVersion,
    content_hash: article.contentHash,
    state: article.state,
    state_reason: article.stateReason,
    gone_at: article.goneAt,
    paywalled: isObject(article.raw) && article.raw.paywalled === true,
    story_id: storyId,
    entities: article.entities.map(({ entityId, name, type, mentions, confidence, spans }) => ({
      entity_id: entityId,
      name,
      type,
      mentions,
      confidence,
      offsets: offsetsOf(spans),
    })),
    relations: article.relations.map(({ type, args, confidence, start, end, meta }) => ({
      type,
      args,
      confidence,
      offsets: { start, end },
      meta,
    })),
    near_duplicates: article.nearDuplicates.map(
      ({ articleId, sourceId, sourceName, title, url, publishedAt, overlap }) => ({
        article_id: articleId,
        source_id: sourceId,
        source_name: sourceName,
        title,
        url,
        published_at: publishedAt,
        overlap,
      }),
    ),
    stages: article.stages.map(({ stage: name, state, attempts, reason }) => ({ name, state, attempts, reason })),
    ...(withRaw && { raw: article.raw }),
  };
}

function offsetsOf(spans: readonly number[]): { start: number; end: number }[] {
  return spans.flatMap((start, i) => (i % 2 === 0 ? [{ start, end: spans[i + 1] ?? start }] : []));
}

/** GET and DELETE /v1/articles/{article_id}. */
export function addArticles(
  app: OpenAPIHono<HttpEnv>,
  { access, store }: Pick<ApiDeps, "store"> & { access: Access },
): void {
  app.openapi({ ...show, middleware: [access.read()] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const article = await store.articles.get(article_id);
    if (article === undefined) throw unknownArticle(article_id);
    const stories = await store.stories.idsOf([article.articleId]);
    const storyId = stories.get(article.articleId) ?? null;
    return c.json(viewOf(article, { storyId, withRaw: access.has(c, "ingest") }), 200);
  });

  app.openapi({ ...remove, middleware: [access.require("delete")] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const removed = await store.articles.remove(article_id);
    if (removed === undefined) throw unknownArticle(article_id);
    return c.body(null, 204);
  });
}

/** Returns the problem of an id that no article has. */
export function unknownArticle(id: string): AppError {
  return new AppError("not-found", `There is no article ${id.slice(0, 64)}.`);
}

const params = z.object({
  article_id: articleIdParam(),
});

const show = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}",
  operationId: "getArticle",
  tags: ["articles"],
  summary: "Show an article with its state, entities and relations",
  security: [{}, { ingestToken: [] }, { publicKey: [] }, { publicKey: [], ingestToken: [] }],
  request: { params },
  responses: {
    200: answer("The article.", ArticleView),
    ...problems("unauthorized", "not-found", "service-unavailable"),
  },
});

const remove = createRoute({
  method: "delete",
  path: "/v1/articles/{article_id}",
  operationId: "deleteArticle",
  tags: ["articles"],
  summary: "Remove an article everywhere",
  description: "Emits `article.deleted`; the article leaves both indexes within moments.",
  security: [{ ingestToken: [] }],
  request: { params },
  responses: {
    204: { description: "Removed." },
    ...problems("unauthorized", "not-found", "service-unavailable"),
  },
});

type ListDeps = Pick<ApiDeps, "store"> & {
  access: Access;
  retrieval: ServiceClient;
  limiter: Limiter;
  publicBaseUrl: string;
};

/** GET /v1/articles, and GET /v1/articles/{article_id}/similar: both ask the retrieval service. */
export function addArticleLists(
  app: OpenAPIHono<HttpEnv>,
  { access, store, retrieval, limiter, publicBaseUrl }: ListDeps,
): void {
  app.openAPIRegistry.registerPath(list);
  const answers = { 200: { description: "The articles." } };
  app.openapi({ ...list, hide: true, responses: answers, middleware: [access.read()] }, async (c) => {
    const { signal } = c.req.raw;
    const params = c.req.valid("query");
    const format = params.format ?? acceptedOffer(c.req.header("Accept"), SEARCH_TYPES) ?? "json";
    c.header("Vary", "Accept", { append: true });
    if (format !== "json") {
      const self = `${publicBaseUrl}/v1/articles?${queryOf(c)}`;
      return await asFormat(c, { retrieval, limiter, self }, params, format);
    }
    const on = { requestId: c.var.requestId, client: c.var.client, signal };
    const ask = () => retrieval.get(`/search?${queryOf(c)}`, on);
    const { body } = await limiter.run(ask, { signal, client: c.var.client });
    const { results, total, meta } = read(SearchBody, body);
    c.header(SEARCH_STATE, searchState(meta));
    return c.json(ArticleList.parse({ articles: results, total, next_cursor: meta.next_cursor ?? null }), 200);
  });

  app.openapi({ ...similar, middleware: [access.read()] }, async (c) => {
    const { signal } = c.req.raw;
    const articleId = await numberOf(store, c.req.valid("param").article_id);
    const on = { requestId: c.var.requestId, client: c.var.client, signal };
    const path = `/similar/${articleId}?${queryOf(c)}`;
    const { body } = await limiter.run(() => retrieval.get(path, on), { signal, client: c.var.client });
    return c.json(read(SimilarArticles, body), 200);
  });
}

/** Returns the number of an article that is there. @throws AppError (404) for another one */
async function numberOf({ articles }: Pick<ApiDeps["store"], "articles">, id: string): Promise<number> {
  const parsed = parseArticleId(id);
  const found =
    typeof parsed === "number"
      ? (await articles.byIds([parsed], ["articleId"]))[0]?.articleId
      : (await articles.idsOf(parsed === undefined ? [] : [parsed])).get(parsed ?? "");
  if (found === undefined) throw unknownArticle(id);
  return found;
}

function read<T extends z.ZodType>(schema: T, body: ArrayBuffer): z.output<T> {
  const { data, error: cause } = schema.safeParse(parseJson(new TextDecoder().decode(body)));
  if (data === undefined) throw new AppError("service-unavailable", "The search service failed.", { cause });
  return data;
}

const list = createRoute({
  method: "get",
  path: "/v1/articles",
  operationId: "listArticles",
  tags: ["articles"],
  summary: "List the articles that can be searched, newest first",
  security: [{}, { publicKey: [] }],
  request: { query: ArticleListParams },
  responses: {
    200: {
      description: "The articles.",
      headers: searchStateHeader,
      content: { ...searchContent, "application/json": { schema: ArticleList } },
    },
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});

const similar = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/similar",
  operationId: "listSimilarArticles",
  tags: ["articles"],
  summary: "The articles that are most like one, its copies left out",
  security: [{}, { publicKey: [] }],
  request: { params: z.object({ article_id: articleIdParam() }), query: SimilarParams },
  responses: {
    200: answer("The most alike first.", SimilarArticles),
    ...problems("unauthorized", "not-found", "validation-error", "overloaded", "service-unavailable"),
  },
});

/** GET /v1/articles/{article_id}/chain. */
export function addChain(
  app: OpenAPIHono<HttpEnv>,
  { access, store }: Pick<ApiDeps, "store"> & { access: Access },
): void {
  app.openapi({ ...definition, middleware: [access.read()] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const family = await store.copies.family(article_id);
    if (family === undefined) throw unknownArticle(article_id);
    const story = await store.stories.ofArticle(family.articleId);
    const linked = new Set(family.members.map((member) => member.articleId));
    return c.json(
      {
        article_id: family.articleId,
        story_id: story?.storyId ?? null,
        links: chainOf(family).map(linkView),
        reports: (story?.articles ?? [])
          .filter(({ articleId }) => !linked.has(articleId))
          .map(({ articleId, sourceId, sourceName, title, url, publishedAt }) => ({
            article_id: articleId,
            source_id: sourceId,
            source_name: sourceName,
            title,
            url,
            published_at: publishedAt,
          })),
      },
      200,
    );
  });
}

const linkView = (link: ChainLink): ChainView["links"][number] => ({
  article_id: link.articleId,
  source_id: link.sourceId,
  source_name: link.sourceName,
  title: link.title,
  url: link.url,
  published_at: link.publishedAt,
  kind: link.kind,
  overlap: link.overlap,
  overlap_of_source: link.overlapOfSource,
  from: link.from && { article_id: link.from.articleId, url: link.from.url },
  credits: link.credits.map(({ name, text, start, end }) => ({ name, text, offsets: { start, end } })),
  confidence: link.confidence,
});

const definition = createRoute({
  method: "get",
  path: "/v1/articles/{article_id}/chain",
  operationId: "getChain",
  tags: ["articles"],
  summary: "Show who had a report first, who took it over, and who is credited",
  description:
    "The first of `links` is the first one known here, which need not be the first of all. Articles of one form in a series " +
    "(weather, rates) and shared endings make no link.",
  security: [{}, { publicKey: [] }],
  request: { params: z.object({ article_id: articleIdParam() }) },
  responses: {
    200: answer("The chain.", ChainView),
    ...problems("unauthorized", "not-found", "service-unavailable"),
  },
});
