/**
 * `bun run check patterns`: no regular expression of the sources takes more than linear time, unless what it reads is
 * bounded, as `bounded.json` says. Verdicts are cached by the text of the pattern.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { dirname } from "node:path";
import { fileURLToPath, URL } from "node:url";
import BOUNDED from "./bounded.json" with { type: "json" };
import { findPatterns, type Pattern } from "./find.ts";
import { attackOn } from "./judge.ts";

/** A pattern that may take more than linear time, and why that is bounded. */
export type Bounded = { file: string; literal: string; bound: string };

/**
 * Returns what is wrong as `file:line: …`: patterns with an attack that no entry names, and entries whose pattern is
 * gone. An entry may stand for one that the analysis does not accuse on every machine.
 */
export function patternProblems(
  patterns: readonly Pattern[],
  attacks: ReadonlyMap<string, string | null>,
  bounded: readonly Bounded[],
): string[] {
  const isEntry =
    ({ file, literal }: Pattern) =>
    (entry: Bounded) =>
      entry.file === file && entry.literal === literal;
  const open = patterns.filter((pattern) => attacks.get(pattern.literal) && !bounded.some(isEntry(pattern)));
  const stale = bounded.filter((entry) => !patterns.some((pattern) => isEntry(pattern)(entry)));
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

/** An attack by pattern, null for none. */
type Cache = Record<string, string | null>;

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
  const cache: Cache = existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : {};
  const patterns = await findPatterns(root);
  const attacks = await judgeAll(new Set(patterns.map(({ literal }) => literal)), cache);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(Object.fromEntries(attacks)));
  const problems = patternProblems(patterns, attacks, BOUNDED);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.exit(problems.length === 0 ? 0 : 1);
}
