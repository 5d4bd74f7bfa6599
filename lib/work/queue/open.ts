import type { AnyQueue, Backend } from "./backend.ts";
import { complaints } from "./complaints.ts";
import { READY_MS, within } from "./deadline.ts";
import { QUEUE_NAMES, type QueueLogger, type QueueName, type Queues, type QueueWorker } from "./types.ts";
import { startWorker } from "./worker.ts";

const ADD_MS = 5_000;

/** Longest time that closing may take, in milliseconds: a process that stops has 15 s, and requests in flight 10. */
const CLOSE_MS = 1_000;

/**
 * Opens the queues in Redis when `redisUrl` is given, else in the Postgres at `databaseUrl`, and connects them. Rejects
 * when it cannot be reached.
 */
export async function openQueues(options: {
  databaseUrl: string;
  redisUrl?: string | undefined;
  logger: QueueLogger;
  /** After how many ms without a sign of life a job is taken from its worker and given to another (20,000). */
  stallMs?: number | undefined;
  /** Longest time of a statement in Postgres in ms, as for a pool of the store; no limit when missing. */
  timeoutMs?: number | undefined;
}): Promise<Queues> {
  const { databaseUrl, redisUrl, logger, stallMs = 20_000, timeoutMs } = options;
  const backend = await openBackend(databaseUrl, redisUrl, { stallMs, timeoutMs });
  const queues = { ingestion: backend.queue("ingestion"), analysis: backend.queue("analysis") };
  const workers = new Set<QueueWorker>();
  let closing: Promise<void> | undefined;

  // What cannot be closed in time ends with the process.
  const closeQueue = (name: QueueName) =>
    within(CLOSE_MS, "closing a queue", queues[name].close()).catch((error: Error) =>
      logger.warn({ queue: name, reason: error.message }, "queue"),
    );
  for (const name of QUEUE_NAMES) queues[name].on("error", complaints(logger, name));
  try {
    // The library keeps the outcome of a queue's first connection for good: one that failed would fail for ever.
    const where = redisUrl ? "in Redis (REDIS_URL)" : "in PostgreSQL";
    const ready = (name: QueueName) =>
      within(READY_MS, `to connect queue ${name} ${where}`, queues[name].waitUntilReady());
    await Promise.all(QUEUE_NAMES.map(ready));
  } catch (error) {
    await Promise.all(QUEUE_NAMES.map(closeQueue));
    await backend.close();
    throw error;
  }

  const queue = (name: QueueName): AnyQueue => {
    if (closing !== undefined) throw new Error("the queues are closed");
    return queues[name];
  };

  return {
    add: async (name, jobs) => {
      if (jobs.length === 0) return;
      const bulk = jobs.map(({ id, data }) => ({ name, data, opts: { jobId: id } }));
      await within(ADD_MS, `adding to queue ${name}`, queue(name).addBulk(bulk));
    },
    work: async (name, handler) => {
      const worker = await startWorker(backend, name, handler, { logger });
      workers.add(worker);
      return worker;
    },
    counts: async (name) => {
      const counts = await within(
        ADD_MS,
        `counting queue ${name}`,
        queue(name).getJobCounts("waiting", "active", "delayed"),
      );
      return { waiting: counts.waiting ?? 0, active: counts.active ?? 0, delayed: counts.delayed ?? 0 };
    },
    ping: () => within(ADD_MS, "the queue's backend", backend.ping()),
    close: () => {
      closing ??= (async () => {
        await Promise.all([...workers].map((worker) => worker.close()));
        await Promise.all(QUEUE_NAMES.map(closeQueue));
        await backend.close();
      })();
      return closing;
    },
  };
}

/** Loads only the driver that is needed. */
async function openBackend(
  databaseUrl: string,
  redisUrl: string | undefined,
  limits: { stallMs: number; timeoutMs: number | undefined },
): Promise<Backend> {
  if (redisUrl !== undefined && redisUrl !== "") {
    const { openRedisBackend } = await import("./redis-backend.ts");
    return await openRedisBackend(redisUrl, limits.stallMs);
  }
  const { openPostgresBackend } = await import("./postgres-backend.ts");
  return await openPostgresBackend(databaseUrl, QUEUE_NAMES, limits);
}
