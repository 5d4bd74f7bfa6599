import { AppError, type HttpContext, note, readJsonText, requestLogger } from "@isnad/lib/http";
import type { AdmissionOutcome, Decided } from "@isnad/lib/store";
import type { ApiDeps } from "../deps.ts";
import type { ApiMetrics } from "../metrics.ts";
import { answerOf, respondWith } from "./answer.ts";
import type { CheckedItem } from "./check-item.ts";
import { checkItems } from "./check-items.ts";
import { itemsOf } from "./decode.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { summaryId } from "./request-id.ts";
import { mergeResults, summarize } from "./results.ts";
import type { Waker } from "./wake.ts";

/** What the handler of the ingest route needs. */
export type IngestDeps = Pick<ApiDeps, "config" | "store"> & { metrics: ApiMetrics; waker: Waker };

/** Decodes, checks and admits the items of a request, and answers with what became of each. */
export async function ingest(c: HttpContext, { config, store, metrics, waker }: IngestDeps): Promise<Response> {
  const { maxBodyBytes, maxBatch, requireKnownSource, idempotencyTtlS } = config.ingest;
  const { text, bytes } = await readJsonText(c, maxBodyBytes);
  metrics.ingestBodyBytes.inc(bytes);
  const idempotency = idempotencyKeyOf(c, text, idempotencyTtlS);
  const checked = await checkItems(itemsOf(text, maxBatch));
  const items = checked.flatMap((entry) => ("item" in entry ? [entry.item] : []));
  const requestId = summaryId(c.var.requestId);
  const answer = ({ results }: Decided) => answerOf(mergeResults(checked, results), requestId);
  const outcome: AdmissionOutcome =
    items.length === 0 && idempotency === undefined
      ? { kind: "decided", conflict: false, results: [], response: undefined }
      : await store.admission.admit(items, {
          requireKnownSource,
          idempotency,
          ...(idempotency && { respond: answer }),
        });
  if (outcome.kind === "replayed") {
    note(c, { replayed: true });
    return respondWith(outcome, { replayed: true });
  }
  report(c, checked, outcome);
  if (outcome.kind === "key-reuse") {
    if (checked.length === 1 && outcome.conflict) return respondWith(answer(outcome), { replayed: false });
    throw new AppError("idempotency-key-reuse", "This Idempotency-Key was used before for another body.");
  }
  if (!outcome.conflict) waker.wake(acceptedIds(outcome));
  return respondWith(outcome.response ?? answer(outcome), { replayed: false });
}

function acceptedIds({ results }: Decided): number[] {
  return results.flatMap((result) =>
    result.status === "accepted" && result.articleId !== undefined ? [result.articleId] : [],
  );
}

/** Puts the counts into the request's log line, and writes a line for each conflict. */
function report(c: HttpContext, checked: readonly CheckedItem[], { results }: Decided): void {
  const merged = mergeResults(checked, results);
  const { received, accepted, failed, conflicts } = summarize(merged, "");
  note(c, { received, accepted, failed, conflicts, duplicates: received - accepted - failed - conflicts });
  if (conflicts === 0) return;
  const logger = requestLogger(c);
  checked.forEach((entry, index) => {
    if (merged[index]?.status !== "conflict" || !("item" in entry)) return;
    logger.warn({ source_id: entry.item.sourceId }, `conflict for external_id ${entry.externalId}`);
  });
}
