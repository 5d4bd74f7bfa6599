import { ArticleView, articleIdParam } from "@isnad/lib/contract";
import {
  type Access,
  AppError,
  createRoute,
  type HttpEnv,
  type OpenAPIHono,
  problems,
  z,
} from "@isnad/lib/service/http";
import { viewOf } from "../articles/view.ts";
import type { ApiDeps } from "../deps.ts";

/** GET and DELETE /v1/articles/{article_id}. */
export function addArticles(
  app: OpenAPIHono<HttpEnv>,
  { access, store }: Pick<ApiDeps, "store"> & { access: Access },
): void {
  app.openapi({ ...show, middleware: [access.read()] }, async (c) => {
    const { article_id } = c.req.valid("param");
    const article = await store.articles.get(article_id);
    if (article === undefined) throw unknownArticle(article_id);
    return c.json(viewOf(article, { withRaw: access.has(c, "ingest") }), 200);
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
