import {
  BODY_PROBLEMS,
  createRoute,
  type HttpEnv,
  jsonBody,
  type Limiter,
  note,
  type OpenAPIHono,
  problems,
} from "@isnad/lib/service/http";
import type { Branches } from "@isnad/lib/search";
import type { RetrievalDeps, RetrievalMetrics } from "../deps.ts";
import type { Documents } from "../documents.ts";
import { RetrieveRequest, RetrieveResponse } from "../retrieve/request.ts";
import { retrieve } from "../retrieve/retrieve.ts";

/** POST /retrieve: evidence for a claim or a question, with full control over both branches. */
export function addRetrieve(
  app: OpenAPIHono<HttpEnv>,
  deps: Pick<RetrievalDeps, "config" | "reranker" | "store" | "followers"> & {
    branches: Branches;
    documents: Documents;
    measured: RetrievalMetrics;
    limiter: Limiter;
  },
): void {
  app.openapi(route, async (c) => {
    const { signal } = c.req.raw;
    const { body, failures } = await deps.limiter.run(() => retrieve(deps, c.req.valid("json"), signal), {
      signal,
      client: c.var.client,
    });
    deps.measured.rrfMs.observe(body.diagnostics.rrf_ms);
    note(c, { hits: body.results.length, degraded: body.degraded, ...failures });
    return c.json(body, 200);
  });
}

const route = createRoute({
  method: "post",
  path: "/retrieve",
  operationId: "retrieveEvidence",
  tags: ["retrieval"],
  summary: "Hybrid retrieval: BM25 and nearest neighbours, fused by reciprocal rank",
  description:
    "`filters.term` narrows the keyword branch alone; `lang`, `source`, `category`, `domain`, `source_tier`, `from`, `to`, `article_id` and `story_id` narrow both.",
  middleware: [jsonBody()] as const,
  request: { body: { required: true, content: { "application/json": { schema: RetrieveRequest } } } },
  responses: {
    200: {
      description: "All fused hits, or the first `limit` of them, best first.",
      content: { "application/json": { schema: RetrieveResponse } },
    },
    ...problems(...BODY_PROBLEMS, "not-found", "overloaded", "service-unavailable", "model-not-installed"),
  },
});
