import type { Processor } from "bullmq";
import { BoundedMap } from "../../std/mod.ts";
import {
  type AnyQueue,
  type Backend,
  type JobData,
  type JobHandler,
  QUEUE_NAMES,
  type QueueLogger,
  type QueueName,
  type Queues,
  type QueueWorker,
} from "./types.ts";

export { type NewJob, QUEUE_NAMES, type Queues } from "./types.ts";

const EVERY_MS = 5_000;

/**
 * Returns a listener for errors that come in swarms while a backend is away: each reason is logged at once, and then at
 * most every five seconds with the number of times it was heard since.
 */
export function complaints(logger: QueueLogger, queue: string, now: () => number = Date.now): (error: Error) => void {
  const heard = new BoundedMap<string, { at: number; times: number }>(100);
  return (error) => {
    const reason = error.message === "" ? error.name : error.message;
    const last = heard.get(reason);
    if (last !== undefined && now() - last.at < EVERY_MS) {
      last.times++;
      return;
    }
    heard.set(reason, { at: now(), times: 0 });
    const repeated = last?.times ?? 0;
    logger.warn({ queue, reason, ...(repeated > 0 ? { repeated } : {}) }, "queue");
  };
}

/** Longest time that a queue or a worker may take to connect, in milliseconds. */
const READY_MS = 10_000;

/** Settles as `work` does, or rejects after `ms` milliseconds; `work` itself goes on. */
export async function within<T>(ms: number, what: string, work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${ms} ms`)), ms);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Longest time that the library may take to let go of its connections, in milliseconds. */
const WORKER_CLOSE_MS = 1_500;

/** Calls `handler` for the wake-up calls of a queue until it is closed. */
async function startWorker(
  backend: Backend,
  name: QueueName,
  handler: JobHandler,
  { logger }: { logger: QueueLogger },
): Promise<QueueWorker> {
  const processor: Processor<JobData, void> = async ({ id = "", data }) => {
    await handler({ id, data });
  };
  const worker = backend.worker(name, processor);
  worker.on("error", complaints(logger, name));
  try {
    await within(READY_MS, `the worker of queue ${name}`, worker.waitUntilReady());
  } catch (error) {
    await worker.close().catch(() => {});
    throw error;
  }
  const close = () =>
    within(WORKER_CLOSE_MS, `closing the worker of queue ${name}`, worker.close()).catch((error: Error) => {
      logger.warn({ queue: name, reason: error.message }, "queue worker");
    });
  let closing: Promise<void> | undefined;
  return { close: () => (closing ??= close()) };
}

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
    // One at a time: over PostgreSQL the library adds several by temporary tables, at six times the processor time.
    add: async (name, { id, data }) => {
      await within(ADD_MS, `adding to queue ${name}`, queue(name).add(name, data, { jobId: id }));
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

/** Holds what a Redis or Valkey says of itself, for the operator. */
type RedisFacts = {
  version: string;
  /** Holds what it does when its memory is full; anything but `noeviction` loses jobs. */
  evictionPolicy: string;
  usedBytes: number;
};

/** Asks the server at `url`; changes nothing. Rejects when it cannot be reached. */
export async function redisFacts(url: string): Promise<RedisFacts> {
  const { Redis } = await import("ioredis");
  const redis = new Redis(url, {
    lazyConnect: true,
    connectTimeout: 3_000,
    commandTimeout: 3_000,
    maxRetriesPerRequest: 0,
    retryStrategy: () => null,
  });
  let reason: Error | undefined;
  redis.on("error", (error) => {
    reason ??= error;
  });
  try {
    await redis.connect();
    const info = await redis.info();
    const fields = new Map(info.split("\n").map((line) => [line.split(":", 1)[0], line]));
    const field = (name: string): string =>
      fields
        .get(name)
        ?.slice(name.length + 1)
        .trim() ?? "";
    return {
      version: field("valkey_version") || field("redis_version"),
      evictionPolicy: field("maxmemory_policy"),
      usedBytes: Number(field("used_memory")),
    };
  } catch (error) {
    throw reason ?? error;
  } finally {
    redis.disconnect();
  }
}
