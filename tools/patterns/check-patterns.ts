/**
 * `bun run check patterns`: no regular expression of the sources takes more than linear time, unless what it reads is
 * bounded, as `bounded.json` says: literals, and those that modules build while they load. One that is built later is
 * named in `built-later.json`, with what bounds it. Verdicts are cached by the text of the pattern; `verdicts.json` has
 * those that were safe, by a hash of it and of the analyser. A part of them, another one each day, is analysed again.
 * `--write` writes the file, `--all` believes nothing and analyses every pattern.
 */

import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname, relative } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { check } from "recheck";
import RECHECK from "recheck/package.json" with { type: "json" };
import {
  isCallExpression,
  isIdentifier,
  isNewExpression,
  isRegularExpressionLiteral,
} from "typescript/unstable/ast/is";
import { API } from "typescript/unstable/async";
import BOUNDED from "./bounded.json" with { type: "json" };
import { type Build, type BuildSite, recordBuilds } from "./builds.ts";
import BUILT_LATER from "./built-later.json" with { type: "json" };
import VERDICTS from "./verdicts.json" with { type: "json" };

/** A regular expression of the sources as a literal. */
type Pattern = { file: string; line: number; literal: string };

/** Tests, and what reads only what this project ships itself. */
const EXEMPT =
  /\.test\.ts$|(?:^|\/)testing|^(?:bench|eval|e2e|tools|nlp\/lexicon|nlp\/training|lib\/arabic\/training)\//;

/**
 * Returns the literals of all sources of the project at `root` that read what comes from outside, and where they build
 * patterns of parts.
 */
async function findPatterns(root: string): Promise<{ patterns: Pattern[]; sites: BuildSite[] }> {
  const api = new API({ cwd: root });
  try {
    const snapshot = await api.updateSnapshot({ openProjects: [`${root}tsconfig.json`] });
    const patterns: Pattern[] = [];
    const sites: BuildSite[] = [];
    for (const { program } of snapshot.getProjects()) {
      for (const name of await program.getSourceFileNames()) {
        const file = relative(root, name);
        if (name.includes("/node_modules/") || file.startsWith("..") || EXEMPT.test(file)) continue;
        const source = await program.getSourceFile(name);
        if (source === undefined) continue;
        patterns.push(...literalsOf(source, file));
        sites.push(...sitesOf(source, file));
      }
    }
    return { patterns, sites };
  } finally {
    await api.close();
  }
}

type Source = Exclude<Awaited<ReturnType<Program["getSourceFile"]>>, undefined>;
type Program =
  Awaited<ReturnType<API["updateSnapshot"]>> extends { getProjects(): readonly (infer P)[] }
    ? P extends { program: infer T }
      ? T
      : never
    : never;
type Node = Parameters<Parameters<Source["forEachChild"]>[0]>[0];

function literalsOf(source: Source, file: string): Pattern[] {
  return nodesOf(source).flatMap((node) =>
    isRegularExpressionLiteral(node) ? [{ file, line: lineAt(source, node.end), literal: node.text }] : [],
  );
}

function sitesOf(source: Source, file: string): BuildSite[] {
  return nodesOf(source).flatMap((node) => {
    if (!(isNewExpression(node) || isCallExpression(node))) return [];
    if (!isIdentifier(node.expression) || node.expression.text !== "RegExp") return [];
    const expression = source.text.slice(node.pos, node.end).trim();
    return [
      { file, line: lineAt(source, node.end - expression.length), lastLine: lineAt(source, node.end), expression },
    ];
  });
}

function nodesOf(source: Source): Node[] {
  const nodes: Node[] = [];
  const visit = (node: Node): void => {
    nodes.push(node);
    node.forEachChild(visit);
  };
  source.forEachChild(visit);
  return nodes;
}

function lineAt(source: Source, place: number): number {
  return source.text.slice(0, place).split("\n").length;
}

/** Processor time in milliseconds after which a text of {@link MAX_UNITS} units counts as one that takes its square. */
const SLOW_MS = 100;
const MAX_UNITS = 20_000;

/**
 * Says how long the analysis of one pattern may take, in milliseconds: by the clock, so that it has room on a busy
 * machine.
 */
const TIMEOUT_MS = 4_000;

/** Processor time in milliseconds that texts for one pattern are measured for at most. */
const MEASURE_MS = 1_000;

