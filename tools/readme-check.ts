/**
 * `bun run check readme`: every script has its row in docs/commands.md, every dependency its reason and licence in
 * docs/dependencies.md, and every file and script that a page names exists.
 */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const COMMANDS_PAGE = "docs/commands.md";
const DEPENDENCIES_PAGE = "docs/dependencies.md";
const README_MAX_LINES = 150;

/** The part of a package.json that the pages speak about. */
type Manifest = {
  name: string;
  scripts?: Record<string, string>;
  workspaces?: string[];
  dependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
};

/** A page of the repository: its path and its text. */
type Page = { path: string; text: string };

/**
 * Returns what `page` lacks or has too much: a table row `| \`name\` | … |` for each of `names`, every cell filled, and
 * no row for another name. `what` names the kind, `needs` what its cells hold.
 */
export function rowProblems(page: Page, names: ReadonlySet<string>, what: string, needs: readonly string[]): string[] {
  const rows = tableRows(page.text);
  const complete = new Set(
    rows.filter(({ cells }) => cells.length >= needs.length && cells.every(Boolean)).map(({ name }) => name),
  );
  const missing = [...names].filter((name) => !complete.has(name));
  const stale = rows.filter(({ name }) => !names.has(name));
  return [
    ...missing.map((name) => `${page.path}: ${what} ${name} has no row with ${needs.join(" and ")}`),
    ...stale.map(({ name }) => `${page.path}: ${name} is no ${what}`),
  ];
}

/** Returns the names in backticks in first cells of tables, each with the other cells of its row. */
function tableRows(text: string): { name: string; cells: string[] }[] {
  return text
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .flatMap((line) => {
      const [names = "", ...cells] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return Array.from(names.matchAll(/`([^`]+)`/g), ([, name = ""]) => ({ name, cells }));
    });
}

/**
 * Returns the links, paths and scripts that `page` names, drawings included, and that are not there. In the README of a
 * folder a bare name of a source file is one beside it.
 */
export function referenceProblems(
  page: Page,
  { exists, scripts }: { exists: (path: string) => boolean; scripts: ReadonlySet<string> },
): string[] {
  const prose = page.text.replace(/^```[\s\S]*?^```/gm, "");
  const links = Array.from(prose.matchAll(/\]\(([^)\s#]+)[^)\s]*\)/g), ([, link = ""]) => link)
    .filter((link) => !/^[a-z]+:/.test(link))
    .map((link) => normalize(join(dirname(page.path), link)));
  const paths = Array.from(prose.matchAll(/`([\w.@-]+\/[\w./@-]+\.[a-z]+)`/g), ([, path = ""]) => path).filter((path) =>
    exists(path.slice(0, path.indexOf("/"))),
  );
  const folder = dirname(page.path);
  const beside = Array.from(prose.matchAll(/`([\w-]+\.ts)`/g), ([, name = ""]) => join(folder, name)).filter(() =>
    page.path.endsWith("/README.md"),
  );
  const drawn = Array.from(page.text.matchAll(/^```mermaid\n([\s\S]*?)^```/gm), ([, drawing = ""]) => drawing)
    .flatMap((drawing) => Array.from(drawing.matchAll(/[\w-]+(?:\/[\w-]+)+(?:\.[a-z]+)?/g), ([path]) => path))
    .filter((path) => exists(path.slice(0, path.indexOf("/"))));
  const runs = Array.from(page.text.matchAll(/\bbun(?:@[\d.]+)? run ([a-z][\w:-]*)/g), ([, name = ""]) => name);
  return [
    ...[...links, ...paths, ...drawn, ...beside]
      .filter((path) => !exists(path))
      .map((path) => `${page.path}: ${path} does not exist`),
    ...runs.filter((name) => !scripts.has(name)).map((name) => `${page.path}: there is no script ${name}`),
  ];
}

/** Returns the problems of the pages of the repository at `root`. */
export function checkReadme(root: string): string[] {
  const pages = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "*.md"], { cwd: root })
    .toString()
    .split("\n")
    .filter((path) => path !== "" && existsSync(join(root, path)))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
  const page = (path: string): Page => pages.find((each) => each.path === path) ?? { path, text: "" };
  const manifests = readManifests(root);
  const scripts = new Set(manifests.flatMap((manifest) => Object.keys(manifest.scripts ?? {})));
  const packages = new Set(manifests.flatMap(externalDependencies));
  // What runs here keep in the data folder is no part of the repository, there or not.
  const exists = (path: string): boolean => !/^\.data(\/|$)/.test(path) && existsSync(join(root, path));
  const lines = page("README.md").text.split("\n").length - 1;
  return [
    ...(lines > 0 && lines <= README_MAX_LINES ? [] : [`README.md: ${lines} lines, not 1 to ${README_MAX_LINES}`]),
    ...rowProblems(page(COMMANDS_PAGE), scripts, "script", ["a line"]),
    ...rowProblems(page(DEPENDENCIES_PAGE), packages, "dependency", ["a reason", "a licence"]),
    ...pages.flatMap((each) => referenceProblems(each, { exists, scripts })),
  ];
}

function externalDependencies({ dependencies = {}, devDependencies = {} }: Manifest): string[] {
  return Object.entries({ ...dependencies, ...devDependencies })
    .filter(([, version]) => !version.startsWith("workspace:"))
    .map(([name]) => name);
}

/** Reads the root's package.json, those of its workspaces, and that of what checks the clients. */
function readManifests(root: string): Manifest[] {
  const read = (dir: string): Manifest => JSON.parse(readFileSync(join(root, dir, "package.json"), "utf8"));
  const main = read(".");
  return [main, ...(main.workspaces ?? []).map(read), read("tools/clients")];
}

if (import.meta.main) {
  const problems = checkReadme(fileURLToPath(new URL("..", import.meta.url).href));
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
