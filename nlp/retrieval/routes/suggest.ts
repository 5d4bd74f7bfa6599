import { SuggestBody, SuggestParams } from "@isnad/lib/contract";
import { createRoute, type HttpEnv, type Limiter, type OpenAPIHono, problems } from "@isnad/lib/service/http";
import { suggest, type SuggestDeps } from "../suggest/suggest.ts";

/** GET /suggest: the suggestions that `GET /v1/suggest` of the API serves. */
export function addSuggest(app: OpenAPIHono<HttpEnv>, deps: SuggestDeps & { limiter: Limiter }): void {
  app.openapi(route, async (c) => {
    const params = c.req.valid("query");
    const { signal } = c.req.raw;
    const suggestions = await deps.limiter.run(() => suggest(deps, params), { signal, client: c.var.client });
    return c.json({ suggestions }, 200);
  });
}

const route = createRoute({
  method: "get",
  path: "/suggest",
  operationId: "suggestBranches",
  tags: ["retrieval"],
  summary: "What somebody may be about to type",
  description:
    "Titles, names of entities and words that go on from what was typed, in either script. An index in OpenSearch or Meilisearch suggests entities alone.",
  request: { query: SuggestParams },
  responses: {
    200: { description: "Suggestions, likeliest first.", content: { "application/json": { schema: SuggestBody } } },
    ...problems("validation-error", "overloaded", "service-unavailable"),
  },
});
