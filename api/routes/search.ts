import {
  SEARCH_MODES,
  SEARCH_STATE,
  SEARCH_TYPES,
  SearchBody,
  type SearchMode,
  SearchParams,
  SearchState,
  searchState,
  searchStateHeader,
  SuggestBody,
  SuggestParams,
} from "@isnad/lib/contract";
import {
  acceptedOffer,
  type Access,
  answer,
  AppError,
  createMiddleware,
  createRoute,
  type HttpEnv,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
  queryOf,
  type ServiceClient,
} from "@isnad/lib/service/http";
import { parseJson } from "@isnad/lib/std";
import { asFormat, searchContent } from "../formats.ts";
import type { ApiMetrics } from "../metrics.ts";

/** The mode label of searches whose mode is none. */
type SearchLabel = SearchMode | "unknown";

/** Describes how a search request ended. */
type SearchOutcome = "ok" | "degraded" | "invalid" | "unauthorized" | "overloaded" | "unavailable" | "error";

/** GET /v1/search: validates the parameters and asks the retrieval service, which has both branches. */
export function addSearch(
  app: OpenAPIHono<HttpEnv>,
  {
    access,
    retrieval,
    metrics,
    limiter,
    publicBaseUrl,
  }: { access: Access; retrieval: ServiceClient; metrics: ApiMetrics; limiter: Limiter; publicBaseUrl: string },
): void {
  app.openAPIRegistry.registerPath(definition);
  // The body is passed on as it came: the documented definition would want it taken apart first.
  const route = { ...definition, hide: true, responses: { 200: { description: "Results." } } };
  const middleware = [countOutcome(metrics), access.read()];
  app.openapi({ ...route, middleware }, async (c) => {
    const { signal } = c.req.raw;
    const params = c.req.valid("query");
    const format = params.format ?? acceptedOffer(c.req.header("Accept"), SEARCH_TYPES) ?? "json";
    c.header("Vary", "Accept", { append: true });
    if (format !== "json") {
      note(c, { mode: params.mode, format });
      return await asFormat(
        c,
        { retrieval, limiter, self: `${publicBaseUrl}/v1/search?${queryOf(c)}` },
        params,
        format,
      );
    }
    const { requestId, client } = c.var;
    const codings = c.req.header("Accept-Encoding");
    const ask = () => retrieval.get(`/search?${queryOf(c)}`, { requestId, client, signal, codings });
    const { body, headers } = await limiter.run(ask, { signal, client: c.var.client });
    const state = SearchState.safeParse(headers.get(SEARCH_STATE)).data ?? stateOf(body);
    const { mode } = params;
    if (mode === "hybrid") metrics.setRrfMode(state === "keyword-only" ? "bm25" : "rrf");
    note(c, { mode, degraded: state !== "whole" });
    for (const name of PASSED_ON) {
      const value = headers.get(name);
      if (value !== null) c.header(name, value, { append: name === "Vary" });
    }
    return c.body(body, 200, { "Content-Type": "application/json", [SEARCH_STATE]: state });
  });
}

/** Headers of the search service's answer that say of its body what is true of this one. */
const PASSED_ON = ["Content-Encoding", "ETag", "Vary"];

/** Reads what counts of a body whose headers do not say how the search went. */
const SearchHead = SearchBody.pick({ schema: true }).extend({
  meta: SearchBody.shape.meta.pick({ degraded: true, diagnostics: true }),
});

/** Returns how a search went, by its body. @throws AppError when it is none */
function stateOf(body: ArrayBuffer): SearchState {
  const { data, error: cause } = SearchHead.safeParse(parseJson(new TextDecoder().decode(body)));
  if (data === undefined) {
    throw new AppError("service-unavailable", "The search service failed.", { cause });
  }
  return searchState(data.meta);
}

function countOutcome(metrics: ApiMetrics) {
  return createMiddleware<HttpEnv>(async function countSearches(c, next) {
    await next();
    const mode = labelOf(c.req.query("mode"));
    const outcome = outcomeOf(c.res.status, c.var.fields);
    if (mode === "hybrid" && outcome === "unavailable") metrics.setRrfMode("none");
    metrics.searchRequests.inc({ mode, outcome });
  });
}

function labelOf(mode: string | undefined): SearchLabel {
  if (mode === undefined) return "hybrid";
  return SEARCH_MODES.find((known) => known === mode) ?? "unknown";
}

function outcomeOf(status: number, { degraded, error }: Record<string, unknown>): SearchOutcome {
  if (error === "overloaded") return "overloaded";
  if (status === 200) return degraded === true ? "degraded" : "ok";
  if (status === 401) return "unauthorized";
  if (status === 503) return "unavailable";
  return status === 422 ? "invalid" : "error";
}

const definition = createRoute({
  method: "get",
  path: "/v1/search",
  operationId: "searchArticles",
  tags: ["search"],
  summary: "Search by word, by meaning, or both",
  description:
    "Without `q`: everything that the filters leave, newest first. `bm25` finds words, `vector` finds meaning, `hybrid` merges both with reciprocal rank fusion. When the vector branch " +
    "cannot answer, `hybrid` serves keyword results with `meta.degraded: true`, and `vector` answers 503.",
  security: [{}, { publicKey: [] }],
  request: { query: SearchParams },
  responses: {
    200: { description: "Results, best first.", headers: searchStateHeader, content: searchContent },
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable", "model-not-installed"),
  },
});

/** GET /v1/suggest: validates the parameters and asks the retrieval service. */
export function addSuggest(
  app: OpenAPIHono<HttpEnv>,
  { access, retrieval, limiter }: { access: Access; retrieval: ServiceClient; limiter: Limiter },
): void {
  app.openAPIRegistry.registerPath(suggestDefinition);
  // The body is passed on as it came.
  const route = { ...suggestDefinition, hide: true, responses: { 200: { description: "Suggestions." } } };
  app.openapi({ ...route, middleware: [access.read()] }, async (c) => {
    const { signal } = c.req.raw;
    const ask = () =>
      retrieval.get(`/suggest?${queryOf(c)}`, { requestId: c.var.requestId, client: c.var.client, signal });
    const { body } = await limiter.run(ask, { signal, client: c.var.client });
    return c.body(body, 200, { "Content-Type": "application/json" });
  });
}

const suggestDefinition = createRoute({
  method: "get",
  path: "/v1/suggest",
  operationId: "suggestQueries",
  tags: ["search"],
  summary: "What somebody may be about to type",
  description:
    "Suggests entities that are named most, words that the last one may become, and titles, in either script. An index in OpenSearch or Meilisearch suggests entities alone.",
  security: [{}, { publicKey: [] }],
  request: { query: SuggestParams },
  responses: {
    200: answer("Suggestions, likeliest first.", SuggestBody),
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});
