import { ChunkFilters, PassagesRequest, PassagesResponse } from "@isnad/lib/contract";
import {
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import type { RetrievalDeps } from "../deps.ts";
import { passages } from "../passages/passages.ts";
import type { QueryVector } from "../query-vectors.ts";

/** POST /passages: the chunks of articles that are nearest to a question, for the edge worker. */
export function addPassages(
  app: OpenAPIHono<HttpEnv>,
  deps: Pick<RetrievalDeps, "vectors" | "store" | "reranker"> & { embed: QueryVector; limiter: Limiter },
): void {
  // Before it is used as nullable: the document would have it as nullable everywhere.
  app.openAPIRegistry.register("ChunkFilters", ChunkFilters);
  app.openapi(route, async (c) => {
    const { signal } = c.req.raw;
    const body = await deps.limiter.run(() => passages(deps, c.req.valid("json"), signal), {
      signal,
      client: c.var.client,
    });
    note(c, { hits: body.results.length });
    return c.json(body, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/passages",
  operationId: "findPassages",
  tags: ["retrieval"],
  summary: "The chunks of articles nearest in meaning",
  description: "Filters apply before candidates are counted: the search among what passes them is exact.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: PassagesRequest } } } },
  responses: {
    200: { description: "Nearest first.", content: { "application/json": { schema: PassagesResponse } } },
    ...problems(
      "malformed-json",
      "payload-too-large",
      "unsupported-media-type",
      "validation-error",
      "overloaded",
      "service-unavailable",
      "model-not-installed",
    ),
  },
});