/** Holds what a repeated part of a text may be, beside what the pattern itself has. */
const PIECES = [
  " ",
  "\t",
  "\n",
  "a",
  "A",
  "0",
  ".",
  "/",
  "<",
  '"',
  "(",
  "\\",
  "-",
  "ا",
  "\u064b",
  "؟",
  "😀",
  "a ",
  "a.",
  '"\\',
];

/**
 * Returns a text that the pattern takes more than linear time for, in the words of the analyser; undefined where it
 * finds none. The analysis is recheck's (Davis et al. 2018 call the kind a super-linear regex); of what takes it too
 * long, texts made of the pattern's own parts are measured instead.
 */
export async function attackOn(literal: string): Promise<string | undefined> {
  if (!repeats(literal)) return undefined;
  const end = literal.lastIndexOf("/");
  const [source, flags] = [literal.slice(1, end), literal.slice(end + 1)];
  const verdict = await check(source, flags, { timeout: TIMEOUT_MS });
  const pattern = new RegExp(source, flags.replace(/[gy]/g, ""));
  if (verdict.status === "vulnerable" && isSlow(pattern, verdict.attack.string)) return verdict.attack.pattern;
  return verdict.status === "safe" ? undefined : measured(pattern);
}

/** Tells whether a pattern repeats anything without a bound, or with a large one. */
function repeats(literal: string): boolean {
  const bare = literal.replace(/\\[pPkux]\{[^}]*\}|\\./g, "a").replace(/\[[^\]]*\]/g, "a");
  return /[*+]|\{\d+,\}|\{(?:\d*,)?\d\d+\}/.test(bare);
}

/** Tells whether the engine that runs the platform takes too long for a text. */
function isSlow(pattern: RegExp, text: string): boolean {
  const start = process.cpuUsage();
  pattern.test(text);
  return process.cpuUsage(start).user > SLOW_MS * 1000;
}

/** The first of some texts that takes too long. */
function measured(pattern: RegExp): string | undefined {
  const parts = pattern.source.replace(/\\./g, " ").match(/[\p{L}\p{N} ]+|[^\p{L}\p{N} ]/gu) ?? [];
  const start = process.cpuUsage();
  for (const piece of new Set([...PIECES, ...parts])) {
    if (process.cpuUsage(start).user > MEASURE_MS * 1000) break;
    for (const before of ["", ...parts.slice(0, 8)]) {
      for (const length of [100, 2_000, MAX_UNITS]) {
        const text = `${before}${piece.repeat(Math.ceil(length / piece.length))}\u0000`;
        if (isSlow(pattern, text)) return `${JSON.stringify(before)} + ${JSON.stringify(piece)}.repeat(${length})`;
      }
    }
  }
  return undefined;
}

/** A pattern that may take more than linear time, and why that is bounded. */
type Bounded = { file: string; literal: string; bound: string };

const isEntry =
  (entry: Bounded) =>
  ({ file, literal }: Pattern) =>
    entry.file === file && entry.literal === literal;

/** Returns the patterns that no entry names: what the others take needs no analysis. */
export function unboundedOf(patterns: readonly Pattern[], bounded: readonly Bounded[]): Pattern[] {
  return patterns.filter((pattern) => !bounded.some((entry) => isEntry(entry)(pattern)));
}

/**
 * Returns what is wrong as `file:line: …`: patterns with an attack that no entry names, and entries whose pattern is
 * gone. An entry may stand for one that the analysis does not accuse on every machine.
 */
export function patternProblems(
  patterns: readonly Pattern[],
  attacks: ReadonlyMap<string, string | null>,
  bounded: readonly Bounded[],
): string[] {
  const open = unboundedOf(patterns, bounded).filter(({ literal }) => attacks.get(literal));
  const stale = bounded.filter((entry) => !patterns.some(isEntry(entry)));
  return [
    ...open.map(
      ({ file, line, literal }) =>
        `${file}:${line}: ${literal} takes more than linear time, as for ${attacks.get(literal)}: ` +
        "write it otherwise, or bound what it reads and say so in tools/patterns/bounded.json",
    ),
    ...stale.map(
      ({ file, literal }) => `tools/patterns/bounded.json: ${file} has no such pattern any more: ${literal}`,
    ),
  ];
}

/** A pattern that is built while the program runs, and what bounds it or what it reads. */
type BuiltLater = { file: string; expression: string; bound: string };

