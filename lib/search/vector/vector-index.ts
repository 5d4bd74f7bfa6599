import { mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { URL } from "node:url";
import type { ThreadsState } from "../../service/threads/mod.ts";
import type { ChunkCondition } from "../../contract/filters.ts";
import type { Store } from "../../store/mod.ts";
import type { Filters } from "../filters.ts";
import type { Hits } from "./engine.ts";
import { VectorThreadError } from "./error.ts";
import { type Follower, follow } from "../../projection/mod.ts";
import { vectorSink } from "./sink.ts";
import type { VectorThread } from "./thread.ts";
import type { Status } from "./start.ts";

/** One event a line; the first argument holds its fields. */
export type VectorLogger = Record<"info" | "warn" | "error", (fields: object, message: string) => void>;

/** The index is not loaded yet. */
export class VectorIndexLoading extends Error {
  override readonly name = "VectorIndexLoading";

  constructor(modelId: string) {
    super(`the vectors of ${modelId} are being loaded`);
  }
}

/** The chunk vectors of a model, searched in a thread of their own and kept up to date from the store. */
export interface VectorIndex {
  readonly modelId: string;
  readonly dims: number;
  /** True when everything that the store held at the start is there. It stays true while the store is away. */
  readonly ready: boolean;
  /** The position in the log up to which the index goes. */
  readonly seq: number;
  /** Holds what keeps it equal to the log. */
  readonly follower: Follower;
  /**
   * The `k` articles whose best chunk is nearest to `vector` (cosine), among those that pass the filters, best first;
   * filtered searches are exact. Rejects with {@link VectorIndexLoading} before it is ready, {@link RangeError} for a
   * vector of other dimensions or not finite, `VectorThreadError` while a thread that died is being replaced.
   */
  search(vector: Float32Array, k: number, filters: Filters): Promise<Hits>;
  /**
   * The `k` chunks nearest to `vector` (cosine) among those whose articles meet the conditions, best first; exact.
   * Rejects as {@link VectorIndex.search}.
   */
  searchChunks(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]): Promise<Hits>;
  /** Resolves when the index is ready. Rejects when it is closed before. */
  whenReady(): Promise<void>;
  /** Rejects with {@link VectorIndexLoading} while the index cannot answer. */
  check(): Promise<void>;
  status(): Promise<Status>;
  /** Tells how its thread stands. */
  threads(): ThreadsState;
  /** Writes a snapshot now; false when another process is doing so, or there is nothing new. */
  save(): Promise<boolean>;
  /** Saves what is new, and ends the thread. */
  close(): Promise<void>;
}

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

const silent: VectorLogger = { info() {}, warn() {}, error() {} };

/**
 * Starts an index in the background: from its snapshot where that is whole, else from the store. Rejects when `dir`
 * cannot be made.
 */
export async function createVectorIndex(options: VectorIndexOptions): Promise<VectorIndex> {
  const { modelId, dims, store, pollMs = 2_000, batch = 256 } = options;
  await mkdir(options.dir, { recursive: true });
  const sink = vectorSink({
    refreshMs: 30_000,
    saveMs: 60_000,
    logger: silent,
    worker: new URL("./worker.ts", import.meta.url),
    ...options,
  });
  const follower = follow({
    name: "vectors",
    reportAs: `vectors@${hostname()}`,
    ...{ store, sink, logger: options.logger ?? silent, pollMs, batch },
  });
  let closing: Promise<void> | undefined;
  const close = async (): Promise<void> => {
    await follower.close();
    await sink.close();
  };
  const ask = async <T>(call: (thread: VectorThread) => Promise<T>): Promise<T> => {
    if (!sink.ready()) throw new VectorIndexLoading(modelId);
    try {
      return await call(sink.thread);
    } catch (error) {
      if (error instanceof VectorThreadError) follower.wake();
      throw error;
    }
  };
  return {
    modelId,
    dims,
    follower,
    get ready() {
      return sink.ready();
    },
    get seq() {
      return follower.status().position.seq;
    },
    search: (vector, k, filters) => ask((thread) => thread.call("search", { vector, k, filters })),
    searchChunks: (vector, k, conditions) => ask((thread) => thread.call("searchChunks", { vector, k, conditions })),
    whenReady: follower.whenCaughtUp,
    async check() {
      await ask((thread) => thread.call("status"));
    },
    status: () => ask((thread) => thread.call("status")),
    threads: () => sink.thread.state(),
    save: () => sink.save(),
    close: () => (closing ??= close()),
  };
}
