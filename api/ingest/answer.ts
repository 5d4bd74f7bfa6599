import { PROBLEM_JSON } from "@isnad/lib/http";
import type { KeptResponse } from "@isnad/lib/store";
import { type ItemResult, summarize } from "./results.ts";

/** The version of the response body. */
export const INGEST_SCHEMA = "ingest.v1";

/** The path of the route, and so the `instance` of its problems. */
export const INGEST_PATH = "/v1/ingest/articles";

/** The answer to a request whose items have been decided: 202, or 409 when one of them conflicts. */
export function answerOf(results: readonly ItemResult[], requestId: string): KeptResponse {
  const body = { schema: INGEST_SCHEMA, summary: summarize(results, requestId), results };
  const conflicts = body.summary.conflicts;
  if (conflicts === 0) return { status: 202, body: JSON.stringify(body) };
  const problem = {
    type: "/errors/conflict",
    title: "Conflict",
    status: 409,
    detail: `${conflicts === 1 ? "One article is" : `${conflicts} articles are`} known with other content; nothing was stored.`,
    instance: INGEST_PATH,
    ...body,
  };
  return { status: 409, body: JSON.stringify(problem) };
}

/** Serves an answer, fresh or kept. */
export function respondWith({ status, body }: KeptResponse, { replayed }: { replayed: boolean }): Response {
  return new Response(body, {
    status,
    headers: {
      "Content-Type": status === 202 ? "application/json" : PROBLEM_JSON,
      ...(replayed && { "Idempotency-Replayed": "true" }),
    },
  });
}
