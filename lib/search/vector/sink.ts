import { URL } from "node:url";
import { join } from "node:path";
import { openThreads, type Threads, type ThreadsLogger } from "../../service/threads/mod.ts";
import type { Sink } from "../../projection/mod.ts";
import { LOG_START, type LogPosition, type Store } from "../../store/mod.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import { type start, VectorThreadError } from "./start.ts";
import type { ChunkChange } from "./engine.ts";

/**
 * A thread that holds an index; calls are answered in any order. They reject with RangeError for a query that cannot be
 * searched, and with {@link VectorThreadError} when the thread has ended and until the index is loaded, again too.
 */
export type VectorThread = Threads<typeof start>;

/** The folder of the index, the Worker's file, and when the graph is asked (see VectorEngine). */
type VectorThreadOptions = { dir: string; worker?: URL; logger?: ThreadsLogger; scannedPerCandidate?: number };

/** Makes the thread of an index. It starts with its first call, and again with the next one after an end. */
export function openVectorThread({ dir, worker, logger, scannedPerCandidate }: VectorThreadOptions): VectorThread {
  const failed = (message: string, _: object, cause: unknown): VectorThreadError =>
    new VectorThreadError(message, { cause });
  return openThreads<typeof start>({
    name: "vector index",
    url: worker ?? new URL("./worker.ts", import.meta.url),
    data: { dir, scannedPerCandidate },
    errors: { ThreadError: failed, VectorThreadError: failed },
    logger,
  });
}

/** The folder of a model's snapshot under `dir`, the folder of all vectors. */
function modelDir(dir: string, modelId: string): string {
  return join(dir, encodeURIComponent(modelId));
}

/** One event a line; the first argument holds its fields. */
export type VectorLogger = Record<"info" | "warn" | "error", (fields: object, message: string) => void>;

export type VectorIndexOptions = {
  store: Pick<Store, "chunks" | "sources" | "log" | "followers">;
  /** The folder of all vectors, `DATA_DIR/vectors`. */
  dir: string;
  modelId: string;
  dims: number;
  logger?: VectorLogger;
  /** Says how often to look for changes that no notice told of, in milliseconds (2,000). */
  pollMs?: number;
  /** Says how often to read the sources' tiers, in milliseconds (30,000). */
  refreshMs?: number;
  /** Least time between two snapshots while changes come in, in milliseconds (60,000). */
  saveMs?: number;
  /** Changes read at a time (256). */
  batch?: number;
  /** The file of the thread. */
  worker?: URL;
};

/** The embedded index of vectors as a follower feeds it. */
type VectorSink = Sink & {
  thread: VectorThread;
  /** Tells whether it has been complete once, and its thread holds it. */
  ready(): boolean;
  position(): Promise<LogPosition | undefined>;
  save(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Changes that make a snapshot worthwhile before {@link LATEST_SAVE} of the usual time has passed: this many, or a
 * tenth of all.
 */
const MANY_CHANGES = 1000;
const LATEST_SAVE = 10;

/** Makes the sink of a model's vectors: a thread holds them, with a snapshot in a folder. */
export function vectorSink(options: Required<Omit<VectorIndexOptions, "pollMs" | "batch">>): VectorSink {
  const { store, modelId, dims, logger, refreshMs, saveMs } = options;
  const thread = openVectorThread({ dir: modelDir(options.dir, modelId), worker: options.worker, logger });
  const key = { modelId, dims };
  let loaded = false;
  let position: LogPosition | undefined;
  let rebuilding = false;
  let ready = false;
  let unsaved = 0;
  let savedAt = performance.now();
  let tiersAt = Number.NEGATIVE_INFINITY;
  let sources = new Set<string>();

  /** Asks the thread; one that has ended has to load the index again. */
  async function ask<T>(call: Promise<T>): Promise<T> {
    try {
      return await call;
    } catch (error) {
      if (error instanceof VectorThreadError) {
        loaded = false;
        ready = false;
      }
      throw error;
    }
  }

  async function refreshTiers(): Promise<void> {
    if (performance.now() - tiersAt < refreshMs) return;
    const all = await store.sources.list();
    sources = new Set(all.map((source) => source.key));
    await ask(thread.call("tiers", { tiers: new Map(all.map((source) => [source.key, source.tier])) }));
    tiersAt = performance.now();
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

  return {
    thread,
    ready: () => ready,
    async position() {
      if (loaded) {
        // A thread that was replaced meanwhile says that it has nothing.
        await ask(thread.call("status"));
        return position;
      }
      const snapshot = await ask(thread.call("load", { key }));
      if (snapshot.dropped !== undefined) logger.warn({ modelId, reason: snapshot.dropped }, "vector snapshot dropped");
      ({ position } = snapshot);
      loaded = true;
      rebuilding = false;
      tiersAt = Number.NEGATIVE_INFINITY;
      return position;
    },
    async reset() {
      await ask(thread.call("restart", { key }));
      rebuilding = true;
      position = LOG_START;
    },
    async apply(entries, to) {
      await refreshTiers();
      const changes = await changesOf(store, modelId, entries);
      const { skipped } = await ask(thread.call("apply", { changes, to }));
      if (skipped > 0) logger.warn({ modelId, skipped }, "vectors without direction or of other dimensions left out");
      position = to ?? position;
      unsaved += changes.length;
      if (changes.some((change) => change.kind === "upsert" && !sources.has(change.sourceId ?? ""))) {
        tiersAt = Number.NEGATIVE_INFINITY;
      }
    },
    async complete() {
      await refreshTiers();
      if (rebuilding) {
        await ask(thread.call("adopt"));
        rebuilding = false;
        unsaved = Number.POSITIVE_INFINITY;
      }
      if (ready) return;
      const { chunks, articles } = await ask(thread.call("status"));
      ready = true;
      logger.info({ modelId, articles, chunks, seq: position?.seq }, "vector index is ready");
    },
    keys: (after, limit) => ask(thread.call("ids", { after, limit })),
    async idle() {
      if (unsaved === 0) return;
      const { chunks } = await ask(thread.call("status"));
      const due = unsaved >= Math.max(MANY_CHANGES, chunks / 10) ? saveMs : saveMs * LATEST_SAVE;
      if (unsaved === Number.POSITIVE_INFINITY || performance.now() - savedAt >= due) await save();
    },
    save,
    async close() {
      if (unsaved > 0) await save();
      await thread.close();
    },
  };
}

/**
 * The changes of articles as the index takes them: an article that is still there comes with all its passages again.
 */
export async function changesOf(
  store: Pick<Store, "chunks">,
  modelId: string,
  entries: Parameters<Sink["apply"]>[0],
): Promise<ChunkChange[]> {
  const last = new Map(entries.map((entry) => [entry.key, entry]));
  const present = [...last.values()].filter(({ deleted }) => !deleted);
  const chunks = await store.chunks.ofArticles(
    modelId,
    present.map(({ articleId }) => articleId),
    ARTICLE_FIELDS,
  );
  return [
    ...[...last.keys()].map((key): ChunkChange => ({ kind: "delete", articleId: key })),
    ...chunks.flatMap(({ key, ...chunk }): ChunkChange[] =>
      last.get(key)?.deleted === false ? [{ ...chunk, kind: "upsert", articleId: key }] : [],
    ),
  ];
}
