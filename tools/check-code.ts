import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { builtinModules } from "node:module";
import { dirname, join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { countClauses, importsOf, isTest, roomOf, type SourceFile } from "./sources.ts";
import { spawnSync } from "node:child_process";

/** Reads the sources that git tracks, or would, in the repository at `root`, without those that a program makes. */
function readSources(root: string): SourceFile[] {
  const { stdout } = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "*.ts", "*.tsx"], {
    cwd: root,
    encoding: "utf8",
  });
  const paths = stdout
    .split("\n")
    .filter((path) => path !== "" && !path.includes("/generated/") && existsSync(join(root, path)));
  return paths.map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** The services: each imports lib and itself; of the others only commands and tests of the whole stack import one. */
const SERVICES = ["api", "workers", "scraper", "nlp/retrieval", "nlp/linguistic", "edge"];

/** Returns the service that a file is of. */
const serviceOf = (path: string): string | undefined => SERVICES.find((service) => path.startsWith(`${service}/`));

/** Returns the path within the repository that an import leads to; undefined for packages. */
function target(path: string, name: string): string | undefined {
  if (name.startsWith(".")) return join(dirname(path), name);
  if (!name.startsWith("@isnad/lib/")) return undefined;
  return `${name.slice("@isnad/".length)}/mod.ts`;
}

/** Programs that are made of the services. */
const SERVICE_USERS = /^(cli|e2e)\//;

/** Names that say neither what is bounded nor in which unit (rules 5 and 8 of the style). */
const VAGUE_CONSTANT =
  /^(?:export )?const ((?:MOST|LONGEST|SHORTEST|FEWEST|SURE|KEPT|KNOWN|OWN|FOUND|MADE|ASKED)(?:_[A-Z0-9]+)*)\b/gm;

/** Holds what is left to mend, by rule and by room or file: a count that may only fall. */
type Ceilings = Record<Rule, Readonly<Record<string, number>>>;

/** The rules that older code breaks in places. */
type Rule = "imports of services" | "vague constants" | "comments that begin with a clause";

/** Counts how often each room or file breaks the rules that have ceilings. */
export function countBreaches(files: readonly SourceFile[]): Ceilings {
  const sources = files.filter(({ path }) => !isTest(path));
  return {
    "imports of services": countBy(sources, ({ path }) => path, importsOfServices),
    "vague constants": countBy(
      sources,
      ({ path }) => roomOf(path),
      ({ text }) => text.match(VAGUE_CONSTANT)?.length ?? 0,
    ),
    "comments that begin with a clause": countBy(
      sources,
      ({ path }) => roomOf(path),
      ({ text }) => countClauses(text),
    ),
  };
}

/** Returns where counts are above their ceilings, which are 0 where none is written down. */
export function ceilingProblems(counts: Ceilings, ceilings: Ceilings): string[] {
  return RULES.flatMap((rule) =>
    Object.entries(counts[rule]).flatMap(([place, count]) => {
      const ceiling = ceilings[rule][place] ?? 0;
      return count > ceiling ? [`${place}: ${rule}: ${count}, and no more than ${ceiling} are left to mend`] : [];
    }),
  );
}

const RULES = [
  "imports of services",
  "vague constants",
  "comments that begin with a clause",
] as const satisfies readonly Rule[];

function countBy(
  files: readonly SourceFile[],
  placeOf: (file: SourceFile) => string,
  countOf: (file: SourceFile) => number,
): Record<string, number> {
  const counts = new Map<string, number>();
  for (const file of files) counts.set(placeOf(file), (counts.get(placeOf(file)) ?? 0) + countOf(file));
  return Object.fromEntries([...counts].filter(([, count]) => count > 0).sort(([a], [b]) => (a < b ? -1 : 1)));
}

function importsOfServices({ path, text }: SourceFile): number {
  if (serviceOf(path) !== undefined || SERVICE_USERS.test(path)) return 0;
  return importsOf(text).filter((name) => serviceOf(target(path, name) ?? "") !== undefined).length;
}

