import { randomUUID } from "node:crypto";
import type { IngestResult, ItemDraft } from "@isnad/lib/contract";
import {
  acceptedIds,
  admitChecked,
  changeReport,
  checkItems,
  type CheckThread,
  type Enqueuer,
  mergeResults,
  submittedOf,
} from "@isnad/lib/ingest";
import { type LeasedWork, type Logger, startHeartbeat } from "@isnad/lib/service/process";
import { at, errorMessage, retry } from "@isnad/lib/std";
import {
  isUnavailable,
  type Json,
  NO_PULL_COUNTS,
  type PullCounts,
  type PullOptions,
  type PullRun,
  type PullTrigger,
  type Source,
  type Store,
} from "@isnad/lib/store";
import { adapterFor, type Adapters, PullError } from "./adapter.ts";

type AdmitDeps = {
  store: Pick<Store, "admission" | "revisions">;
  thread: Pick<CheckThread, "check">;
  requireKnownSource: boolean;
};

/** Says how a database that is away is asked again. */
const WHILE_AWAY = { attempts: 6, backoff: { baseMs: 500, maxMs: 8_000, jitter: 0.2 }, isRetryable: isUnavailable };

/**
 * Admits items as the ingest route does, but sets those in conflict aside and admits the others at once; what those say
 * now is kept as revisions. Returns what became of each, in their order. Rejects when the database stays away; what was
 * admitted by then is admitted.
 */
export async function admitBatch(
  entries: readonly unknown[],
  { store, thread, requireKnownSource }: AdmitDeps,
  signal: AbortSignal,
): Promise<IngestResult[]> {
  const checked = await checkItems(entries, thread);
  const results = new Array<IngestResult>(checked.length);
  let open = [...checked.keys()];
  while (open.length > 0) {
    const batch = open.flatMap((index) => checked[index] ?? []);
    const outcome = await retry(() => admitChecked(store, batch, { requireKnownSource }), { ...WHILE_AWAY, signal });
    if (outcome.kind !== "decided") throw new Error(`unexpected outcome ${outcome.kind}`);
    const left: number[] = [];
    for (const [n, result] of mergeResults(submittedOf(batch), outcome.results).entries()) {
      const index = at(open, n);
      // A conflict stored nothing of its batch: the rest has to be decided again, without it.
      if (outcome.conflict && (result.status === "accepted" || result.status === "duplicate")) left.push(index);
      else results[index] = result;
    }
    open = left;
  }
  for (const [index, entry] of checked.entries()) {
    if (results[index]?.status !== "conflict" || !("item" in entry)) continue;
    await retry(() => store.revisions.record(changeReport(entry.item, null)), { ...WHILE_AWAY, signal });
  }
  return results;
}

/** Counts what becomes of the items of a pull, and why items failed. */
class Tally {
  readonly counts: PullCounts = { ...NO_PULL_COUNTS };
  readonly #reasons = new Map<string, number>();

  /** Adds what became of a batch. */
  add(results: readonly IngestResult[]): void {
    for (const { status, error } of results) {
      this.counts.discovered += 1;
      this.counts[status] += 1;
      if (error === undefined) continue;
      const reason = error.type.replace("/errors/", "");
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    }
  }

  /** Why items failed, one line, the most frequent reason first; undefined when none did. */
  failures(): string | undefined {
    if (this.counts.failed === 0) return undefined;
    const reasons = [...this.#reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} ${reason}`);
    return `${this.counts.failed} of ${this.counts.discovered} items failed: ${reasons.join(", ")}`;
  }
}

/** Holds what the orchestrator stands on. */
export type PullDeps = {
  store: Pick<Store, "pulls" | "sources" | "admission" | "revisions">;
  adapters: Adapters;
  thread: Pick<CheckThread, "check">;
  enqueuer: Pick<Enqueuer, "enqueue">;
  logger: Logger;
  /** Name of this process; the owner of a pull is this and a number of its own. */
  instance: string;
  /** After this many seconds without a heartbeat a pull goes to another process. */
  leaseS: number;
  requireKnownSource: boolean;
  /** Called with every pull that ended here. */
  onEnd?(provider: string, outcome: PullOutcome["status"]): void;
  /** Called with what became of every batch. */
  onResults?(provider: string, results: readonly IngestResult[]): void;
};

/** Says how a pull ended. `lost`: another process has taken it over. */
export type PullOutcome = {
  runId: string;
  status: "succeeded" | "partial" | "failed" | "lost";
  counts: PullCounts;
  /** True when the adapter came to its end: an item that was refused is no reason to pull again. */
  complete: boolean;
  error?: string;
};

type PullSettings = {
  trigger?: PullTrigger;
  options?: PullOptions;
  signal: AbortSignal;
  /** Called with the counts after each batch. */
  onProgress?(counts: Readonly<PullCounts>): void;
};

/** Another process pulls the source just now. */
export class SourceBusyError extends PullError {
  override name = "SourceBusyError";
  readonly running: PullRun;

