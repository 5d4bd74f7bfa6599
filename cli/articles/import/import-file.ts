import { createHash, randomUUID } from "node:crypto";
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import {
  ARTICLES,
  type BatchLimits,
  sendEntries as ingest,
  IngestError,
  type SendOptions as IngestOptions,
} from "@isnad/lib/ingest/client";
import { CommandError } from "@isnad/lib/service/cli";
import type { Mapping } from "./map-row.ts";
import { type Batch, type Entry, readBatches } from "./read-batches.ts";
import { addDerived, count, emptyTally, merge, type Outcome, type Tally } from "./report.ts";

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
