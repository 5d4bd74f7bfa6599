import { inSpan, type Logger } from "@isnad/lib/service/process";
import type { QueueJob, QueueName, Queues } from "@isnad/lib/work/queue";
import { errorMessage } from "@isnad/lib/std";
import type { Store } from "@isnad/lib/store";
import { isAway, isPassing } from "./faults.ts";
import type { Outcome } from "./outcome.ts";

/** What the frame around every job needs. */
export type FrameDeps = {
  store: Pick<Store, "articles">;
  queues: Pick<Queues, "add">;
  logger: Logger;
  /** Called at the start of every job with the time that it waited, in seconds. */
  onStart(queue: QueueName, waitedS: number): void;
  /** Called with every error that ended a job. */
  onFault?(error: unknown): void;
  /** Called at the end of every job. */
  onEnd(queue: QueueName, outcome: "done" | "split" | "retry" | "failed", tookS: number, articles: number): void;
};

/**
 * Runs one job and writes one log line for it. An article that fails gets a job of its own, so that it does not use up
 * the attempts of the others; when the last attempt of that job fails, the article is marked as failed with the reason.
 * When something that all articles need is away, the whole job is retried and no article counts as failed.
 */
export async function runJob(
  queue: QueueName,
  job: QueueJob,
  work: () => Promise<Outcome>,
  { store, queues, logger, onStart, onEnd, onFault }: FrameDeps,
  signal: AbortSignal,
): Promise<void> {
  const waitedS = Math.max(0, Date.now() - job.queuedAtMs) / 1000;
  onStart(queue, waitedS);
  const startedAt = performance.now();
  const { articleIds } = job.data;
  const base = { queue, job: job.id, attempt: job.attempt, articles: articleIds.length, waited_ms: waitedS * 1000 };
  const end = (level: "info" | "warn" | "error", outcome: Parameters<typeof onEnd>[1], fields: object) => {
    const took = performance.now() - startedAt;
    onEnd(queue, outcome, took / 1000, articleIds.length);
    logger[level]({ ...base, outcome, ...fields, took_ms: Math.round(took) }, "job");
  };

  try {
    const attributes = { "isnad.articles": articleIds.length, "isnad.attempt": job.attempt };
    const { counts, broken } = await inSpan(`job ${queue}`, { kind: "consumer", attributes }, work);
    const [first] = broken;
    if (first === undefined) return end("info", "done", counts);
    if (articleIds.length === 1) throw first.error;
    await split(broken.map(({ articleId }) => articleId));
    end("warn", "split", { ...counts, split: broken.length, reason: errorMessage(first.error) });
  } catch (error) {
    onFault?.(error);
    const [only, ...others] = articleIds;
    const again = signal.aborted || isAway(error) || (!job.lastAttempt && (isPassing(error) || others.length === 0));
    if (again || only === undefined) {
      end("warn", "retry", { reason: errorMessage(error) });
      throw error;
    }
    if (others.length > 0) {
      await split(articleIds);
      return end("warn", "split", { split: articleIds.length, reason: errorMessage(error) });
    }
    await store.articles.markFailed(only, errorMessage(error));
    end("error", "failed", { err: error });
  }

  async function split(ids: readonly number[]): Promise<void> {
    await queues.add(
      queue,
      ids.map((id) => ({ id: `article-${id}`, data: { articleIds: [id] } })),
    );
  }
}
