import { articleIdParam, ArticleView } from "@isnad/lib/contract";
import {
  type Access,
  AppError,
  createRoute,
  type HttpEnv,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { isObject } from "@isnad/lib/std";
import type { ArticleDetail } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";

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

function unknownArticle(id: string): AppError {
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
    200: { description: "The article.", content: { "application/json": { schema: ArticleView } } },
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
