import { existsSync } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { tryExclusive } from "../../service/process/files.ts";
import { codeOf, isUnavailable, notePort, PostgresStartError } from "../client.ts";
import { accountFor, findBinaries } from "./programs.ts";
import { choosePort, folderError, type Layout, readOrMakePassword, rememberedPort, rememberPort } from "./layout.ts";
import {
  initCluster,
  type Postmaster,
  ROLE,
  runningPostmaster,
  startError,
  startServer,
  stopServer,
} from "./server.ts";

/** Says how long a server that runs may take to let somebody in. */
const ANSWER_MS = 10_000;

/**
 * Adopts the running server or starts one, making the cluster first where there is none. One that others use comes back
 * on its port, for which it waits up to `portWaitMs`. The start lock is held.
 */
export async function bringUp(
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
