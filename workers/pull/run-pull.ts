import { randomUUID } from "node:crypto";
import type { Logger } from "@isnad/lib/process";
import { acceptedIds, type CheckThread, type ItemResult, type Waker } from "@isnad/lib/ingest";
import { errorMessage } from "@isnad/lib/std";
import type { PullCounts, PullOptions, PullRun, PullTrigger, Source, Store } from "@isnad/lib/store";
import { type Adapters, adapterFor, PullError } from "./adapter.ts";
import { admitBatch } from "./admit-batch.ts";
import { type Held, startHeartbeat } from "./heartbeat.ts";
import { takeIn } from "./stream.ts";
import { Tally } from "./tally.ts";

/** What the orchestrator stands on. */
export type PullDeps = {
  store: Pick<Store, "pulls" | "sources" | "admission">;
  adapters: Adapters;
  thread: Pick<CheckThread, "check">;
  waker: Pick<Waker, "wake">;
  logger: Logger;
  /** Name of this process; the owner of a pull is this and a number of its own. */
  instance: string;
  /** After this many seconds without a sign of life a pull goes to another process. */
  leaseS: number;
  requireKnownSource: boolean;
  /** Told of every pull that ended here. */
  onEnd?(provider: string, outcome: PullOutcome["status"]): void;
  /** Told what became of every batch. */
  onResults?(provider: string, results: readonly ItemResult[]): void;
};

/** How a pull ended. `lost`: another process has taken it over; `released`: it was given back. */
export type PullOutcome = {
  runId: string;
  status: "succeeded" | "partial" | "failed" | "lost" | "released";
  counts: PullCounts;
  /** Whether the adapter came to its end: an item that was refused is no reason to pull again. */
  complete: boolean;
  error?: string;
};

/** What a pull is begun with. */
export type PullSettings = {
  trigger?: PullTrigger;
  options?: PullOptions;
  signal: AbortSignal;
  /** Told the counts after each batch. */
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
 * Pulls a source now: takes its lock, streams its adapter's items into admission, keeps the record, gives the lock back. A
 * failure of the adapter is in the outcome and the record. Throws {@link UnsupportedProviderError} and {@link SourceBusyError}.
 */
export async function runPull(source: Source, deps: PullDeps, settings: PullSettings): Promise<PullOutcome> {
  adapterFor(source, deps.adapters);
  const { trigger = "cli", options = {} } = settings;
  const owner = newOwner(deps);
  const begun = await deps.store.pulls.start(
    { sourceKey: source.key, provider: source.provider, trigger, options },
    { owner, leaseS: deps.leaseS },
  );
  if ("running" in begun) throw new SourceBusyError(begun.running);
  return await carryOut(begun.run, owner, deps, { ...settings, whenStopped: "fail" });
}

/** A pull that was taken, and its end. */
export type TakenPull = { run: PullRun; done: Promise<PullOutcome> };

/** Takes a pull that waits, or one whose process has ended; undefined when there is none. Stopped, it gives the pull back. */
export async function takePull(deps: PullDeps, signal: AbortSignal): Promise<TakenPull | undefined> {
  const owner = newOwner(deps);
  const run = await deps.store.pulls.claim({ owner, leaseS: deps.leaseS });
  if (run === undefined) return undefined;
  return { run, done: carryOut(run, owner, deps, { signal, whenStopped: "release" }) };
}

type Manner = Pick<PullSettings, "signal" | "onProgress"> & { whenStopped: "fail" | "release" };

async function carryOut(run: PullRun, owner: string, deps: PullDeps, manner: Manner): Promise<PullOutcome> {
  const { store, logger } = deps;
  const held: Held = { runId: run.runId, owner, leaseS: deps.leaseS };
  const startedAt = performance.now();
  const tally = new Tally();
  const heart = startHeartbeat(store, held, () => tally.counts, logger);
  let end: Ending;
  try {
    end = await pull(run, deps, tally, { ...manner, signal: AbortSignal.any([manner.signal, heart.lost]) });
  } catch (error) {
    end = { status: tally.counts.discovered > 0 ? "partial" : "failed", error: errorMessage(error) };
  }
  await heart.stop();
  const stopped = manner.signal.aborted && !end.complete;
  if (stopped) end.error = "interrupted";
  const status = await close(held, tally, end, deps, {
    lost: heart.lost.aborted,
    released: stopped && manner.whenStopped === "release",
  });
  deps.onEnd?.(run.provider ?? "none", status);
  const fields = { run_id: run.runId, source: run.sourceKey, provider: run.provider, trigger: run.trigger, status };
  logger[status === "failed" || status === "partial" ? "warn" : "info"](
    {
      ...fields,
      ...tally.counts,
      ...(end.error !== undefined && { reason: end.error }),
      took_ms: Math.round(performance.now() - startedAt),
    },
    "pull",
  );
  const complete = end.complete === true && status !== "lost" && status !== "released";
  return {
    runId: run.runId,
    status,
    counts: tally.counts,
    complete,
    ...(end.error !== undefined && { error: end.error }),
  };
}

type Ending = {
  status: "succeeded" | "partial" | "failed";
  error?: string | undefined;
  /** Whether the adapter came to its end. */
  complete?: boolean;
  state?: Awaited<ReturnType<Store["pulls"]["state"]>>;
};

/** Streams the items of the source into admission. */
async function pull(run: PullRun, deps: PullDeps, tally: Tally, { signal, onProgress }: Manner): Promise<Ending> {
  const { store, adapters, waker } = deps;
  const source = await store.sources.get(run.sourceKey);
  if (source === undefined) throw new PullError(`there is no source "${run.sourceKey}"`);
  const adapter = adapterFor(source, adapters);
  const state = await store.pulls.state(source.key);
  const { max } = run.options;
  const end = await takeIn(adapter(source, { state, options: run.options, signal }), {
    signal,
    max: typeof max === "number" ? max : undefined,
    admit: (items) => admitBatch(items, deps, signal),
    onResults(results) {
      tally.add(results);
      waker.wake(acceptedIds(results));
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
}

/** Writes the end into the record, which gives the lock back. */
async function close(
  { runId, owner }: Held,
  { counts }: Tally,
  { status, error, state }: Ending,
  { store, logger }: PullDeps,
  { lost, released }: { lost: boolean; released: boolean },
): Promise<PullOutcome["status"]> {
  if (lost) return "lost";
  try {
    if (released) return (await store.pulls.release(runId, owner)) ? "released" : "lost";
    return (await store.pulls.finish(runId, owner, { status, counts, error, state })) ? status : "lost";
  } catch (cause) {
    // The lease ends by itself; then the pull is begun again.
    logger.error({ err: cause, run_id: runId }, "the end of a pull could not be written");
    return "lost";
  }
}

function newOwner({ instance }: PullDeps): string {
  return `${instance}:${randomUUID()}`;
}
