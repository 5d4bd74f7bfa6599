import { setTimeout as sleep } from "node:timers/promises";
import {
  createPostgresBackend,
  type JobProgress,
  type PostgresConnectionOptions,
  type PostgresQueueBackend,
  Queue,
  runMigrations,
  Worker,
} from "bullmq";
import pg from "pg";
import { backoffMs } from "../std/index.ts";
import type { Backend } from "./backend.ts";
import { jobOptions, workerOptions } from "./retry.ts";
import type { JobData, QueueName } from "./types.ts";

/**
 * Keeps each queue in a schema of its own (`queue_<name>`): a backlog in one would slow the workers of another in
 * the same schema. Makes or updates the schemas first.
 */
export async function openPostgresBackend(url: string, names: readonly QueueName[], stallMs: number): Promise<Backend> {
  for (const name of names) await migrateSchema(url, schemaOf(name));
  // A configuration and not a pool: each queue and worker then owns its connections, and finds them again after a loss.
  const connection = (name: QueueName, max: number) => ({
    connectionString: url,
    schema: schemaOf(name),
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    application_name: `isnad-queue-${name}`,
  });
  return {
    queue: (name) =>
      new Queue<JobData, void, string, JobData, void, string, PostgresQueueBackend, PostgresConnectionOptions>(
        name,
        { connection: connection(name, 2), defaultJobOptions: jobOptions, streams: { events: { maxLen: 100 } } },
        createPostgresBackend,
      ),
    worker: (name, processor, concurrency) =>
      new Worker<JobData, void, string, PostgresQueueBackend, JobProgress, PostgresConnectionOptions>(
        name,
        processor,
        { ...workerOptions(stallMs), connection: connection(name, Math.min(2 + concurrency, 6)), concurrency },
        patientBackend,
      ),
    ping: async () => {
      const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
      client.on("error", () => {});
      try {
        await client.connect();
        await client.query("select 1");
      } finally {
        await client.end();
      }
    },
    close: async () => {},
  };
}

/**
 * The library asks for the next job again at once when asking failed, for hours if need be: here each failure takes its
 * time.
 */
const patientBackend: typeof createPostgresBackend = (name, options, factoryOptions) => {
  const backend = createPostgresBackend(name, options, factoryOptions);
  const moveToActive = backend.moveToActive.bind(backend);
  let failures = 0;
  backend.moveToActive = async (token, worker) => {
    try {
      const next = await moveToActive(token, worker);
      failures = 0;
      return next;
    } catch (error) {
      await sleep(backoffMs(failures++, { baseMs: 100, maxMs: 1_000 }));
      throw error;
    }
  };
  return backend;
};

function schemaOf(name: QueueName): string {
  return `queue_${name}`;
}

async function migrateSchema(url: string, schema: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}
