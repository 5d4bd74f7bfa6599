import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { accountFor } from "./embedded/account.ts";
import { freePort } from "../std/ports.ts";

/** Where Debian and its derivatives put the programs of each version. */
const VERSIONS = "/usr/lib/postgresql";

/** A server of another version than the embedded one; `major` is that of its version. */
export type OtherPostgres = { url: string; major: number; stop(): void };

/** The folder of the programs of the oldest other PostgreSQL that is installed, from 14 on. */
function otherPrograms(): { folder: string; major: number } | undefined {
  const majors = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  const major = majors.filter((version) => version >= 14 && version !== 18).sort((a, b) => a - b)[0];
  const folder = join(VERSIONS, String(major), "bin");
  return major !== undefined && existsSync(join(folder, "initdb")) ? { folder, major } : undefined;
}

/** Whether this machine has a PostgreSQL of another version to test against. */
export const hasOtherPostgres = otherPrograms() !== undefined;

/** Says once, for the log of the tests, that those against another PostgreSQL are left out. */
export function sayThatOtherPostgresIsMissing(): void {
  if (hasOtherPostgres) return;
  process.stderr.write(`no other PostgreSQL from 14 on in ${VERSIONS}: the tests against it are skipped\n`);
}

/** Starts a server of another version on loopback, with a cluster of its own that is gone when it stops. */
export async function otherPostgres(): Promise<OtherPostgres> {
  const programs = otherPrograms();
  if (programs === undefined) throw new Error("no other PostgreSQL is installed");
  const folder = mkdtempSync(join(tmpdir(), "isnad-other-postgres-"));
  const cluster = join(folder, "cluster");
  const account = accountFor(cluster, [cluster, programs.folder]);
  account.own(folder);
  mkdirSync(cluster, { mode: 0o700 });
  account.own(cluster);
  const run = (name: string, args: readonly string[]) => {
    const [program, all] = account.command(join(programs.folder, name), args);
    const { status, stdout } = spawnSync(program, all, { ...account.ids, cwd: "/", encoding: "utf8" });
    if (status !== 0) throw new Error(`${name} ended with ${status}: ${stdout}`);
  };
  run("initdb", ["-D", cluster, "-U", "isnad", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"]);
  const port = await freePort();
  const options = `-p ${port} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`;
  run("pg_ctl", ["-D", cluster, "-w", "-l", join(folder, "log"), "-o", options, "start"]);
  return {
    url: `postgres://isnad@127.0.0.1:${port}/postgres`,
    major: programs.major,
    stop() {
      run("pg_ctl", ["-D", cluster, "-m", "immediate", "-w", "stop"]);
      rmSync(folder, { recursive: true });
    },
  };
}
