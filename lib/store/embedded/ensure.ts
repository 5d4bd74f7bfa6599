import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { codeOf, PostgresStartError } from "../errors.ts";
import { accountFor } from "./account.ts";
import { findBinaries } from "./binaries.ts";
import {
  folderError,
  freePort,
  type Layout,
  openLayout,
  readOrMakePassword,
  rememberedPort,
  rememberPort,
} from "./layout.ts";
import { exclusive, type Lock, tryExclusive, tryShared } from "./locks.ts";
import { isAlive, type Postmaster, runningPostmaster } from "./pidfile.ts";
import { initCluster, ROLE, startServer, stopServer } from "./server.ts";
import { serverSettings } from "./settings.ts";

/** What `ensurePostgres` needs of a logger; pino's fits. */
export type StoreLogger = {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
};

/** A database server to connect to, and how to let go of it. */
export type PostgresLease = { url: string; release(): Promise<void> };

/**
 * Gives the URL of a Postgres that answers. With `databaseUrl` that is the one; else the embedded Postgres 18 of
 * `dataDir/postgres`, made and started when nobody has. All processes of one data folder share it: the first one starts it, the last
 * `release()` stops it, a process that was killed counts as gone, and a server whose process was killed is started again
 * by whoever still uses it. Throws PostgresStartError, whose message is one line for the operator.
 */
export async function ensurePostgres(options: {
  dataDir: string;
  databaseUrl?: string | undefined;
  logger?: StoreLogger | undefined;
  /** Server settings over the built-in ones. */
  settings?: Record<string, string> | undefined;
}): Promise<PostgresLease> {
  if (options.databaseUrl !== undefined && options.databaseUrl !== "") {
    return { url: options.databaseUrl, release: async () => {} };
  }
  const settings = { ...serverSettings(), ...options.settings };
  const layout = await openLayout(resolve(options.dataDir));
  const starting = await exclusiveIn(layout);
  let using: Lock;
  let url: string;
  let pid: number;
  try {
    ({ url, pid } = await bringUp(layout, settings));
    using = await share(layout);
  } finally {
    starting.release();
  }

  const watch = watchServer(layout, settings, pid, options.logger);
  let released: Promise<void> | undefined;
  return { url, release: () => (released ??= watch.stop().then(() => letGo(layout, using))) };
}

async function exclusiveIn(layout: Layout): Promise<Lock> {
  try {
    return await exclusive(layout.startLock);
  } catch (error) {
    throw folderError(layout.folder, error);
  }
}

/** Adopts the running server or starts one, making the cluster first where there is none. The start lock is held. */
async function bringUp(layout: Layout, settings: Record<string, string>): Promise<{ url: string; pid: number }> {
  await refuseHalfCluster(layout);
  const password = await readOrMakePassword(layout.password).catch((error) => {
    throw folderError(layout.folder, error);
  });
  const running = await settled(layout);
  const server = running ?? (await start(layout, settings, password));
  const url = (database: string) => `postgres://${ROLE}:${password}@127.0.0.1:${server.port}/${database}`;
  await ensureDatabase(url("postgres"), url(ROLE), layout);
  return { url: url(ROLE), pid: server.pid };
}

/** The running server once it has finished starting, if there is one. */
async function settled(layout: Layout): Promise<Postmaster | undefined> {
  for (;;) {
    const running = await runningPostmaster(layout.cluster);
    if (running === undefined || running.ready) return running;
    await sleep(20);
  }
}

async function start(layout: Layout, settings: Record<string, string>, password: string): Promise<Postmaster> {
  const binaries = await findBinaries();
  const account = accountFor(layout.cluster, [layout.cluster, binaries.postgres]);
  if (!existsSync(layout.cluster)) await initCluster(layout, binaries, account, password);
  const port = await freePort(await rememberedPort(layout.port));
  await rememberPort(layout.port, port).catch((error) => {
    throw folderError(layout.folder, error);
  });
  // After a kill of the server its orphaned backends hold the shared memory for a moment.
  for (let attempt = 1; ; attempt++) {
    try {
      return {
        pid: await startServer(layout, binaries, account, { ...settings, port: String(port) }),
        port,
        ready: true,
      };
    } catch (error) {
      const orphans = error instanceof PostgresStartError && /still in use|shared memory/.test(error.message);
      if (!orphans || attempt === 100) throw error;
      await sleep(100);
    }
  }
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

/** Takes the users' lock; somebody who just now asks whether he is the last holds it for an instant. */
async function share(layout: Layout): Promise<Lock> {
  for (;;) {
    const lock = tryShared(layout.usersLock);
    if (lock !== undefined) return lock;
    await sleep(10);
  }
}

async function letGo(layout: Layout, using: Lock): Promise<void> {
  const starting = await exclusive(layout.startLock);
  try {
    using.release();
    const last = tryExclusive(layout.usersLock);
    if (last === undefined) return;
    const running = await runningPostmaster(layout.cluster);
    if (running !== undefined) await stopServer(running.pid);
    last.release();
  } finally {
    starting.release();
  }
}

/** Looks twice a second whether the server lives, and brings it back when it was killed. */
function watchServer(layout: Layout, settings: Record<string, string>, first: number, logger: StoreLogger | undefined) {
  let pid = first;
  let stopped = false;
  let notBefore = 0;
  let working: Promise<void> = Promise.resolve();
  const look = async () => {
    if (stopped || Date.now() < notBefore || isAlive(pid)) return;
    let starting: Lock | undefined;
    try {
      starting = await exclusive(layout.startLock);
      if (stopped) return;
      const startedAt = Date.now();
      ({ pid } = await bringUp(layout, settings));
      logger?.warn({ pid, took_ms: Date.now() - startedAt }, "embedded Postgres had ended and was started again");
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      logger?.error({ reason }, "embedded Postgres had ended and cannot be started");
      notBefore = Date.now() + 2_000;
    } finally {
      starting?.release();
    }
  };
  let busy = false;
  const timer = setInterval(() => {
    if (busy) return;
    busy = true;
    working = look().finally(() => {
      busy = false;
    });
  }, 500);
  timer.unref();
  return {
    stop: async () => {
      stopped = true;
      clearInterval(timer);
      await working;
    },
  };
}
