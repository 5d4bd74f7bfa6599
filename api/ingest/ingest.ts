import type { IngestResponse, IngestResult } from "@isnad/lib/contract";
import {
  type Access,
  AppError,
  type HttpContext,
  type Limiter,
  note,
  readJsonText,
  requestLogger,
} from "@isnad/lib/service/http";
import {
  acceptedIds,
  admitChecked,
  type CheckedItem,
  type CheckThread,
  checkItems,
  submittedOf,
  type Enqueuer,
} from "@isnad/lib/ingest";
import type { ApiDeps } from "../deps.ts";
import type { ApiMetrics } from "../metrics.ts";
import { respondWith } from "./answer.ts";
import { itemsOf } from "./decode.ts";
import { idempotencyKeyOf } from "./idempotency.ts";
import { answerTo, type Memo, readMemo } from "./memo.ts";
import { summaryId } from "./request-id.ts";

/** What the handler of the ingest route needs. */
export type IngestDeps = Pick<ApiDeps, "config" | "store"> & {
  metrics: ApiMetrics;
  enqueuer: Enqueuer;
  thread: CheckThread;
  limiter: Limiter;
  access: Access;
};

/** Reads the body of a request, and has it worked on when its turn comes. */
export async function ingest(c: HttpContext, deps: IngestDeps): Promise<Response> {
  const { text, bytes } = await readJsonText(c, deps.config.ingest.maxBodyBytes);
  deps.metrics.ingestBodyBytes.inc(bytes);
  return await deps.limiter.run(() => admitAll(c, text, deps), { signal: c.req.raw.signal, client: c.var.client });
}

/** Decodes, checks and admits the items of a body, and answers with what became of each. */
async function admitAll(
  c: HttpContext,
  text: string,
  { config, store, enqueuer, thread }: IngestDeps,
): Promise<Response> {
  const { maxBatch, requireKnownSource, idempotencyTtlS: ttlS } = config.ingest;
  const key = idempotencyKeyOf(c, text);
  const checked = await checkItems(itemsOf(text, maxBatch), thread);
  const memo: Memo = { requestId: summaryId(c.var.requestId), submitted: submittedOf(checked) };
  const outcome = await admitChecked(store, checked, {
    requireKnownSource,
    idempotency: key && { ...key, ttlS, memo: JSON.stringify(memo) },
  });
  if (outcome.kind === "replayed") {
    note(c, { replayed: true });
    return respondWith(answerTo(readMemo(outcome.memo), outcome), { replayed: true });
  }
  if (outcome.kind === "key-reuse" && !(checked.length === 1 && outcome.conflict)) {
    throw new AppError("idempotency-key-reuse", "This Idempotency-Key was used before for another body.");
  }
  const answer = answerTo(memo, outcome);
  const { results, summary } = answer.body;
  report(c, summary);
  if (outcome.conflict) reportConflicts(c, checked, results);
  else enqueuer.enqueue(acceptedIds(results));
  return respondWith(answer, { replayed: false });
}

/** Puts the counts into the request's log line. */
function report(c: HttpContext, { received, accepted, failed, conflicts }: IngestResponse["summary"]): void {
  note(c, { received, accepted, failed, conflicts, duplicates: received - accepted - failed - conflicts });
}

/** Writes a line for each conflict. */
function reportConflicts(c: HttpContext, checked: readonly CheckedItem[], results: readonly IngestResult[]): void {
  const logger = requestLogger(c);
  checked.forEach((entry, index) => {
    if (results[index]?.status !== "conflict" || !("item" in entry)) return;
    logger.warn({ source_id: entry.item.sourceId }, `conflict for external_id ${entry.externalId}`);
  });
}
