import type { IngestConflict, IngestResponse, IngestResult } from "@isnad/lib/contract";
import { PROBLEM_JSON } from "@isnad/lib/service/http";

/** The path of the route, and so the `instance` of its problems. */
export const INGEST_PATH = "/v1/ingest/articles";

/** The answer to a request whose items have been decided: 202, or 409 when one of them conflicts. */
export type Answer = { status: 202; body: IngestResponse } | { status: 409; body: IngestConflict };

/** Makes the answer out of what became of the items. */
export function answerOf(results: readonly IngestResult[], requestId: string): Answer {
  const summary = summarize(results, requestId);
  const body: IngestResponse = { schema: "ingest.v1", summary, results: [...results] };
  const { conflicts } = summary;
  return conflicts === 0 ? { status: 202, body } : { status: 409, body: { ...conflictProblem(conflicts), ...body } };
}

/** Serves an answer, for the first time or again. */
export function respondWith({ status, body }: Answer, { replayed }: { replayed: boolean }): Response {
  return new Response(JSON.stringify(body), {
    status,
    headers: {
      "Content-Type": status === 202 ? "application/json" : PROBLEM_JSON,
      ...(replayed && { "Idempotency-Replayed": "true" }),
    },
  });
}

/** Counts the statuses among the results. */
export function summarize(results: readonly IngestResult[], requestId: string): IngestResponse["summary"] {
  const count = (wanted: IngestResult["status"]) => results.filter(({ status }) => status === wanted).length;
  return {
    request_id: requestId,
    received: results.length,
    accepted: count("accepted"),
    failed: count("failed"),
    conflicts: count("conflict"),
  };
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
