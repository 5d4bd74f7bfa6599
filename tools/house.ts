/**
 * `bun run house [--root FOLDER] [--reach FILE]…`: measures the shape of the sources: how many files and lines, how far
 * exports travel, how many lines of test stand beside each room, and how many files one has to open from an entry.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { parseArgs } from "node:util";
import { countClauses, docComments, importsOf, isTest, roomOf, type SourceFile } from "./sources.ts";

/** Tells whether a file is made by a program: nobody reads or writes it. */
const isGenerated = (path: string): boolean => /(^|\/)generated\//.test(path);

/** Holds what `house` says of a tree. */
type House = {
  files: number;
  lines: number;
  median: number;
  p90: number;
  exports: number;
  exportsWithOneUser: number;
  docComments: number;
  clauseComments: number;
  rooms: { room: string; files: number; lines: number; testLines: number }[];
};

const linesOf = (text: string): number => text.split("\n").length - (text.endsWith("\n") ? 1 : 0);

const EXPORT = /^export\s+(?:async\s+)?(?:const|let|function\*?|class|type|interface|enum)\s+(\w+)/gm;
const NAMED = /^(import|export)\s+(?:type\s+)?(?:\w+\s*,\s*)?\{([^}]*)\}\s*from\s+"([^"\n]+)"/gm;

/** Returns where an import leads, as a path of the tree; undefined for a package. */
function resolver(files: ReadonlyMap<string, string>, exportsOfLib: Readonly<Record<string, string>>) {
  return (path: string, name: string): string | undefined => {
    const target = name.startsWith("@isnad/lib/")
      ? join("lib", exportsOfLib[`.${name.slice("@isnad/lib".length)}`] ?? "")
      : name.startsWith(".")
        ? join(dirname(path), name)
        : undefined;
    return target !== undefined && files.has(target) ? target : undefined;
  };
}

/** Measures the sources, what programs generate aside; `exportsOfLib` is the `exports` of lib's package.json. */
export function measureHouse(files: readonly SourceFile[], exportsOfLib: Readonly<Record<string, string>>): House {
  const sources = files.filter(({ path }) => !isGenerated(path));
  const all = new Map(sources.map(({ path, text }) => [path, text]));
  const code = sources.filter(({ path }) => !isTest(path));
  const sizes = code.map(({ text }) => linesOf(text)).sort((a, b) => a - b);
  const users = exportUsers(code, resolver(all, exportsOfLib));
  const comments = code.flatMap(({ text }) => docComments(text));
  const rooms = Map.groupBy(sources, ({ path }) => roomOf(path));
  return {
    files: code.length,
    lines: sizes.reduce((sum, size) => sum + size, 0),
    median: sizes[Math.floor(sizes.length / 2)] ?? 0,
    p90: sizes[Math.floor(sizes.length * 0.9)] ?? 0,
    exports: users.size,
    exportsWithOneUser: [...users.values()].filter(({ size }) => size === 1).length,
    docComments: comments.length,
    clauseComments: code.reduce((sum, { text }) => sum + countClauses(text), 0),
    rooms: [...rooms]
      .map(([room, files]) => ({
        room,
        files: files.filter(({ path }) => !isTest(path)).length,
        lines: sum(files.filter(({ path }) => !isTest(path))),
        testLines: sum(files.filter(({ path }) => isTest(path))),
      }))
      .filter(({ files }) => files > 0)
      .sort((a, b) => b.lines - a.lines),
  };
}

const sum = (files: readonly SourceFile[]): number => files.reduce((lines, { text }) => lines + linesOf(text), 0);

/** Returns, for each exported name (`path#name`), the other files that import it, also by way of a re-export. */
function exportUsers(
  files: readonly SourceFile[],
  resolve: (path: string, name: string) => string | undefined,
): Map<string, Set<string>> {
  const users = new Map<string, Set<string>>();
  for (const { path, text } of files)
    for (const [, name = ""] of text.matchAll(EXPORT)) users.set(`${path}#${name}`, new Set());
  const forwards = new Map<string, string>();
  const imports: { user: string; key: string }[] = [];
  for (const { path, text } of files)
    for (const [, verb, list = "", from = ""] of text.matchAll(NAMED)) {
      const target = resolve(path, from);
      if (target === undefined) continue;
      for (const item of list.split(",")) {
        const [name = "", as = name] = item
          .trim()
          .replace(/^type\s+/, "")
          .split(/\s+as\s+/);
        if (name === "") continue;
        if (verb === "export") forwards.set(`${path}#${as}`, `${target}#${name}`);
        else imports.push({ user: path, key: `${target}#${name}` });
      }
    }
  for (const { user, key } of imports) {
    let origin = key;
    for (let hops = 0; forwards.has(origin) && hops < 8; hops++) origin = forwards.get(origin) ?? origin;
    users.get(origin)?.add(user);
  }
  return users;
}

/** Returns how many files are reached from `entry` through imports within the tree, itself included. */
export function reach(
  entry: string,
  sources: readonly SourceFile[],
  exportsOfLib: Readonly<Record<string, string>>,
): number {
  const all = new Map(sources.map(({ path, text }) => [path, text]));
  const resolve = resolver(all, exportsOfLib);
  const reached = new Set<string>();
  const waiting = [entry];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (reached.has(path)) continue;
    reached.add(path);
    for (const name of importsOf(all.get(path) ?? "")) {
      const target = resolve(path, name);
      if (target !== undefined) waiting.push(target);
    }
  }
  return reached.size;
}

function readTree(root: string): SourceFile[] {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
    cwd: root,
    encoding: "utf8",
  });
  const paths = stdout.split("\n").filter((path) => path !== "" && existsSync(join(root, path)));
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

const share = (part: number, whole: number): string => `${((100 * part) / Math.max(1, whole)).toFixed(1)} %`;

function main(): void {
  const { values } = parseArgs({ options: { root: { type: "string" }, reach: { type: "string", multiple: true } } });
  const root = values.root ?? fileURLToPath(new URL("..", import.meta.url));
  const sources = readTree(root);
  const { exports: exportsOfLib }: { exports: Record<string, string> } = JSON.parse(
    readFileSync(join(root, "lib/package.json"), "utf8"),
  );
  const house = measureHouse(sources, exportsOfLib);
  const out = [
    `source files ${house.files}, lines ${house.lines}, median ${house.median}, p90 ${house.p90}`,
    `exports ${house.exports}, used by one other file ${share(house.exportsWithOneUser, house.exports)}`,
    `doc comments ${house.docComments}, that begin with a clause ${share(house.clauseComments, house.docComments)}`,
    ...(values.reach ?? []).map((entry) => `files reached from ${entry}: ${reach(entry, sources, exportsOfLib)}`),
    "",
    "room                    files  lines  test : source",
    ...house.rooms.map(({ room, files, lines, testLines }) =>
      [
        room.padEnd(22),
        String(files).padStart(6),
        String(lines).padStart(6),
        (testLines / lines).toFixed(2).padStart(6),
      ].join(" "),
    ),
  ];
  process.stdout.write(`${out.join("\n")}\n`);
}

if (import.meta.main) main();
