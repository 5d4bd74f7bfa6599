import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import {
  ARTICLES,
  type BatchLimits,
  sendEntries as ingest,
  IngestError,
  type SendOptions as IngestOptions,
  type Outcome as IngestOutcome,
} from "@isnad/lib/ingest/client";
import { CommandError } from "@isnad/lib/service/cli";
import type { Mapping } from "./map-row.ts";
import { type Batch, type Entry, readBatches } from "./read-batches.ts";

/** Says how batches are sent. */
export type SendOptions = Omit<IngestOptions, "keyPrefix"> & {
  /** Distinguishes this import: a batch sent twice within it gets its first answer again. */
  runId: string;
};

/**
 * Posts the entries and returns their outcomes in order. Throws CommandError when the API refuses them or stays out of
 * reach.
 */
export async function sendEntries(entries: readonly Entry[], { runId, ...options }: SendOptions): Promise<Outcome[]> {
  try {
    const outcomes = await ingest(entries, { ...options, keyPrefix: `import-${runId}` }, ARTICLES);
    return entries.flatMap(({ line }, i) => {
      const outcome = outcomes[i];
      return outcome === undefined ? [] : [{ line, ...outcome }];
    });
  } catch (error) {
    if (error instanceof IngestError) throw new CommandError(error.message);
    throw error;
  }
}

export type ImportOptions = {
  path: string;
  mapping: Mapping;
  derive: boolean;
  limits: BatchLimits;
  /** Requests in flight at once. */
  inFlight: number;
  state: StateFile;
  /** Begin at the first line even when an earlier import of this file was cut short. */
  restart: boolean;
  send: Omit<SendOptions, "runId">;
  onProgress?: (progress: ImportProgress) => void;
};

/**
 * After each batch: the lines done so far in this and any earlier part of the import, and the bytes of the file read.
 */
export type ImportProgress = { tally: Tally; bytesRead: number; outcomes: Outcome[] };

/** `resumedAt` is the line at which an earlier import had stopped, 0 for a fresh one. */
type ImportResult = { tally: Tally; resumedAt: number };

const SAVE_EVERY_MS = 1000;

/**
 * Imports one file: several batches in flight, none read ahead of them. The state file always says up to which line
 * every outcome is known, so that a killed import goes on there; sending a line twice does no harm. On an error or an
 * interruption the batches in flight are waited for, the state is saved, and the error is thrown.
 */
export async function importFile(options: ImportOptions): Promise<ImportResult> {
  const { state, send, onProgress } = options;
  const earlier = options.restart ? undefined : state.load();
  const { runId, line, tally } = earlier ?? { runId: randomUUID(), line: 0, tally: emptyTally() };
  const prefix = new Prefix(line, structuredClone(tally));
  const seen = structuredClone(tally);
  const batches = readBatches(options.path, { ...options, fromLine: line + 1 });
  let savedAt = performance.now();
  let stopped = false;

  const lane = async () => {
    while (!stopped) {
      const { value: batch, done } = await batches.next();
      if (done) return;
      const outcomes = await sendBatch(batch, { ...send, runId });
      prefix.complete(batch, tallyOf(batch, outcomes));
      merge(seen, tallyOf(batch, outcomes));
      onProgress?.({ tally: seen, bytesRead: batch.bytesRead, outcomes });
      if (performance.now() - savedAt < SAVE_EVERY_MS) continue;
      state.save({ runId, line: prefix.line, tally: prefix.tally });
      savedAt = performance.now();
    }
  };
  const guarded = () =>
    lane().catch((error: unknown) => {
      stopped = true;
      throw error;
    });
  const lanes = await Promise.allSettled(Array.from({ length: options.inFlight }, guarded));
  await batches.return(undefined);
  const failure = lanes.find((result) => result.status === "rejected");
  if (failure !== undefined) {
    if (prefix.line > 0) state.save({ runId, line: prefix.line, tally: prefix.tally });
    throw failure.reason;
  }
  state.remove();
  return { tally: prefix.tally, resumedAt: line };
}

async function sendBatch(batch: Batch, options: SendOptions): Promise<Outcome[]> {
  const rejected = batch.rejected.map((line): Outcome => ({ ...line, status: "failed" }));
  return [...(await sendEntries(batch.entries, options)), ...rejected].sort((a, b) => a.line - b.line);
}

function tallyOf(batch: Batch, outcomes: readonly Outcome[]): Tally {
  const tally = emptyTally();
  count(tally, outcomes);
  addDerived(tally, batch.derived);
  return tally;
}

/** The lines from the first on whose outcomes are all known, while batches complete in any order. */
class Prefix {
  line: number;
  readonly tally: Tally;
  #next = 0;
  readonly #waiting = new Map<number, { lastLine: number; tally: Tally }>();

  constructor(line: number, tally: Tally) {
    this.line = line;
    this.tally = tally;
  }

  complete(batch: Batch, tally: Tally): void {
    this.#waiting.set(batch.sequence, { lastLine: batch.lastLine, tally });
    for (let done = this.#waiting.get(this.#next); done !== undefined; done = this.#waiting.get(this.#next)) {
      merge(this.tally, done.tally);
      this.line = done.lastLine;
      this.#waiting.delete(this.#next++);
    }
  }
}

/** Says how far an import of one file has come: every line up to `line` has its outcome in `tally`. */
type ImportState = { runId: string; line: number; tally: Tally };

/** Says where the state of one import is kept while it is unfinished. */
type StateFile = {
  /**
   * Returns the state of an earlier, unfinished import of this very file to this very API; undefined when there is
   * none.
   */
  load(): ImportState | undefined;
  save(state: ImportState): void;
  /** Forgets the state: the import is complete. */
  remove(): void;
};

/**
 * Returns the state file under `dir` for importing `file` (as it is now: size and time of change count) into the API at
 * `api` with the mapping that `variant` stands for.
 */
export function openState(
  dir: string,
  { file, size, mtimeMs, api, variant }: { file: string; size: number; mtimeMs: number; api: string; variant: string },
): StateFile {
  const name = createHash("sha256")
    .update([resolve(file), size, mtimeMs, api, variant].join("\0"))
    .digest("hex");
  const path = join(dir, `${name.slice(0, 24)}.json`);
  return {
    load() {
      try {
        const state: unknown = JSON.parse(readFileSync(path, "utf8"));
        return isState(state) ? state : undefined;
      } catch {
        return undefined;
      }
    },
    save(state) {
      mkdirSync(dirname(path), { recursive: true });
      const draft = `${path}.${process.pid}`;
      writeFileSync(draft, JSON.stringify(state));
      renameSync(draft, path);
    },
    remove() {
      rmSync(path, { force: true });
    },
  };
}

function isState(value: unknown): value is ImportState {
  if (typeof value !== "object" || value === null) return false;
  const { runId, line, tally } = value as Record<string, unknown>;
  return typeof runId === "string" && Number.isInteger(line) && typeof tally === "object" && tally !== null;
}

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
type Tally = {
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
