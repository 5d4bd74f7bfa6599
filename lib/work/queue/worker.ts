import { setTimeout as sleep } from "node:timers/promises";
import type { Job, Processor } from "bullmq";
import type { Backend } from "./backend.ts";
import { complaints } from "./complaints.ts";
import { READY_MS, within } from "./deadline.ts";
import { ATTEMPTS } from "./retry.ts";
import type { JobData, JobHandler, QueueLogger, QueueName, QueueWorker } from "./types.ts";

/** Longest time that a job may take to be said done, or given back, once the worker is to stop, in milliseconds. */
const SETTLE_MS = 1_500;

/** Runs `handler` for the jobs of a queue until it is closed. */
export async function startWorker(
  backend: Backend,
  name: QueueName,
  handler: JobHandler,
  { concurrency = 1, logger }: { concurrency?: number | undefined; logger: QueueLogger },
): Promise<QueueWorker> {
  const stopping = new AbortController();
  const { WaitingError } = await import("bullmq");

  const running = new Set<Promise<void>>();

  const processor: Processor<JobData, void> = async (job, token) => {
    const work = handler(describe(job), stopping.signal);
    running.add(work);
    try {
      await work.finally(() => running.delete(work));
    } catch (error) {
      if (!stopping.signal.aborted) throw error;
      await job.moveToWait(token);
      throw new WaitingError();
    }
  };
  const worker = backend.worker(name, processor, concurrency);
  worker.on("error", complaints(logger, name));
  try {
    await within(READY_MS, `the worker of queue ${name}`, worker.waitUntilReady());
  } catch (error) {
    await worker.close().catch(() => {});
    throw error;
  }

  /** Resolves when no job has been in work for {@link SETTLE_MS}: one that was asked for before may still come. */
  const idle = async () => {
    do {
      await Promise.allSettled(running);
      await sleep(SETTLE_MS, undefined, { ref: false });
    } while (running.size > 0);
  };
  const close = async (graceMs: number) => {
    const closed = worker.close();
    await Promise.race([closed, idle(), sleep(graceMs, undefined, { ref: false })]);
    stopping.abort();
    await within(SETTLE_MS, `closing the worker of queue ${name}`, closed).catch((error: Error) => {
      logger.warn({ queue: name, reason: error.message }, "queue worker");
    });
  };
  let closing: Promise<void> | undefined;
  return { close: (graceMs = 8_000) => (closing ??= close(graceMs)) };
}

function describe(job: Job<JobData, void>) {
  const attempt = job.attemptsMade + 1;
  return {
    id: job.id ?? "",
    data: job.data,
    queuedAtMs: job.timestamp,
    attempt,
    lastAttempt: attempt >= (job.opts.attempts ?? ATTEMPTS),
  };
}
