import { SuggestBody, SuggestParams } from "@isnad/lib/contract";
import {
  type Access,
  createRoute,
  type HttpEnv,
  type Limiter,
  type OpenAPIHono,
  problems,
  queryOf,
  type ServiceClient,
} from "@isnad/lib/service/http";

/** GET /v1/suggest: validates the parameters and asks the retrieval service. */
export function addSuggest(
  app: OpenAPIHono<HttpEnv>,
  { access, retrieval, limiter }: { access: Access; retrieval: ServiceClient; limiter: Limiter },
): void {
  app.openAPIRegistry.registerPath(definition);
  // The body is passed on as it came.
  const route = { ...definition, hide: true, responses: { 200: { description: "Suggestions." } } };
  app.openapi({ ...route, middleware: [access.read()] }, async (c) => {
    const { signal } = c.req.raw;
    const ask = () =>
      retrieval.get(`/suggest?${queryOf(c)}`, { requestId: c.var.requestId, client: c.var.client, signal });
    const { body } = await limiter.run(ask, { signal, client: c.var.client });
    return c.body(body, 200, { "Content-Type": "application/json" });
  });
}

const definition = createRoute({
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
    200: { description: "Suggestions, likeliest first.", content: { "application/json": { schema: SuggestBody } } },
    ...problems("unauthorized", "validation-error", "overloaded", "service-unavailable"),
  },
});