/** Returns counts, none above what was written down. */
export function lowered(counts: Ceilings, ceilings: Ceilings): Ceilings {
  const lower = (rule: Rule) =>
    Object.fromEntries(
      Object.entries(counts[rule])
        .map(([place, count]) => [place, Math.min(count, ceilings[rule][place] ?? 0)] as const)
        .filter(([, count]) => count > 0),
    );
  return {
    "imports of services": lower("imports of services"),
    "vague constants": lower("vague constants"),
    "comments that begin with a clause": lower("comments that begin with a clause"),
  };
}

/** The rooms of `lib`, lowest first: a room imports from those above its own line, and never the other way round. */
const LAYERS: readonly (readonly string[])[] = [
  ["std"],
  ["text"],
  ["contract"],
  ["service"],
  ["web"],
  ["store", "models", "extraction"],
  ["projection"],
  ["arabic", "answers", "search", "work"],
  ["ingest", "stories", "claims", "mcp"],
];

/** Says where `Bun.*` may be used, beside tests. */
const BUN_ALLOWED = /(^|\/)main\.ts$|^(bench|eval|e2e|cli\/up|tools)\//;

/** Says where the environment may be read, beside tests: every main.ts begins with one of the two files of lib. */
const ENVIRONMENT_ALLOWED =
  /(^|\/)(main|commands|build-[\w-]+)\.ts$|^(bench|eval|e2e|cli\/(up|demo)|tools|lib\/service\/config)\/|^lib\/service\/(process\/run-main|cli\/command)\.ts$/;

/** Loads onnxruntime for everybody, with the telemetry of its maker off. */
const ONNXRUNTIME_LOADER = "lib/models/runtime/onnxruntime.ts";

const MAX_WIDTH = 120;

/** Returns what breaks a rule of the house, as `path: rule` lines; empty when all hold. */
export function codeProblems(files: readonly SourceFile[], declared: (path: string) => ReadonlySet<string>): string[] {
  const ofFiles = files.flatMap((file) =>
    [
      ...layerProblems(file),
      ...serviceProblems(file),
      ...packageProblems(file, declared(file.path)),
      ...sqlProblems(file),
      ...placeProblems(file),
      ...telemetryProblems(file),
      ...widthProblems(file),
    ].map((problem) => `${file.path}: ${problem}`),
  );
  return [...ofFiles, ...circleProblems(files)];
}

