import { randomUUID } from "node:crypto";
import type { BatchLimits } from "@isnad/lib/ingest/client";
import { type Batch, readBatches } from "./batches.ts";
import type { Mapping } from "./mapping.ts";
import { addDerived, count, emptyTally, merge, type Outcome, type Tally } from "./outcome.ts";
import { type SendOptions, sendEntries } from "./send.ts";
import type { StateFile } from "./state.ts";

/** How one file is imported. */
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
export type ImportResult = { tally: Tally; resumedAt: number };

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
