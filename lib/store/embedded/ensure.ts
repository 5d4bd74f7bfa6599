import { readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, tryExclusive, tryShared } from "../../service/process/files.ts";
import { onEnd } from "../../service/process/run-main.ts";
import { errorMessage } from "../../std/mod.ts";
import { bringUp } from "./bring-up.ts";
import { type Layout, lockStart, openLayout } from "./layout.ts";
import { isAlive, ROLE, runningPostmaster, stopServer } from "./server.ts";

/** Longest wait for the port by which others know a server, in milliseconds; then it moves. */
const PORT_WAIT_MS = 20_000;

/**
 * Server settings for a small machine that shares its cores and memory with everything else. Durability is never
 * traded: fsync, full_page_writes and synchronous_commit keep their defaults (on).
 */
export function serverSettings(memoryBytes: number = totalmem()): Record<string, string> {
  const megabytes = memoryBytes / 2 ** 20;
  const sharedBuffers = megabytes >= 8_000 ? 512 : megabytes >= 3_000 ? 256 : 128;
  return {
    listen_addresses: "127.0.0.1",
    unix_socket_directories: "",
    max_connections: "200",
    shared_buffers: `${sharedBuffers}MB`,
    effective_cache_size: `${Math.round(megabytes / 3)}MB`,
    work_mem: "8MB",
    maintenance_work_mem: "96MB",
    // One core serves one query best here, and parallel workers would need /dev/shm, which containers keep small.
    max_parallel_workers_per_gather: "0",
    max_parallel_maintenance_workers: "0",
    io_method: "sync",
    jit: "off",
    random_page_cost: "1.1",
    // Nothing replicates from this cluster; fewer, longer checkpoints write fewer full pages.
    wal_level: "minimal",
    max_wal_senders: "0",
    max_wal_size: "2GB",
    // What it fills at once and seldom needs: the log of few writers at a time, and handles of asynchronous reads.
    wal_buffers: "4MB",
    io_max_concurrency: "8",
    checkpoint_timeout: "15min",
    idle_in_transaction_session_timeout: "120s",
    tcp_keepalives_idle: "60",
    // After a crash, instead of opening and flushing every file.
    ...(process.platform === "linux" ? { recovery_init_sync_method: "syncfs" } : {}),
    // The log names faults only: no statements and no row values, which are texts of articles.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
    log_checkpoints: "off",
    log_autovacuum_min_duration: "-1",
  };
}

/** Holds what the embedded Postgres needs of a logger; pino's fits. */
export type StoreLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

const LOOK_MS = 500;
const WAIT_AFTER_FAILURE_MS = 2_000;

/** Looks twice a second whether the server lives, and brings it back when it was killed, until it is stopped. */
function watchServer(
  layout: Layout,
  how: Parameters<typeof bringUp>[1],
  first: number,
  logger: StoreLogger | undefined,
): { stop(): Promise<void> } {
  let pid = first;
  let stopped = false;
  let notBefore = 0;
  let working: Promise<void> | undefined;

  const look = async () => {
    if (stopped || performance.now() < notBefore || isAlive(pid)) return;
    let starting: Lock | undefined;
    try {
      starting = await lockStart(layout);
      if (stopped) return;
      const startedAt = performance.now();
      ({ pid } = await bringUp(layout, how));
      logger?.warn(
        { pid, took_ms: Math.round(performance.now() - startedAt) },
        "embedded Postgres had ended and was started again",
      );
    } catch (error) {
      const reason = errorMessage(error);
      logger?.error({ reason }, "embedded Postgres had ended and cannot be started");
      notBefore = performance.now() + WAIT_AFTER_FAILURE_MS;
    } finally {
      starting?.release();
    }
  };

  const timer = setInterval(() => {
    working ??= look().finally(() => {
      working = undefined;
    });
  }, LOOK_MS);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await working;
    },
  };
}

/** A database server to connect to, and how to let go of it. */
export type PostgresLease = { url: string; release(): Promise<void> };

