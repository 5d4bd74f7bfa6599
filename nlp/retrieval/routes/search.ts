import {
  SEARCH_STATE,
  SEARCH_TYPES,
  SearchBody,
  SearchParams,
  searchState,
  searchStateHeader,
} from "@isnad/lib/contract";
import {
  acceptedOffer,
  createRoute,
  type HttpEnv,
  invalidFields,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  textStream,
  z,
} from "@isnad/lib/service/http";
import { exportSearch } from "../search/export.ts";
import type { RetrievalMetrics } from "../deps.ts";
import { type SearchDeps, search } from "../search/search.ts";

/** GET /search: the search that `GET /v1/search` of the API serves. */
export function addSearch(
  app: OpenAPIHono<HttpEnv>,
  deps: SearchDeps & { measured: RetrievalMetrics; limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const params = c.req.valid("query");
    const { signal } = c.req.raw;
    const format = params.format ?? acceptedOffer(c.req.header("Accept"), STREAMED_TYPES) ?? "json";
    if (format === "atom" || format === "jsonfeed") throw invalidFields({ format: ["feeds are written by the API"] });
    if (format !== "json") {
      if (params.facets !== undefined) throw invalidFields({ facets: [`are not part of format ${format}`] });
      if (params.histogram !== undefined) throw invalidFields({ histogram: [`is not part of format ${format}`] });
      const ask = () => exportSearch(deps, params, format, signal);
      const { lines, state, failures } = await deps.limiter.run(ask, { signal, client: c.var.client });
      note(c, { mode: params.mode, format, degraded: state !== "whole", ...failures });
      return c.body(textStream(lines), 200, {
        [SEARCH_STATE]: state,
        "Content-Type": `${STREAMED_TYPES.find(({ value }) => value === format)?.types[0]}; charset=utf-8`,
      });
    }
    const { body, rrfMs, failures } = await deps.limiter.run(() => search(deps, params, signal), {
      signal,
      client: c.var.client,
    });
    deps.measured.rrfMs.observe(rrfMs);
    note(c, { mode: params.mode, hits: body.total, degraded: body.meta.degraded, ...failures });
    return c.json(body, 200, { [SEARCH_STATE]: searchState(body.meta) });
  });
}

const STREAMED_TYPES = SEARCH_TYPES.filter(({ value }) => value !== "atom" && value !== "jsonfeed");

const route = createRoute({
  method: "get",
  path: "/search",
  operationId: "searchBranches",
  tags: ["retrieval"],
  summary: "Search by word, by meaning, or both",
  description:
    "`total` counts all hits, the same on every page; pages by number reach the first 1,000, a cursor all. Mode `hybrid` has the " +
    "hits of the keyword branch and the nearest neighbours as far as their similarity supports them. `score` is the score that orders the " +
    "list: BM25, cosine, or the fused one; with `rerank` the first 30 are in the order of `rerank_score`. `snippet` and `highlights` are " +
    "HTML: `<mark>` around what matches, the rest escaped.",
  request: { query: SearchParams },
  responses: {
    200: {
      description: "Results, best first.",
      headers: searchStateHeader,
      content: {
        "application/json": { schema: SearchBody },
        "application/x-ndjson": { schema: z.string().openapi({ description: "A result a line, with `authors`." }) },
        "text/csv": { schema: z.string() },
      },
    },
    ...problems("validation-error", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
