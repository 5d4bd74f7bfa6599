import type { Outcome as IngestOutcome } from "@isnad/lib/ingest/client";

/** What became of one line. */
export type Outcome = IngestOutcome & { line: number };

/** Statuses counted, and for what went wrong the first few examples by error type. */
export type Tally = {
  received: number;
  accepted: number;
  duplicate: number;
  conflict: number;
  failed: number;
  problems: Record<string, { count: number; examples: { line: number; externalId: string; detail: string }[] }>;
  /** How often something was filled in or cut, by what it was. */
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