/**
 * Gives the URL of a Postgres that answers. With `databaseUrl` that is the one; else the embedded Postgres 18 of
 * `dataDir/postgres`, made and started when nobody has. All processes of one data folder share it: the first one starts
 * it, the last `release()` stops it, a process that was killed counts as gone, and a server whose process was killed is
 * started again by whoever still uses it. Throws PostgresStartError, whose message is one line for the operator.
 */
export async function ensurePostgres(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  logger?: StoreLogger | undefined;
  /** Server settings over the built-in ones. */
  settings?: Record<string, string> | undefined;
  /** Longest wait for the port of a server that was killed, where another program has taken it. */
  portWaitMs?: number;
}): Promise<PostgresLease> {
  if (options.databaseUrl !== undefined && options.databaseUrl !== "") {
    return { url: options.databaseUrl, release: async () => {} };
  }
  const how = {
    settings: { ...serverSettings(), ...options.settings },
    portWaitMs: options.portWaitMs ?? PORT_WAIT_MS,
  };
  const layout = await openLayout(resolve(options.dataDir));
  const locks: Lock[] = [];
  const forget = onEnd(() => letGoAtOnce(layout, locks));
  const starting = await lockStart(layout);
  locks.push(starting);
  let url: string;
  let pid: number;
  try {
    ({ url, pid } = await bringUp(layout, how));
    locks.push(await share(layout));
  } catch (error) {
    forget();
    throw error;
  } finally {
    starting.release();
  }

  const watch = watchServer(layout, how, pid, options.logger);
  let released: Promise<void> | undefined;
  const release = async () => {
    await watch.stop();
    await letGo(layout, locks);
    forget();
  };
  return { url, release: () => (released ??= release()) };
}

/** Takes the users' lock; somebody who just now asks whether he is the last holds it for an instant. */
async function share(layout: Layout): Promise<Lock> {
  for (;;) {
    const lock = tryShared(layout.usersLock);
    if (lock !== undefined) return lock;
    await sleep(10);
  }
}

async function letGo(layout: Layout, locks: readonly Lock[]): Promise<void> {
  const starting = await lockStart(layout);
  try {
    for (const lock of locks) lock.release();
    const last = tryExclusive(layout.usersLock);
    if (last === undefined) return;
    const running = runningPostmaster(layout.cluster);
    if (running !== undefined) await stopServer(running.pid);
    last.release();
  } finally {
    starting.release();
  }
}

/** Longest wait of a process that ends for another that starts or stops the server, in milliseconds. */
const LAST_WAIT_MS = 2_000;

/** Lets go of the server in a process that ends: the last one tells it to stop, and does not see it end. */
function letGoAtOnce(layout: Layout, locks: readonly Lock[]): void {
  for (const lock of locks) lock.release();
  const clock = new Int32Array(new SharedArrayBuffer(4));
  let starting = tryExclusive(layout.startLock);
  for (let waited = 0; starting === undefined && waited < LAST_WAIT_MS; waited += 20) {
    Atomics.wait(clock, 0, 0, 20);
    starting = tryExclusive(layout.startLock);
  }
  const last = starting && tryExclusive(layout.usersLock);
  if (last !== undefined) {
    const running = runningPostmaster(layout.cluster);
    if (running !== undefined) process.kill(running.pid, "SIGINT");
    last.release();
  }
  starting?.release();
}

/**
 * The URL of the embedded Postgres of `dataDir` where it runs; undefined where it does not. Starts and makes nothing.
 */
export async function embeddedUrl(dataDir: string): Promise<string | undefined> {
  const folder = join(dataDir, "postgres");
  const server = runningPostmaster(join(folder, "cluster"));
  if (server === undefined) return undefined;
  const password = (await readFile(join(folder, "password"), "utf8")).trim();
  return `postgres://${ROLE}:${password}@127.0.0.1:${server.port}/${ROLE}`;
}
