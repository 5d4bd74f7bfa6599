import { readdir, readFile } from "node:fs/promises";
import { totalmem } from "node:os";
import { join, resolve } from "node:path";
import process from "node:process";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, tryExclusive, tryShared } from "../../service/process/files.ts";
import { onEnd } from "../../service/process/run-main.ts";
import { errorMessage } from "../../std/mod.ts";
import {
  choosePort,
  folderError,
  type Layout,
  lockStart,
  openLayout,
  readOrMakePassword,
  rememberedPort,
  rememberPort,
} from "./layout.ts";
import {
  initCluster,
  isAlive,
  type Postmaster,
  removeHalfMade,
  ROLE,
  runningPostmaster,
  startError,
  startServer,
  stopServer,
} from "./server.ts";
import { existsSync } from "node:fs";
import postgres from "postgres";
import { codeOf, isUnavailable, notePort, PostgresStartError } from "../client.ts";
import { accountFor, findBinaries } from "./programs.ts";

/** Says how long a server that runs may take to let somebody in. */
const ANSWER_MS = 10_000;

/**
 * Adopts the running server or starts one, making the cluster first where there is none. One that others use comes back
 * on its port, for which it waits up to `portWaitMs`. The start lock is held.
 */
async function bringUp(
  layout: Layout,
  { settings, portWaitMs }: { settings: Record<string, string>; portWaitMs: number },
): Promise<{ url: string; pid: number }> {
  await refuseHalfCluster(layout);
  const password = await readOrMakePassword(layout.password).catch((error) => {
    throw folderError(layout.folder, error);
  });
  const deadline = performance.now() + ANSWER_MS;
  for (;;) {
    const server = (await settled(layout)) ?? (await start(layout, { settings, portWaitMs }, password));
    const url = (database: string) => `postgres://${ROLE}:${password}@127.0.0.1:${server.port}/${database}`;
    try {
      await ensureDatabase(url("postgres"), url(ROLE), layout);
      notePort(password, server.port);
      return { url: url(ROLE), pid: server.pid };
    } catch (error) {
      if (!isUnavailable(error)) throw error;
      if (performance.now() > deadline) throw startError(layout, String(error), "it does not answer");
      // It ended, or fell over, between the two looks.
      await sleep(50);
    }
  }
}

/** The running server once it has finished starting. One that somebody told to stop is helped to. */
async function settled(layout: Layout): Promise<Postmaster | undefined> {
  for (;;) {
    const running = runningPostmaster(layout.cluster);
    if (running === undefined || running.status === "ready") return running;
    if (running.status === "stopping") await stopServer(running.pid);
    await sleep(20);
  }
}

async function start(
  layout: Layout,
  { settings, portWaitMs }: { settings: Record<string, string>; portWaitMs: number },
  password: string,
): Promise<Postmaster> {
  const binaries = await findBinaries();
  const account = accountFor(layout.cluster, [layout.cluster, binaries.postgres]);
  await removeHalfMade(layout);
  if (!existsSync(layout.cluster)) await initCluster(layout, binaries, account, password);
  const waitMs = isUsed(layout) ? portWaitMs : 0;
  // After a kill of the server its orphaned backends hold the shared memory for a moment; a port may just be taken.
  for (let attempt = 1; ; attempt++) {
    const port = await choosePort(await rememberedPort(layout.port), waitMs);
    await rememberPort(layout.port, port).catch((error) => {
      throw folderError(layout.folder, error);
    });
    try {
      const pid = await startServer(layout, binaries, account, { ...settings, port: String(port) });
      return { pid, port, status: "ready" };
    } catch (error) {
      const passes =
        error instanceof PostgresStartError && /already in use|still in use|shared memory/.test(error.message);
      if (!passes || attempt === 100) throw error;
      await sleep(100);
    }
  }
}

/** Tells whether a process has the server in use, this one or another. */
function isUsed({ usersLock }: Layout): boolean {
  const lock = tryExclusive(usersLock);
  lock?.release();
  return lock === undefined;
}

async function refuseHalfCluster(layout: Layout): Promise<void> {
  if (!existsSync(layout.cluster) || existsSync(join(layout.cluster, "PG_VERSION"))) return;
  const entries = await readdir(layout.cluster);
  const message = `the cluster in ${layout.cluster} is damaged (PG_VERSION is missing beside ${entries.length} entries): restore a copy, or move the folder away to begin anew`;
  throw new PostgresStartError("EDAMAGED", message);
}

async function ensureDatabase(adminUrl: string, url: string, layout: Layout): Promise<void> {
  try {
    await once(url, (sql) => sql`select 1`);
  } catch (error) {
    if (codeOf(error) === "28P01") {
      const message = `the embedded Postgres refuses the password in ${layout.password}: restore that file`;
      throw new PostgresStartError("EACCES", message, { cause: error });
    }
    if (codeOf(error) !== "3D000") throw error;
    await once(adminUrl, (sql) => sql.unsafe(`create database ${ROLE}`));
  }
}

async function once(url: string, run: (sql: postgres.Sql) => Promise<unknown>): Promise<void> {
  const sql = postgres(url, { max: 1, fetch_types: false, onnotice: () => {}, connect_timeout: 10 });
  try {
    await run(sql);
  } finally {
    await sql.end({ timeout: 1 });
  }
}

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

/** Tells whether `dataDir` has an embedded cluster. Starts and makes nothing. */
export function hasCluster(dataDir: string): boolean {
  return existsSync(join(dataDir, "postgres", "cluster"));
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
