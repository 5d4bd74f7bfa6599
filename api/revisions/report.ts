import { itemError, type RevisionResponse, type RevisionResult } from "@isnad/lib/contract";
import { type Access, type HttpContext, type Limiter, note, readJsonText } from "@isnad/lib/service/http";
import type { CheckThread } from "@isnad/lib/ingest";
import type { Store } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";
import { itemsOf } from "../ingest/decode.ts";
import { summaryId } from "../ingest/request-id.ts";
import type { ApiMetrics } from "../metrics.ts";
import { type CheckedReport, checkReports } from "./check-reports.ts";

/** What the handler of the revisions route needs. */
export type ReportDeps = Pick<ApiDeps, "config" | "store"> & {
  metrics: Pick<ApiMetrics, "revisionReports">;
  thread: CheckThread;
  limiter: Limiter;
  access: Access;
};

/** Decodes and checks reports, takes each down in a transaction of its own, and answers with what became of them. */
export async function reportRevisions(c: HttpContext, deps: ReportDeps): Promise<Response> {
  const { maxBodyBytes, maxBatch } = deps.config.ingest;
  const { text } = await readJsonText(c, maxBodyBytes);
  return await deps.limiter.run(
    async () => {
      const requestId = summaryId(c.var.requestId);
      const checked = await checkReports(itemsOf(text, maxBatch), { thread: deps.thread, requestId: c.var.requestId });
      const results: RevisionResult[] = [];
      for (const entry of checked) results.push(await take(deps.store, entry));
      const counts = { recorded: 0, known: 0, failed: 0 };
      for (const { status } of results) {
        counts[status]++;
        deps.metrics.revisionReports.inc({ status });
      }
      const summary = { request_id: requestId, received: results.length, ...counts };
      note(c, { received: results.length, ...counts });
      return c.json({ schema: "revisions.v1", summary, results } satisfies RevisionResponse, 200);
    },
    { signal: c.req.raw.signal, client: c.var.client },
  );
}

async function take(store: Pick<Store, "revisions">, entry: CheckedReport): Promise<RevisionResult> {
  if ("error" in entry) return { external_id: entry.externalId, status: "failed", error: entry.error };
  const { externalId: external_id, report } = entry;
  const outcome = await store.revisions.record(report);
  if (outcome.status === "unknown") {
    const detail = `no article is known as external_id ${external_id} of source_id ${report.sourceId}`;
    return { external_id, status: "failed", error: itemError("unknown-article", detail) };
  }
  return { external_id, status: outcome.status, article_id: outcome.articleId, revision: outcome.revision };
}
