import { PROBLEM_JSON } from "@isnad/lib/http";
import type { ItemResult } from "@isnad/lib/ingest";
import type { KeptResponse } from "@isnad/lib/store";
import { type Summary, summarize } from "./summary.ts";

/** The version of the response body. */
export const INGEST_SCHEMA = "ingest.v1";

/** The path of the route, and so the `instance` of its problems. */
export const INGEST_PATH = "/v1/ingest/articles";

/** An answer, and what it was made of. */
export type Answer = { response: KeptResponse; results: readonly ItemResult[]; summary: Summary };

/** The answer to a request whose items have been decided: 202, or 409 when one of them conflicts. */
export function answerOf(results: readonly ItemResult[], requestId: string): Answer {
  const summary = summarize(results, requestId);
  const body = { schema: INGEST_SCHEMA, summary, results };
  const response =
    summary.conflicts === 0
      ? { status: 202, body: JSON.stringify(body) }
      : { status: 409, body: JSON.stringify({ ...conflictProblem(summary.conflicts), ...body }) };
  return { response, results, summary };
}

function conflictProblem(conflicts: number) {
  const detail = conflicts === 1 ? "One article is known" : `${conflicts} articles are known`;
  return {
    type: "/errors/conflict",
    title: "Conflict",
    status: 409,
    detail: `${detail} with other content; nothing was stored.`,
    instance: INGEST_PATH,
  };
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
