import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { freePort } from "../lib/std/ports.ts";
import { accountFor } from "../lib/store/embedded/programs.ts";

/** A server of the pair. */
type Server = { url: string };

/** A PostgreSQL server with a replica that follows it asynchronously. */
export type PostgresPair = {
  primary: Server & {
    /** Ends it at once, as a machine that loses power. */
    kill(): Promise<void>;
  };
  replica: Server & {
    /** Receives nothing more of the primary, as one that fell behind. */
    pause(): Promise<void>;
    promote(): Promise<void>;
    /** The column `n` of the first row. */
    query(text: string): Promise<unknown>;
  };
  stop(): Promise<void>;
};

/** Finds where Debian has its PostgreSQL, the newest first. */
function programs(): string | undefined {
  const root = "/usr/lib/postgresql";
  const versions = existsSync(root) ? readdirSync(root).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(root, version, "bin")).find((bin) => existsSync(join(bin, "pg_basebackup")));
}

/** Starts a pair; says why where there is no PostgreSQL to make it of. */
export async function postgresPair(): Promise<PostgresPair | string> {
  const bin = programs();
  if (bin === undefined) return "there is no PostgreSQL with pg_basebackup in /usr/lib/postgresql";
  const folder = mkdtempSync(join(tmpdir(), "isnad-pair-"));
  const account = accountFor(join(folder, "primary"), [folder, bin]);
  account.own(folder);
  const run = (name: string, args: readonly string[]): void => {
    const [program, all] = account.command(join(bin, name), args);
    const { status, stdout, stderr } = spawnSync(program, all, { ...account.ids, cwd: "/", encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stdout} ${stderr}`);
  };
  const data = (name: string): string => join(folder, name);
  const start = async (name: string): Promise<string> => {
    const port = await freePort();
    const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off -c max_connections=60`;
    run("pg_ctl", ["-D", data(name), "-w", "-l", join(folder, `${name}.log`), "-o", options, "start"]);
    return `postgres://isnad@127.0.0.1:${port}/postgres`;
  };
  mkdirSync(data("primary"), { mode: 0o700 });
  account.own(data("primary"));
  run("initdb", ["-D", data("primary"), "-U", "isnad", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
  const primary = await start("primary");
  run("pg_basebackup", ["-D", data("replica"), "-R", "-X", "stream", "-c", "fast", "--no-sync", "-d", primary]);
  const replica = await start("replica");
  const sql = postgres(replica, { max: 1, onnotice: () => {} });
  const stopServer = (name: string): void => {
    try {
      run("pg_ctl", ["-D", data(name), "-m", "immediate", "-w", "stop"]);
    } catch {
      // It has ended already.
    }
  };
  return {
    primary: { url: primary, kill: async () => stopServer("primary") },
    replica: {
      url: replica,
      async pause() {
        await sql`alter system set primary_conninfo = ''`;
        await sql`select pg_reload_conf()`;
        // The receiver ends.
        for (;;) {
          const [row] = await sql<{ n: number }[]>`select count(*)::int as n from pg_stat_wal_receiver`;
          if (row?.n === 0) return;
          await sleep(20);
        }
      },
      async promote() {
        await sql`select pg_promote(true, 60)`;
      },
      async query(text) {
        const [row] = await sql.unsafe(text).catch(() => []);
        return row?.n;
      },
    },
    async stop() {
      await sql.end({ timeout: 1 });
      stopServer("primary");
      stopServer("replica");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