/** Returns what is wrong: sites that built nothing while their module loaded and that no entry names; stale entries. */
export function siteProblems(
  sites: readonly BuildSite[],
  builds: readonly Build[],
  later: readonly BuiltLater[],
): string[] {
  const isBuilt = (site: BuildSite) =>
    builds.some(({ file, line }) => file === site.file && line >= site.line && line <= site.lastLine);
  const isOf = (site: BuildSite) => (entry: BuiltLater) =>
    entry.file === site.file && entry.expression === site.expression;
  return [
    ...sites
      .filter((site) => !isBuilt(site) && !later.some(isOf(site)))
      .map(
        ({ file, line, expression }) =>
          `${file}:${line}: ${expression} is built while the program runs, so that nobody has analysed it: ` +
          "build it when the module loads, or say in tools/patterns/built-later.json what bounds it",
      ),
    ...later
      .filter((entry) => !sites.some((site) => isOf(site)(entry) && !isBuilt(site)))
      .map(
        ({ file, expression }) =>
          `tools/patterns/built-later.json: ${file} builds no such pattern later: ${expression}`,
      ),
  ];
}

/** An attack by pattern, null for none. */
type Cache = Record<string, string | null>;

/** Changes when {@link attackOn} judges otherwise, so that every pattern is analysed again. */
const RULES = 1;

/** Days after which each of the verdicts in the file has been analysed again. */
const RENEWAL_DAYS = 20;
const DAY_MS = 86_400_000;

/** Returns the key of a pattern in the file of verdicts: it names no pattern under another analyser or other rules. */
export function verdictKey(literal: string): string {
  return createHash("sha256").update(`recheck ${RECHECK.version} ${RULES} ${literal}`).digest("hex").slice(0, 24);
}

/** Tells whether a verdict of the file is believed on a day: on one of {@link RENEWAL_DAYS} it is not. */
export function isBelieved(key: string, now: number): boolean {
  return Number.parseInt(key.slice(0, 8), 16) % RENEWAL_DAYS !== Math.floor(now / DAY_MS) % RENEWAL_DAYS;
}

/** Returns the verdicts of the file that are believed now, for these patterns. */
function writtenVerdicts(literals: ReadonlySet<string>, now: number): Cache {
  const safe = new Set(VERDICTS.safe);
  const believed = [...literals].filter((literal) => {
    const key = verdictKey(literal);
    return safe.has(key) && isBelieved(key, now);
  });
  return Object.fromEntries(believed.map((literal) => [literal, null]));
}

/** Returns the file of verdicts: safe patterns that repeat something, by their keys. */
function verdictsFile(attacks: ReadonlyMap<string, string | null>): string {
  const safe = [...attacks].flatMap(([literal, attack]) => (attack === null && repeats(literal) ? [literal] : []));
  return `${JSON.stringify({ safe: safe.map(verdictKey).sort() }, null, 2)}\n`;
}

async function judgeAll(literals: ReadonlySet<string>, cache: Cache): Promise<Map<string, string | null>> {
  const attacks = new Map<string, string | null>();
  const waiting = [...literals];
  const judge = async (): Promise<void> => {
    for (let literal = waiting.pop(); literal !== undefined; literal = waiting.pop()) {
      attacks.set(literal, literal in cache ? (cache[literal] ?? null) : ((await attackOn(literal)) ?? null));
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, judge));
  return attacks;
}

if (import.meta.main) {
  const root = fileURLToPath(new URL("../..", import.meta.url));
  const path = `${root}node_modules/.cache/isnad/patterns.json`;
  const isAnew = process.argv.includes("--all");
  const cached: Cache = !isAnew && existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const found = await findPatterns(root);
  const { builds, problems: unloaded } = recordBuilds(root, [...new Set(found.sites.map(({ file }) => file))]);
  const patterns = [...found.patterns, ...builds];
  const literals = new Set(unboundedOf(patterns, BOUNDED).map(({ literal }) => literal));
  const written = isAnew ? {} : writtenVerdicts(literals, Date.now());
  const attacks = await judgeAll(literals, { ...written, ...cached });
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(Object.fromEntries(attacks)));
  if (process.argv.includes("--write")) {
    writeFileSync(fileURLToPath(new URL("./verdicts.json", import.meta.url)), verdictsFile(attacks));
  }
  const problems = [
    ...unloaded,
    ...patternProblems(patterns, attacks, BOUNDED),
    ...siteProblems(found.sites, builds, BUILT_LATER),
  ];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exit(problems.length === 0 ? 0 : 1);
}
