import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Lock, tryExclusive, tryShared } from "../../service/process/file-lock.ts";
import { bringUp } from "./bring-up.ts";
import { type Layout, openLayout } from "./layout.ts";
import { runningPostmaster } from "./pidfile.ts";
import { stopServer } from "./server.ts";
import { serverSettings } from "./settings.ts";
import { lockStart } from "./start-lock.ts";
import { type StoreLogger, watchServer } from "./watch.ts";

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
}): Promise<PostgresLease> {
  if (options.databaseUrl !== undefined && options.databaseUrl !== "") {
    return { url: options.databaseUrl, release: async () => {} };
  }
  const settings = { ...serverSettings(), ...options.settings };
  const layout = await openLayout(resolve(options.dataDir));
  const starting = await lockStart(layout);
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

/** Takes the users' lock; somebody who just now asks whether he is the last holds it for an instant. */
async function share(layout: Layout): Promise<Lock> {
  for (;;) {
    const lock = tryShared(layout.usersLock);
    if (lock !== undefined) return lock;
    await sleep(10);
  }
}

async function letGo(layout: Layout, using: Lock): Promise<void> {
  const starting = await lockStart(layout);
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
