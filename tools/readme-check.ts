import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** What of a package.json the README has to tell about. */
export type Manifest = {
  name: string;
  scripts?: Record<string, string>;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

/**
 * What the README lacks, as lines: a table row `| \`name\` | what it does |` for every script, and a row
 * `| \`name\` | reason | licence |` for every dependency that is not a workspace; and rows for what is no longer there.
 */
export function readmeProblems(readme: string, manifests: readonly Manifest[]): string[] {
  const rows = readme.split("\n").flatMap((line) => {
    const cells = line.startsWith("|")
      ? line
          .split("|")
          .slice(1, -1)
          .map((cell) => cell.trim())
      : [];
    return Array.from(cells[0]?.matchAll(/`([^`]+)`/g) ?? [], ([, name = ""]) => ({ name, cells: cells.slice(1) }));
  });
  const scripts = new Set(manifests.flatMap((manifest) => Object.keys(manifest.scripts ?? {})));
  const packages = new Set(manifests.flatMap(externalDependencies));
  const missing = (names: ReadonlySet<string>, cells: number, what: string) =>
    [...names]
      .filter((name) => !rows.some((row) => row.name === name && row.cells.length >= cells && row.cells.every(Boolean)))
      .map((name) => `${what} ${name} has no row with ${cells === 1 ? "a line" : "a reason and a licence"}`);
  const stale = rows
    .filter((row) => row.cells.length === 2 && !packages.has(row.name))
    .map((row) => `${row.name} is told of but is no dependency`);
  return [...missing(scripts, 1, "script"), ...missing(packages, 2, "dependency"), ...stale];
}

function externalDependencies({ dependencies = {}, devDependencies = {} }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !version.startsWith("workspace:"))
    .map(([name]) => name);
}

/** The root's package.json, those of its workspaces, and that of what checks the clients. */
function readManifests(root: string): Manifest[] {
  const read = (dir: string): Manifest => JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8"));
  const main = read(".");
  return [main, ...(main.workspaces ?? []).map(read), read("tools/clients")];
}

/** The problems of the README and CONTRIBUTING pages of the repository at `root`, read as one. */
export function checkReadme(root: string): string[] {
  const name = readdirSync(root).find((entry) => entry === "README.md");
  if (name === undefined) return ["README.md is missing"];
  const pages = [name, "CONTRIBUTING.md"].map((page) => readFileSync(join(root, page), "utf8"));
  return readmeProblems(pages.join("\n"), readManifests(root));
}

if (import.meta.main) {
  const problems = checkReadme(fileURLToPath(new URL("..", import.meta.url).href));
  for (const problem of problems) process.stderr.write(`README.md: ${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
