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
import { backoffMs, errorMessage } from "../../std/mod.ts";
import { currentUrl } from "../../store/mod.ts";
import { type Backend, type JobData, jobOptions, type QueueName, workerOptions } from "./types.ts";

/**
 * Connects to where the server is now. The library listens for errors of a connection a tick after that stands, and
 * between its own queries not at all: a connection that the server ends just then would end the process.
 */
class HeardClient extends pg.Client {
  constructor(config: pg.ClientConfig) {
    super({ ...config, connectionString: currentUrl(config.connectionString ?? "") });
    this.on("error", () => {});
  }
}

/** Says how long a server that should have cancelled a statement is waited for. */
const SILENCE_MS = 1_000;

/** Holds what the driver says of a statement that was not answered in time. */
const SILENT = "Query read timeout";

/**
 * Keeps each queue in a schema of its own (`queue_<name>`): a backlog in one would slow the workers of another in
 * the same schema. Makes or updates the schemas first, for which `timeoutMs` is no limit.
 */
export async function openPostgresBackend(
  url: string,
  names: readonly QueueName[],
  { stallMs, timeoutMs }: { stallMs: number; timeoutMs?: number | undefined },
): Promise<Backend> {
  for (const name of names) await migrateSchema(url, schemaOf(name));
  // The connection that hears of new jobs is made by this name, and those of the pool as its settings say.
  Object.assign(pg, { Client: HeardClient });
  // Waiting for a notification is no statement, so that the connection that listens may have the limits, too.
  const limits = timeoutMs === undefined ? {} : { statement_timeout: timeoutMs, query_timeout: timeoutMs + SILENCE_MS };
  // A configuration and not a pool: each queue and worker then owns its connections, and finds them again after a loss.
  const connection = (name: QueueName, max: number) => ({
    connectionString: url,
    Client: HeardClient,
    schema: schemaOf(name),
    max,
    connectionTimeoutMillis: 5_000,
    idleTimeoutMillis: 10_000,
    keepAlive: true,
    application_name: `isnad-queue-${name}`,
    ...limits,
  });
  return {
    queue: (name) =>
      new Queue<JobData, void, string, JobData, void, string, PostgresQueueBackend, PostgresConnectionOptions>(
        name,
        { connection: connection(name, 2), defaultJobOptions: jobOptions, streams: { events: { maxLen: 100 } } },
        createPostgresBackend,
      ),
    worker: (name, processor) =>
      new Worker<JobData, void, string, PostgresQueueBackend, JobProgress, PostgresConnectionOptions>(
        name,
        processor,
        { ...workerOptions(stallMs), connection: connection(name, 3) },
        patientBackend,
      ),
    ping: async () => {
      const client = new HeardClient({ connectionString: url, connectionTimeoutMillis: 5_000, ...limits });
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
 * Makes the library's backend wait between failures. By itself it asks for the next job again after no time or 100 ms,
 * for hours if need be. And it keeps a connection for notices that said nothing when it was to begin to listen, and
 * asks it for ever: here that one is dropped, and a new one is opened.
 */
const patientBackend: typeof createPostgresBackend = (name, options, factoryOptions) => {
  const backend = createPostgresBackend(name, options, factoryOptions);
  backend.moveToActive = patient(backend.moveToActive.bind(backend));
  const waitForJob = backend.waitForJob.bind(backend);
  backend.waitForJob = patient(async (timeoutS: number) => {
    try {
      return await waitForJob(timeoutS);
    } catch (error) {
      if (errorMessage(error) === SILENT) {
        const client = await backend.connection.getListenClient();
        if (client instanceof HeardClient) client.emit("error", error);
      }
      throw error;
    }
  });
  return backend;
};

/** Returns the same, whose failures come after growing waits while it fails. */
function patient<A extends unknown[], T>(call: (...args: A) => Promise<T>): (...args: A) => Promise<T> {
  let failures = 0;
  return async (...args) => {
    try {
      const answer = await call(...args);
      failures = 0;
      return answer;
    } catch (error) {
      await sleep(backoffMs(failures++, { baseMs: 100, maxMs: 1_000 }));
      throw error;
    }
  };
}

function schemaOf(name: QueueName): string {
  return `queue_${name}`;
}

async function migrateSchema(url: string, schema: string): Promise<void> {
  const client = new HeardClient({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    await client.query("select set_config('statement_timeout', '0', false)");
    await runMigrations(client, schema);
  } finally {
    await client.end();
  }
}
