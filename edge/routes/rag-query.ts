import { ChunkFilters } from "@isnad/lib/contract";
import {
  type Access,
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import type { EdgeDeps } from "../deps.ts";
import type { DevItems } from "../rag/dev-items.ts";
import { ragQuery } from "../rag/query.ts";
import { RagAnswer, RagQuery } from "../rag/query-schema.ts";

/** POST /rag/query: chunks of articles nearest in meaning, reranked. */
export function addRagQuery(
  app: OpenAPIHono<HttpEnv>,
  { config, access, limiter, ...deps }: EdgeDeps & { access: Access; limiter: Limiter; devItems: DevItems | undefined },
): void {
  const middleware = [access.read(config.tokens.edgeQuery), jsonBody()];
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("ChunkFilters", ChunkFilters);
  app.openapi({ ...route, middleware }, async (c) => {
    const { signal } = c.req.raw;
    const on = { requestId: c.var.requestId, client: c.var.client, signal };
    const { answer, failure } = await limiter.run(() => ragQuery(deps, c.req.valid("json"), on), {
      signal,
      client: c.var.client,
    });
    note(c, {
      hits: answer.results.length,
      reranked: answer.reranked,
      ...(failure !== undefined && { rerank: failure }),
    });
    return c.json(answer, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/rag/query",
  operationId: "queryChunks",
  tags: ["rag"],
  summary: "Vector search over the chunks of articles, with an optional rerank step",
  description:
    "Takes the max(`k`, `rerank_top_n`) nearest chunks among those that pass the filters, reranks the first `rerank_top_n`, and gives the first `k`. " +
    "Needs `x-api-key` only where EDGE_QUERY_KEYS is set.",
  security: [{}, { apiKey: [] }],
  request: { body: { required: true, content: { "application/json": { schema: RagQuery } } } },
  responses: {
    200: { description: "Best first.", content: { "application/json": { schema: RagAnswer } } },
    ...problems(
      "malformed-json",
      "unauthorized",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "overloaded",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});
