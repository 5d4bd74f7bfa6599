import { articleIdParam, SimilarArticles, SimilarParams } from "@isnad/lib/contract";
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
import { similarArticles } from "../search/similar.ts";

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