  constructor(running: PullRun) {
    super(`source "${running.sourceKey}" is being pulled already (run ${running.runId})`);
    this.running = running;
  }
}

/**
 * Pulls a source now: takes its lock, streams its adapter's items into admission, keeps the record, gives the lock
 * back. A failure of the adapter is in the outcome and the record. Throws {@link UnsupportedProviderError} and {@link
 * SourceBusyError}.
 */
export async function runPull(source: Source, deps: PullDeps, settings: PullSettings): Promise<PullOutcome> {
  adapterFor(source, deps.adapters);
  const { store, logger, leaseS } = deps;
  const { trigger = "cli", options = {}, signal, onProgress } = settings;
  const owner = `${deps.instance}/${randomUUID()}`;
  const begun = await store.pulls.start(
    { sourceKey: source.key, provider: source.provider, trigger, options },
    { owner, leaseS },
  );
  if ("running" in begun) throw new SourceBusyError(begun.running);
  const pull: Pull = { run: begun.run, tally: new Tally(), startedAt: performance.now() };
  const heart = startHeartbeat({
    leaseS,
    renew: () => store.pulls.heartbeat(pull.run.runId, { owner, leaseS }, pull.tally.counts),
    onFailure: (error) => logger.warn({ err: error, run_id: pull.run.runId }, "the heartbeat was not written"),
  });
  let end: Ending;
  try {
    end = await pullItems(pull, deps, { signal: AbortSignal.any([signal, heart.lost]), onProgress });
  } catch (error) {
    end = failure(pull, signal.aborted ? "interrupted" : errorMessage(error));
  }
  await heart.stop();
  try {
    return await close(pull, owner, end, deps, heart.lost.aborted);
  } catch (error) {
    // The lease ends by itself; then the pull is begun again.
    logger.error({ err: error, run_id: pull.run.runId }, "the end of a pull could not be written");
    return { runId: pull.run.runId, status: "lost", counts: pull.tally.counts, complete: false };
  }
}

/** A pull in flight. */
type Pull = { run: PullRun; tally: Tally; startedAt: number };

/** The pulls that were asked for, and those whose process has ended. */
export function pullWork(deps: PullDeps): LeasedWork<Pull> {
  const { pulls } = deps.store;
  const { leaseS } = deps;
  return {
    name: "pulls",
    async claim(owner) {
      const run = await pulls.claim({ owner, leaseS });
      return run && { run, tally: new Tally(), startedAt: performance.now() };
    },
    heartbeat: (owner, { run, tally }) => pulls.heartbeat(run.runId, { owner, leaseS }, tally.counts),
    async perform(pull, { owner, signal }) {
      const end = await pullItems(pull, deps, { signal });
      await close(pull, owner, end, deps, false);
      return 0;
    },
    release: (owner, { run }) => pulls.release(run.runId, owner),
    fields: ({ run }) => ({ run_id: run.runId, source: run.sourceKey }),
  };
}

type Ending = {
  status: "succeeded" | "partial" | "failed";
  error?: string | undefined;
  /** True when the adapter came to its end. */
  complete?: boolean;
  state?: Awaited<ReturnType<Store["pulls"]["state"]>>;
};

function failure({ tally }: Pull, error: string): Ending {
  return { status: tally.counts.discovered > 0 ? "partial" : "failed", error };
}

/** Streams the items of the source into admission. Rejects when the signal aborts or the database is away. */
async function pullItems(
  pull: Pull,
  deps: PullDeps,
  { signal, onProgress }: { signal: AbortSignal; onProgress?: PullSettings["onProgress"] | undefined },
): Promise<Ending> {
  const { store, adapters, enqueuer } = deps;
  const { run, tally } = pull;
  try {
    const source = await store.sources.get(run.sourceKey);
    if (source === undefined) throw new PullError(`there is no source "${run.sourceKey}"`);
    const adapter = adapterFor(source, adapters);
    const state = await store.pulls.state(source.key);
    const { max } = run.options;
    const end = await streamItems(adapter(source, { state, options: run.options, signal }), {
      signal,
      max: typeof max === "number" ? max : undefined,
      admit: (items) => admitBatch(items, deps, signal),
      onResults(results) {
        tally.add(results);
        enqueuer.enqueue(acceptedIds(results));
        deps.onResults?.(source.provider ?? "none", results);
        onProgress?.(tally.counts);
      },
    });
    const { discovered, failed } = tally.counts;
    return {
      status: failed === 0 ? "succeeded" : failed < discovered ? "partial" : "failed",
      error: tally.failures(),
      complete: true,
      ...(end.complete && { state: end.state }),
    };
  } catch (error) {
    if (signal.aborted || isUnavailable(error)) throw error;
    return failure(pull, errorMessage(error));
  }
}

/** Writes the end into the record, which gives the lock back. */
async function close(
  { run, tally, startedAt }: Pull,
  owner: string,
  { status: reached, error, state, complete = false }: Ending,
  { store, logger, onEnd }: PullDeps,
  lost: boolean,
): Promise<PullOutcome> {
  const { runId, sourceKey: source, provider, trigger } = run;
  const { counts } = tally;
  const isKept = !lost && (await store.pulls.finish(runId, owner, { status: reached, counts, error, state }));
  const status = isKept ? reached : "lost";
  onEnd?.(provider ?? "none", status);
  const took_ms = Math.round(performance.now() - startedAt);
  const reason = error === undefined ? {} : { reason: error };
  logger[status === "failed" || status === "partial" ? "warn" : "info"](
    { run_id: runId, source, provider, trigger, status, ...counts, ...reason, took_ms },
    "pull",
  );
  return { runId, status, counts, complete: complete && isKept, ...(error !== undefined && { error }) };
}

/** Items that are admitted together at most. */
const BATCH = 100;

/** An item waits at most about this long for others to be admitted with it, in milliseconds. */
const LONGEST_WAIT_MS = 2_000;

type StreamOptions = {
  /** Admits a batch. */
  admit(items: readonly ItemDraft[]): Promise<readonly IngestResult[]>;
  /** Called with what became of each batch. */
  onResults(results: readonly IngestResult[]): void;
  /** Most items to take; unlimited when left out. */
  max?: number | undefined;
  /** Aborts between two items. */
  signal: AbortSignal;
};

/** Says where a stream ended: `complete` with what the adapter returned, or at the limit. */
type StreamEnd = { complete: true; state: Json | undefined } | { complete: false };

/**
 * Admits the items of an adapter, in batches. When the adapter fails, what it had brought by then is still admitted
 * before its error is passed on.
 */
export async function streamItems(
  items: AsyncGenerator<ItemDraft, Json | undefined, void>,
  { admit, onResults, max = Number.POSITIVE_INFINITY, signal }: StreamOptions,
): Promise<StreamEnd> {
  let batch: ItemDraft[] = [];
  let since = performance.now();
  let taken = 0;
  const flush = async (): Promise<void> => {
    const full = batch;
    batch = [];
    since = performance.now();
    if (full.length > 0) onResults(await admit(full));
  };
  try {
    for (;;) {
      if (taken >= max) {
        await items.return(undefined);
        await flush();
        return { complete: false };
      }
      const next = await items.next();
      signal.throwIfAborted();
      if (next.done) {
        await flush();
        return { complete: true, state: next.value };
      }
      if (batch.length === 0) since = performance.now();
      batch.push(next.value);
      taken += 1;
      if (batch.length >= BATCH || performance.now() - since > LONGEST_WAIT_MS) await flush();
    }
  } catch (error) {
    if (!signal.aborted) await flush();
    throw error;
  } finally {
    // An adapter that was left in the middle closes what it has open.
    await items.return(undefined);
  }
}
