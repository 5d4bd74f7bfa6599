import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import { backoffMs } from "../../std/mod.ts";
import { type Backend, type JobData, jobOptions, workerOptions } from "./types.ts";

/** Keeps the queues in Redis, under the key prefix `isnad`. */
export async function openRedisBackend(url: string, stallMs: number): Promise<Backend> {
  // Bounded waits between attempts, so that a server that comes back is used within a second.
  const retryStrategy = (attempt: number) => backoffMs(attempt - 1, { baseMs: 100, maxMs: 1_000 });
  const common = { retryStrategy, connectTimeout: 5_000 };
  // Adding fails fast while the server is away; a worker waits for it.
  const producer = new Redis(url, { ...common, maxRetriesPerRequest: 2 });
  const consumer = new Redis(url, { ...common, maxRetriesPerRequest: null, lazyConnect: true });
  // Each error is also passed on by the queue or worker that uses the connection.
  for (const redis of [producer, consumer]) redis.on("error", () => {});
  const prefix = "isnad";
  return {
    queue: (name) =>
      new Queue<JobData, void>(name, {
        connection: producer,
        prefix,
        defaultJobOptions: jobOptions,
        streams: { events: { maxLen: 100 } },
      }),
    worker: (name, processor) =>
      new Worker<JobData, void>(name, processor, {
        ...workerOptions(stallMs),
        connection: consumer,
        prefix,
      }),
    ping: async () => {
      await producer.ping();
    },
    close: async () => {
      producer.disconnect();
      consumer.disconnect();
    },
  };
}
