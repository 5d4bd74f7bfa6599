import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs } from "../../std/mod.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import { modelDir, readGeneration } from "./generation.ts";
import type { SnapshotKey } from "./snapshot.ts";
import { VectorThreadError } from "./error.ts";
import { openVectorThread, type VectorThread } from "./thread.ts";
import type { VectorIndexOptions } from "./vector-index.ts";

/** Keeps a thread's index in step with the store. */
export type Follower = {
  thread: VectorThread;
  /** Looks for changes now, and whether the thread still holds the index. */
  notify(): void;
  ready(): boolean;
  seq(): number;
  whenReady(): Promise<void>;
  save(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Changes that make a snapshot worthwhile before {@link LATEST_SAVE} of the usual time has passed: this many, or a
 * tenth of all.
 */
const MANY_CHANGES = 1000;
const LATEST_SAVE = 10;
const BACKOFF = { baseMs: 250, maxMs: 5_000 };

/** Starts to follow. Failures of the store, and a thread that ends, are met by trying again. */
export function followChunks(options: Required<VectorIndexOptions>): Follower {
  const { store, modelId, dims, logger, pollMs, refreshMs, saveMs, batch } = options;
  const dir = modelDir(options.dir, modelId);
  const stop = new AbortController();
  const firstReady = Promise.withResolvers<void>();
  firstReady.promise.catch(() => undefined);
  const thread = openVectorThread({ dir, worker: options.worker, logger });
  let loaded = false;
  let key: SnapshotKey | undefined;
  let ready = false;
  let rebuilding = false;
  let seq = 0;
  let unsaved = 0;
  let savedAt = performance.now();
  let refreshedAt = Number.NEGATIVE_INFINITY;
  let known = new Set<string>();
  let noticed = Promise.withResolvers<void>();
  let unlisten: (() => Promise<void>) | undefined;

  async function begin(): Promise<void> {
    const { database, seq: head } = await store.chunks.head();
    key = { modelId, dims, database, generation: await readGeneration(options.dir) };
    const snapshot = await thread.call("load", { key });
    if (snapshot.dropped !== undefined) logger.warn({ modelId, reason: snapshot.dropped }, "vector snapshot dropped");
    ({ seq } = snapshot);
    rebuilding = false;
    if (seq > head) await restart("the snapshot is ahead of the database");
    refreshedAt = Number.NEGATIVE_INFINITY;
    loaded = true;
  }

  /** Reads everything again; what is there serves until that is complete. */
  async function restart(reason: string): Promise<void> {
    const { database } = await store.chunks.head();
    key = { modelId, dims, database, generation: await readGeneration(options.dir) };
    ({ seq } = await thread.call("restart", { key }));
    rebuilding = true;
    logger.warn({ modelId, reason }, "vector index is read again from the database");
  }

  async function refresh(): Promise<void> {
    if (performance.now() - refreshedAt < refreshMs) return;
    const sources = await store.sources.list();
    known = new Set(sources.map((source) => source.key));
    await thread.call("tiers", { tiers: new Map(sources.map((source) => [source.key, source.tier])) });
    const head = await store.chunks.head();
    if (head.database !== key?.database || head.seq < seq) await restart("the database is another one, or went back");
    refreshedAt = performance.now();
  }

  /** Reads and applies one batch. Returns whether there may be more. */
  async function advance(): Promise<boolean> {
    const { changes, nextSeq } = await store.chunks.since(modelId, seq, batch, ARTICLE_FIELDS);
    if (changes.length === 0) return false;
    const { skipped } = await thread.call("apply", { changes, seq: nextSeq });
    if (skipped > 0) logger.warn({ modelId, skipped }, "vectors without direction or of other dimensions left out");
    seq = nextSeq;
    unsaved += changes.length;
    if (changes.some((change) => change.kind === "upsert" && !known.has(change.sourceId))) {
      refreshedAt = Number.NEGATIVE_INFINITY;
    }
    return changes.length === batch;
  }

  async function caughtUp(): Promise<void> {
    if (rebuilding) {
      await thread.call("adopt");
      rebuilding = false;
      unsaved = Number.POSITIVE_INFINITY;
    }
    const { chunks, articles } = await thread.call("status");
    if (!ready) {
      ready = true;
      firstReady.resolve();
      logger.info({ modelId, articles, chunks, seq }, "vector index is ready");
    }
    const due = unsaved >= Math.max(MANY_CHANGES, chunks / 10) ? saveMs : saveMs * LATEST_SAVE;
    if (unsaved === Number.POSITIVE_INFINITY || (unsaved > 0 && performance.now() - savedAt >= due)) await save();
  }

  async function save(): Promise<boolean> {
    if (!loaded || rebuilding) return false;
    const before = unsaved;
    savedAt = performance.now();
    try {
      const { saved } = await thread.call("save");
      unsaved = before === Number.POSITIVE_INFINITY ? 0 : unsaved - before;
      return saved;
    } catch (error) {
      // A full disk stops snapshots, not searches.
      logger.error({ modelId, err: error }, "vector snapshot could not be written");
      unsaved = Math.min(unsaved, MANY_CHANGES);
      return false;
    }
  }

  async function step(): Promise<void> {
    unlisten ??= await store.chunks.listen(() => noticed.resolve());
    if (!loaded) await begin();
    if (!rebuilding && (await readGeneration(options.dir)) !== key?.generation) await restart("asked for");
    noticed = Promise.withResolvers();
    await refresh();
    if (await advance()) return;
    await caughtUp();
    await Promise.race([
      noticed.promise,
      sleep(pollMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined),
    ]);
  }

  async function run(): Promise<void> {
    let failures = 0;
    while (!stop.signal.aborted) {
      try {
        await step();
        failures = 0;
      } catch (error) {
        if (stop.signal.aborted) return;
        const retryMs = backoffMs(failures++, BACKOFF);
        logger.warn({ modelId, err: error, retryMs }, "vector index cannot follow the database");
        if (error instanceof VectorThreadError) {
          loaded = false;
          ready = false;
        }
        await sleep(retryMs, undefined, { signal: stop.signal, ref: false }).catch(() => undefined);
      }
    }
  }

  const running = run();
  let closing: Promise<void> | undefined;
  async function close(): Promise<void> {
    stop.abort();
    noticed.resolve();
    await running;
    firstReady.reject(new Error("the vector index was closed"));
    if (unsaved > 0) await save();
    await unlisten?.().catch(() => undefined);
    await thread.close();
  }

  return {
    thread,
    notify: () => noticed.resolve(),
    ready: () => ready,
    seq: () => seq,
    whenReady: () => firstReady.promise,
    save,
    close: () => (closing ??= close()),
  };
}
