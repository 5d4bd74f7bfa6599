import { QueryVectorsRequest, QueryVectorsResponse } from "@isnad/lib/contract";
import { createRoute, type HttpEnv, jsonBody, type Limiter, type OpenAPIHono, problems } from "@isnad/lib/service/http";
import type { QueryVector } from "../branches.ts";

/** POST /query-vectors: what a search by meaning compares passages with, for those that watch for new ones. */
export function addQueryVectors(
  app: OpenAPIHono<HttpEnv>,
  { embed, limiter }: { embed: QueryVector; limiter: Limiter },
): void {
  app.openapi(route, async (c) => {
    const { signal } = c.req.raw;
    const { queries } = c.req.valid("json");
    const vectors = await limiter.run(() => Promise.all(queries.map((text) => embed({ text, typos: "off" }, signal))), {
      signal,
      client: c.var.client,
    });
    return c.json({ vectors: vectors.map(encoded) }, 200);
  });
}

function encoded({ buffer, byteOffset, byteLength }: Float32Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString("base64");
}

const route = createRoute({
  method: "post",
  path: "/query-vectors",
  operationId: "embedQueries",
  tags: ["retrieval"],
  summary: "The vectors of queries, as a search by meaning compares passages with them",
  description: "Each is moved towards its translation into the other language of the articles.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: QueryVectorsRequest } } } },
  responses: {
    200: {
      description: "In the order of the queries.",
      content: { "application/json": { schema: QueryVectorsResponse } },
    },
    ...problems(
      ...(["malformed-json", "payload-too-large", "unsupported-media-type", "validation-error"] as const),
      ...(["overloaded", "service-unavailable", "model-not-installed"] as const),
    ),
  },
});
