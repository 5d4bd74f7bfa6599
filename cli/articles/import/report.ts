import { basename } from "node:path";
import type { Outcome as IngestOutcome } from "@isnad/lib/ingest/client";

/** Holds what an import of one file came to; `resumedAt` is the line at which an earlier one had stopped. */
export type FileReport = { file: string; resumedAt: number; seconds: number; tally: Tally };

const number = new Intl.NumberFormat("en-US");

/** Returns the summary of an import as lines for people. */
export function reportText(reports: readonly FileReport[]): string {
  return reports.map(fileText).join("\n");
}

function fileText({ file, resumedAt, seconds, tally }: FileReport): string {
  const { received, accepted, duplicate, conflict, failed } = tally;
  const lines = [
    `${basename(file)}: ${number.format(received)} articles in ${seconds.toFixed(1)} s`,
    ...(resumedAt > 0 ? [`  (${number.format(resumedAt)} lines had been sent by an earlier, unfinished import)`] : []),
    ...counted({ accepted, duplicate, conflict, failed }),
  ];
  const problems = Object.entries(tally.problems).sort(([, a], [, b]) => b.count - a.count);
  for (const [type, { count, examples }] of problems) {
    lines.push(`  ${type}: ${number.format(count)}, for instance`);
    for (const { line, externalId, detail } of examples)
      lines.push(`    line ${line} (${externalId || "no id"}): ${detail}`);
  }
  const derived = Object.entries(tally.derived).filter(([, count]) => count > 0);
  if (derived.length > 0) lines.push("  filled in or left out", ...counted(Object.fromEntries(derived), DERIVED));
  return `${lines.join("\n")}\n`;
}

/** Holds what was derived, in words. */
const DERIVED: Record<string, string> = {
  url: "no URL: one made from source and id",
  title: "no title: the first sentence of the text",
  lead: "text too short alone: its lead put before it",
  "date-unreadable": "date unreadable: sent without, kept in raw",
  cut: "larger than a request may be: content cut",
};

function counted(counts: Record<string, number>, words: Record<string, string> = {}): string[] {
  return Object.entries(counts).map(([name, count]) => `  ${number.format(count).padStart(8)}  ${words[name] ?? name}`);
}

/** Returns the summary of an import as one JSON value. */
export function reportJson(reports: readonly FileReport[]): object {
  return {
    files: reports.map(({ file, resumedAt, seconds, tally }) => ({
      file,
      resumed_at: resumedAt,
      seconds: Number(seconds.toFixed(3)),
      ...tally,
    })),
  };
}

/** Holds what became of one line. */
export type Outcome = IngestOutcome & { line: number };

/** Statuses counted, and for what went wrong the first few examples by error type. */
export type Tally = {
  received: number;
  accepted: number;
  duplicate: number;
  conflict: number;
  failed: number;
  problems: Record<string, { count: number; examples: { line: number; externalId: string; detail: string }[] }>;
  /** Says how often something was filled in or cut, by what it was. */
  derived: Record<string, number>;
};

const MAX_EXAMPLES = 3;

/** Nothing counted yet. */
export function emptyTally(): Tally {
  return { received: 0, accepted: 0, duplicate: 0, conflict: 0, failed: 0, problems: {}, derived: {} };
}

/** Counts outcomes into `tally`. */
export function count(tally: Tally, outcomes: readonly Outcome[]): void {
  for (const { line, externalId, status, error } of outcomes) {
    tally.received++;
    tally[status]++;
    if (status === "accepted" || status === "duplicate") continue;
    const type = error?.type ?? `/errors/${status}`;
    const problem = problemOf(tally, type);
    problem.count++;
    if (problem.examples.length < MAX_EXAMPLES) {
      problem.examples.push({ line, externalId, detail: error?.detail ?? "" });
    }
  }
}

/** Adds the counts of one tally to another. */
export function merge(into: Tally, from: Tally): void {
  for (const key of ["received", "accepted", "duplicate", "conflict", "failed"] as const) into[key] += from[key];
  for (const [type, { count: more, examples }] of Object.entries(from.problems)) {
    const problem = problemOf(into, type);
    problem.count += more;
    problem.examples.push(...examples.slice(0, MAX_EXAMPLES - problem.examples.length));
  }
  addDerived(into, from.derived);
}

/** Adds counts of what was filled in. */
export function addDerived(into: Tally, derived: Record<string, number | undefined>): void {
  for (const [name, more] of Object.entries(derived)) into.derived[name] = (into.derived[name] ?? 0) + (more ?? 0);
}

function problemOf(tally: Tally, type: string): Tally["problems"][string] {
  const problem = tally.problems[type] ?? { count: 0, examples: [] };
  tally.problems[type] = problem;
  return problem;
}

const SIZE = 16;

/** A few of the articles that were accepted, spread over the import, the first and the last among them. */
export class Sample {
  readonly #kept: number[] = [];
  #every = 1;
  #count = 0;
  #last: number | undefined;

  /** Takes the accepted ones of these outcomes into account. */
  add(outcomes: readonly Outcome[]): void {
    for (const { status, articleId } of outcomes) {
      if (status !== "accepted" || articleId === undefined) continue;
      this.#last = Math.max(this.#last ?? articleId, articleId);
      if (this.#count++ % this.#every !== 0) continue;
      this.#kept.push(articleId);
      if (this.#kept.length < SIZE) continue;
      this.#every *= 2;
      const spread = this.#kept.filter((_, i) => i % 2 === 0);
      this.#kept.splice(0, this.#kept.length, ...spread);
    }
  }

  /** Returns their ids, without repetition. */
  ids(): number[] {
    return [...new Set([...this.#kept, ...(this.#last === undefined ? [] : [this.#last])])];
  }
}
