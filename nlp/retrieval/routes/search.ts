import { SEARCH_STATE, SearchBody, SearchParams, searchState } from "@isnad/lib/contract";
import { createRoute, type HttpEnv, type Limiter, note, type OpenAPIHono, problems } from "@isnad/lib/service/http";
import type { RetrievalMetrics } from "../metrics.ts";
import { type SearchDeps, search } from "../search/search.ts";

/** GET /search: the search that `GET /v1/search` of the API serves. */
export function addSearch(
  app: OpenAPIHono<HttpEnv>,
  deps: SearchDeps & { measured: RetrievalMetrics; limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const params = c.req.valid("query");
    const { signal } = c.req.raw;
    const { body, rrfMs, failures } = await deps.limiter.run(() => search(deps, params, signal), {
      signal,
      client: c.var.client,
    });
    deps.measured.rrfMs.observe(rrfMs);
    note(c, { mode: params.mode, hits: body.total, degraded: body.meta.degraded, ...failures });
    return c.json(body, 200, { [SEARCH_STATE]: searchState(body.meta) });
  });
}

const route = createRoute({
  method: "get",
  path: "/search",
  operationId: "searchBranches",
  tags: ["retrieval"],
  summary: "Search by word, by meaning, or both",
  description:
    "`total` counts the results that can be paged through, 1000 at most in each mode, the same on every page. Mode `hybrid` has the " +
    "hits of the keyword branch and the nearest neighbours as far as their similarity supports them. `score` is the score that orders the " +
    "list: BM25, cosine, or the fused one; with `rerank` the first 30 are in the order of `rerank_score`. `snippet` and `highlights` are " +
    "HTML: `<mark>` around what matches, the rest escaped.",
  request: { query: SearchParams },
  responses: {
    200: { description: "Results, best first.", content: { "application/json": { schema: SearchBody } } },
    ...problems("validation-error", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