const TYPES_ONLY =
  /^(?:import|export)\s+(?:type\s[^"\n]*|\{\s*type\s+\w+(?:\s*,\s*type\s+\w+)*\s*,?\s*\}\s*)from\s+"[^"\n]+"/gm;

/** Finds files that import each other in a circle, be it for types: what is read with the other belongs together. */
function circleProblems(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  const imports = new Map(
    files.map(({ path, text }) => [
      path,
      importsOf(text)
        .map((name) => target(path, name))
        .filter((to) => to !== undefined && paths.has(to)),
    ]),
  );
  const problems: string[] = [];
  const done = new Set<string | undefined>();
  const visit = (path: string | undefined, way: readonly (string | undefined)[]): void => {
    const start = way.indexOf(path);
    if (start >= 0) problems.push(`circle of imports: ${[...way.slice(start), path].join(" -> ")}`);
    if (start >= 0 || done.has(path)) return;
    for (const to of imports.get(path ?? "") ?? []) visit(to, [...way, path]);
    done.add(path);
  };
  for (const path of paths) visit(path, []);
  return problems;
}

const libRoom = (path: string): string | undefined => /^lib\/([\w-]+)\//.exec(path)?.[1];

function layerProblems({ path, text }: SourceFile): string[] {
  const own = libRoom(path);
  if (own === undefined || isTest(path)) return [];
  const level = (room: string) => LAYERS.findIndex((rooms) => rooms.includes(room));
  if (level(own) < 0) return [`lib/${own} stands in no layer; give it one in tools/check-code.ts`];
  return importsOf(text).flatMap((name) => {
    const to = target(path, name);
    const room = to === undefined ? undefined : libRoom(to);
    if (to !== undefined && room === undefined && to !== "lib/package.json")
      return [`lib imports ${to}, which is outside lib`];
    if (room === undefined || room === own) return [];
    return level(room) < level(own) ? [] : [`lib/${own} imports lib/${room}, which is not below it`];
  });
}

function serviceProblems({ path, text }: SourceFile): string[] {
  const own = serviceOf(path);
  if (own === undefined || isTest(path)) return [];
  return importsOf(text).flatMap((name) => {
    const to = target(path, name);
    if (to === undefined || to.startsWith("lib/") || to.startsWith(`${own}/`)) return [];
    return [`a service imports lib and itself, and not ${to}`];
  });
}

function packageProblems({ text }: SourceFile, declared: ReadonlySet<string>): string[] {
  return importsOf(text).flatMap((name) => {
    if (name.startsWith(".") || name.startsWith("node:") || name.startsWith("bun:") || name === "bun") return [];
    if (builtinModules.includes(name)) return [`imports ${name}: write node:${name}`];
    const packageName = name
      .split("/")
      .slice(0, name.startsWith("@") ? 2 : 1)
      .join("/");
    return declared.has(packageName) ? [] : [`imports ${packageName}, which no package.json above it names`];
  });
}

function sqlProblems({ path, text }: SourceFile): string[] {
  if (isTest(path) || /^(lib\/(store|work)|bench|e2e)\//.test(path)) return [];
  return /\bsql(<[^`]*>)?`/.test(text) || importsOf(text).includes("postgres") ? ["SQL belongs to lib/store"] : [];
}

function placeProblems({ path, text }: SourceFile): string[] {
  if (isTest(path)) return [];
  const code = text.replace(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`/g, "");
  return [
    ...(/\bBun\.\w/.test(code) && !BUN_ALLOWED.test(path) ? ["Bun's own functions belong to main.ts and tests"] : []),
    ...(/\bprocess\.env\b/.test(code) && !ENVIRONMENT_ALLOWED.test(path)
      ? ["the environment is read by main.ts alone"]
      : []),
  ];
}

function telemetryProblems({ path, text }: SourceFile): string[] {
  const isLoaded = importsOf(text.replace(TYPES_ONLY, "")).includes("onnxruntime-node");
  return isLoaded && path !== ONNXRUNTIME_LOADER ? [`onnxruntime-node is loaded by ${ONNXRUNTIME_LOADER} alone`] : [];
}

function widthProblems({ text }: SourceFile): string[] {
  return text.split("\n").flatMap((line, i) => {
    const isComment = /^\s*(\/\/|\/?\*)/.test(line);
    return isComment && Array.from(line).length > MAX_WIDTH
      ? [`line ${i + 1}: a comment of more than ${MAX_WIDTH} columns`]
      : [];
  });
}

/** The packages that a file may import: those of every package.json from its folder up to the root. */
function declaredPackages(root: string): (path: string) => ReadonlySet<string> {
  const byFolder = new Map<string, ReadonlySet<string>>();
  const of = (folder: string): ReadonlySet<string> => {
    const cached = byFolder.get(folder);
    if (cached !== undefined) return cached;
    const file = join(root, folder, "package.json");
    const {
      dependencies = {},
      devDependencies = {},
    }: Record<string, Record<string, string>> = existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : {};
    const above = folder === "." ? [] : of(dirname(folder));
    const names = new Set([...above, ...Object.keys(dependencies), ...Object.keys(devDependencies)]);
    byFolder.set(folder, names);
    return names;
  };
  return (path) => of(dirname(path));
}

/** `bun tools/check-code.ts`: exit code 1 where a rule is broken; `--lower` writes down what was mended. */
if (import.meta.main) {
  const root = fileURLToPath(new URL("..", import.meta.url));
  const ceilingsFile = join(root, "tools/check-code-ceilings.json");
  const files = readSources(root);
  const ceilings: Ceilings = JSON.parse(readFileSync(ceilingsFile, "utf8"));
  const counts = countBreaches(files);
  if (process.argv.includes("--lower")) {
    writeFileSync(ceilingsFile, `${JSON.stringify(lowered(counts, ceilings), undefined, 2)}\n`);
  }
  const problems = [...codeProblems(files, declaredPackages(root)), ...ceilingProblems(counts, ceilings)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}
