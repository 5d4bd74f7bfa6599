import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";

type Manifest = {
  workspaces?: string[];
  patchedDependencies?: Record<string, string>;
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

/**
 * In `node_modules`: the fingerprint of what was installed; empty while it is being installed, so that what was cut
 * short is done again.
 */
const STAMP = join("node_modules", ".installed");

/**
 * The packages that a package.json of the repository names and that are not installed in that version. `dev` counts the
 * development dependencies too. Versions are exact, so that nothing has to be resolved.
 */
export function missingPackages(root: string, { dev }: { dev: boolean }): string[] {
  const { workspaces = [] } = readManifest(join(root, "package.json"));
  return [".", ...workspaces].flatMap((workspace) => {
    const { dependencies = {}, devDependencies = {} } = readManifest(join(root, workspace, "package.json"));
    const places = [join(root, workspace), root];
    return Object.entries(dev ? { ...devDependencies, ...dependencies } : dependencies)
      .filter(([name, version]) => !places.some((place) => isInstalled(place, name, version)))
      .map(([name]) => name);
  });
}

function isInstalled(place: string, name: string, version: string): boolean {
  const path = join(place, "node_modules", name, "package.json");
  if (!existsSync(path)) return false;
  const exact = /^\d/.test(version);
  return !exact || Reflect.get(readManifest(path), "version") === version;
}

function readManifest(path: string): Manifest {
  return JSON.parse(readFileSync(path, "utf8"));
}

/** Returns what an installation depends on: the lockfile and the patches. */
function fingerprint(root: string): string {
  const { patchedDependencies = {} } = readManifest(join(root, "package.json"));
  const hash = createHash("sha256");
  for (const path of ["bun.lock", ...Object.values(patchedDependencies)]) hash.update(readFileSync(join(root, path)));
  return hash.digest("hex");
}

/**
 * Installs what is missing, by the lockfile, and returns whether there was something to do. Where nothing is missing no
 * network is needed and nothing is run. Throws when the installation fails.
 */
export function ensureInstalled(root: string, { dev }: { dev: boolean }): boolean {
  const stamp = join(root, STAMP);
  const expected = fingerprint(root);
  const last = existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
  const upToDate = (last === undefined || last === expected) && missingPackages(root, { dev }).length === 0;
  if (upToDate && last === expected) return false;
  if (!upToDate) install(root, stamp, dev);
  try {
    writeFileSync(stamp, expected);
  } catch (error) {
    // In an image, or as another user than who installed: nothing is missing, and the next start looks again.
    if (!upToDate) throw error;
  }
  return !upToDate;
}

function install(root: string, stamp: string, dev: boolean): void {
  // Whoever has the development packages keeps them.
  const withDev = dev || existsSync(join(root, "node_modules", "typescript"));
  mkdirSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(stamp, "");
  const args = ["install", "--frozen-lockfile", ...(withDev ? [] : ["--production"])];
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status === 0) return;
  const message = `the packages could not be installed (bun ${args.join(" ")}); the first start needs a network`;
  throw new Error(message, { cause: error });
}

if (import.meta.main) {
  try {
    ensureInstalled(fileURLToPath(new URL("..", import.meta.url)), { dev: process.argv.includes("--dev") });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
