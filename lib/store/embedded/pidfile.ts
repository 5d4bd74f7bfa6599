import { readFileSync, readlinkSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { codeOf } from "../errors.ts";

/** What a running server says of itself in `postmaster.pid`. */
export type Postmaster = { pid: number; port: number; status: "starting" | "ready" | "stopping" };

/** Reads `postmaster.pid` of the cluster; undefined when there is none or its process is gone. */
export async function runningPostmaster(cluster: string): Promise<Postmaster | undefined> {
  let lines: string[];
  try {
    lines = (await readFile(join(cluster, "postmaster.pid"), "utf8")).split("\n");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 1 || !isPostgres(pid, cluster)) return undefined;
  const word = lines[7]?.trim();
  return { pid, port: Number(lines[3] ?? 0), status: word === "ready" || word === "stopping" ? word : "starting" };
}

/** Whether a process of this id is there; one that belongs to another account counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) === "EPERM";
  }
  return !isZombie(pid);
}

/** A process id is used again after a while: on Linux, look whether it is a Postgres of this cluster that lives. */
function isPostgres(pid: number, cluster: string): boolean {
  if (!isAlive(pid)) return false;
  if (process.platform !== "linux") return true;
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes("postgres") && worksIn(pid, cluster) !== false;
  } catch {
    return false;
  }
}

/** Whether a process works in a folder, as a Postgres does in its cluster; undefined where that may not be seen. */
function worksIn(pid: number, folder: string): boolean | undefined {
  let at: string;
  try {
    at = readlinkSync(`/proc/${pid}/cwd`);
  } catch (error) {
    if (codeOf(error) === "EACCES") return undefined;
    throw error;
  }
  return at === realpathSync(folder);
}

/** A server whose starter lives and has not yet been told of its end still has an entry in the process table. */
function isZombie(pid: number): boolean {
  if (process.platform !== "linux") return false;
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}
