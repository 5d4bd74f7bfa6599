import { setTimeout as sleep } from "node:timers/promises";
import { URL } from "node:url";
import type { IngestResult } from "../contract/mod.ts";
import { itemError } from "../contract/problem.ts";
import type { Logger } from "../service/process/mod.ts";
import { openThreads, type ThreadsLogger, type ThreadsState } from "../service/threads/mod.ts";
import type { AdmissionContext, AdmissionOutcome, AdmissionResult, Store } from "../store/mod.ts";
import type { NewJob, Queues } from "../work/queue/mod.ts";
import type { start } from "./check-worker.ts";
import type { CheckedItem } from "./check.ts";

/**
 * Decides over the valid ones among checked entries, and stores what is accepted. Nothing is to be decided, and nothing
 * kept, of entries without a valid one and without an idempotency key.
 */
export async function admitChecked(
  store: Pick<Store, "admission">,
  checked: readonly CheckedItem[],
  context: AdmissionContext,
): Promise<AdmissionOutcome> {
  const items = checked.flatMap((entry) => ("item" in entry ? [entry.item] : []));
  if (items.length > 0 || context.idempotency !== undefined) return await store.admission.admit(items, context);
  return { kind: "decided", conflict: false, results: [] };
}

/**
 * Describes what is known of an item before the admission decides over it: by what it is called, or what is wrong with
 * it.
 */
type Submitted =
  | { externalId: string; sourceId: string }
  | { externalId: string | null; error: NonNullable<IngestResult["error"]> };

/** Returns what is to be kept of checked items for the answer. */
export function submittedOf(checked: readonly CheckedItem[]): Submitted[] {
  return checked.map((entry) =>
    "item" in entry ? { externalId: entry.externalId, sourceId: entry.item.sourceId } : entry,
  );
}

/** Puts the verdicts of the admission, which saw the valid items only, back into the order of the request. */
export function mergeResults(submitted: readonly Submitted[], verdicts: readonly AdmissionResult[]): IngestResult[] {
  let next = 0;
  return submitted.map((entry) => {
    if ("error" in entry) return { external_id: entry.externalId, status: "failed", error: entry.error };
    const verdict = verdicts[next++];
    if (verdict === undefined) throw new Error("the admission left out an item");
    return resultOf(entry, verdict);
  });
}

function resultOf(
  { externalId, sourceId }: { externalId: string; sourceId: string },
  verdict: AdmissionResult,
): IngestResult {
  const { status } = verdict;
  if (status === "failed") {
    return {
      external_id: externalId,
      status,
      error: itemError("unknown-source", `source_id ${sourceId} is not registered`),
    };
  }
  const shown = status === "conflict" ? undefined : verdict.articleId;
  return { external_id: externalId, status, ...(shown !== undefined && { article_id: shown }) };
}

/** Returns the articles that were accepted: those that need an `ingestion` job. */
export function acceptedIds(results: readonly IngestResult[]): number[] {
  return results.flatMap(({ status, article_id }) =>
    status === "accepted" && article_id !== undefined ? [article_id] : [],
  );
}

/** Articles that one wake-up call carries at most. */
const JOB_SIZE = 100;

/** Pause between two additions, in milliseconds: articles that arrive meanwhile are added together. */
const REST_MS = 20;

/** Calls the workers for accepted articles, in the background: their work is queued with them already. */
export type Enqueuer = {
  /** Returns at once. A call that cannot be made costs seconds: the workers look for work by the clock, too. */
  enqueue(articleIds: readonly number[]): void;
  /** Resolves when every article so far has been queued, or could not be. */
  settled(): Promise<void>;
};

/**
 * Makes an enqueuer. While jobs are being added, the articles of further requests are collected and then added
 * together, so that many small requests cost few round trips.
 */
export function createEnqueuer(queues: Pick<Queues, "add">, logger: Logger): Enqueuer {
  let collected: number[] = [];
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (collected.length > 0) {
      const articleIds = collected;
      collected = [];
      try {
        await queues.add("ingestion", jobsFor(articleIds));
      } catch (error) {
        logger.warn({ err: error, articles: articleIds.length }, "the workers were not called");
      }
      await sleep(REST_MS);
    }
  };
  return {
    enqueue(articleIds) {
      if (articleIds.length === 0) return;
      collected.push(...articleIds);
      running ??= run().finally(() => {
        running = undefined;
      });
    },
    settled: () => running ?? Promise.resolve(),
  };
}

function jobsFor(articleIds: readonly number[]): NewJob[] {
  const jobs: NewJob[] = [];
  for (let at = 0; at < articleIds.length; at += JOB_SIZE) {
    const ids = articleIds.slice(at, at + JOB_SIZE);
    jobs.push({ id: `articles-${ids[0]}`, data: { articleIds: ids } });
  }
  return jobs;
}

/** A thread that checks items whose texts are so long that the event loop would stand still meanwhile. */
export type CheckThread = {
  /** Checks an entry as `checkItem` does. Rejects with ThreadError when the thread has ended. */
  check(entry: unknown): Promise<CheckedItem>;
  /** Returns how the thread stands. */
  threads(): ThreadsState;
  /** Checks what it was given, then ends the thread. */
  close(): Promise<void>;
};

/** Makes the thread. It starts with the first entry, and again with the next one after it has ended. */
export function createCheckThread({ logger }: { logger?: ThreadsLogger } = {}): CheckThread {
  const url = new URL("./check-worker.ts", import.meta.url);
  const threads = openThreads<typeof start>({ name: "item check", url, logger });
  return {
    check: (entry) => threads.call("check", entry),
    threads: () => threads.state(),
    close: () => threads.close(),
  };
}
