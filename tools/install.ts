import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";

type Manifest = {
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

/** Lies in `node_modules` while packages are being installed: an install that was cut short is done again. */
const UNFINISHED = join("node_modules", ".installing");

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

/**
 * Installs what is missing, by the lockfile, and returns whether there was something to do. Where nothing is missing no
 * network is needed and nothing is run. Throws when the installation fails.
 */
export function ensureInstalled(root: string, { dev }: { dev: boolean }): boolean {
  const unfinished = join(root, UNFINISHED);
  // Whoever has the development packages keeps them.
  const withDev = dev || existsSync(join(root, "node_modules", "typescript"));
  if (!existsSync(unfinished) && missingPackages(root, { dev }).length === 0) return false;
  mkdirSync(join(root, "node_modules"), { recursive: true });
  writeFileSync(unfinished, "");
  const args = ["install", "--frozen-lockfile", ...(withDev ? [] : ["--production"])];
  const { status, error } = spawnSync(process.execPath, args, { cwd: root, stdio: ["ignore", 2, 2] });
  if (status !== 0) {
    throw new Error(`the packages could not be installed (bun ${args.join(" ")}); the first start needs a network`, {
      cause: error,
    });
  }
  rmSync(unfinished, { force: true });
  return true;
}

if (import.meta.main) {
  try {
    ensureInstalled(fileURLToPath(new URL("..", import.meta.url)), { dev: process.argv.includes("--dev") });
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 1;
  }
}
