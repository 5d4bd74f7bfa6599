import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A source file of the repository. */
export type SourceFile = { path: string; text: string };

/** Tells whether a file is of the tests. */
export const isTest = (path: string): boolean => /\.test\.tsx?$|(^|\/)testing([\w-]*\.tsx?$|\/)/.test(path);

/** Tells whether a file is made by a program: nobody reads or writes it. */
export const isGenerated = (path: string): boolean => /(^|\/)generated\//.test(path);

const IMPORT = /^(?:import|export)\s(?:[\w\s{},*]*?\sfrom\s)?"([^"\n]+)"|\bimport\(\s*"([^"\n]+)"\s*\)/gm;

/** The module names that a file imports, statically or not. */
export function importsOf(text: string): string[] {
  return Array.from(text.matchAll(IMPORT), ([, name = "", lazy = ""]) => name || lazy);
}

/** Returns the path within the repository that an import leads to; undefined for packages. */
export function target(path: string, name: string): string | undefined {
  if (name.startsWith(".")) return join(dirname(path), name);
  if (!name.startsWith("@isnad/lib/")) return undefined;
  return `${name.slice("@isnad/".length)}/mod.ts`;
}

/** The services: each imports lib and itself; of the others only commands and tests of the whole stack import one. */
const SERVICES = ["api", "workers", "scraper", "nlp/retrieval", "nlp/linguistic", "edge"];

/** Returns the service that a file is of. */
export const serviceOf = (path: string): string | undefined =>
  SERVICES.find((service) => path.startsWith(`${service}/`));

/** Returns the room of a file: one of lib, a service, or a folder at the top. */
export function roomOf(path: string): string {
  const parts = path.split("/");
  return parts.slice(0, Math.min(parts.length - 1, parts[0] === "lib" || parts[0] === "nlp" ? 2 : 1)).join("/") || ".";
}

const CLAUSE = /^(What|Whether|How|Which|Where|When|Who|Whose|That)\b/;

/** Counts the doc comments of a source that begin with a clause in place of a verb. */
export function countClauses(text: string): number {
  return docComments(text).filter((first) => CLAUSE.test(first)).length;
}

/** Returns the first words of each doc comment of a source. */
export function docComments(text: string): string[] {
  return Array.from(text.matchAll(/\/\*\*\s*\n?\s*\*?\s*([^\n*]*)/g), ([, first = ""]) => first.trim());
}

/** Reads the sources that git tracks, or would, in the repository at `root`, without those that a program makes. */
export function readSources(root: string): SourceFile[] {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
    cwd: root,
    encoding: "utf8",
  });
  const paths = stdout
    .split("\n")
    .filter((path) => path !== "" && !path.includes("/generated/") && existsSync(join(root, path)));
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}
