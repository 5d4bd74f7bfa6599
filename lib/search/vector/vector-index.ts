import { mkdir } from "node:fs/promises";
import { hostname } from "node:os";
import { URL } from "node:url";
import type { ThreadsState } from "../../service/threads/mod.ts";
import type { ChunkCondition } from "../../contract/filters.ts";
import type { Filters } from "../filters.ts";
import type { Hits } from "./engine.ts";
import { type Status, VectorThreadError } from "./start.ts";
import { type Follower, follow } from "../../projection/mod.ts";
import { type VectorIndexOptions, type VectorLogger, vectorSink, type VectorThread } from "./sink.ts";

/** The index is not loaded yet. */
export class VectorIndexLoading extends Error {
  override readonly name = "VectorIndexLoading";

  constructor(modelId: string) {
    super(`the vectors of ${modelId} are being loaded`);
  }
}

/** Searches by meaning, whatever engine keeps the vectors. */
export interface VectorSearch {
  /**
   * The `k` articles whose best chunk is nearest to `vector` (cosine), among those that pass the filters, best first.
   * Rejects with {@link VectorIndexLoading} while not everything is there yet, {@link RangeError} for a vector of other
   * dimensions or not finite.
   */
  search(vector: Float32Array, k: number, filters: Filters): Promise<Hits>;
  /** The `k` chunks nearest to `vector` (cosine) among those whose articles meet the conditions, best first. */
  searchChunks(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]): Promise<Hits>;
  /** Rejects with {@link VectorIndexLoading} while the index cannot answer. */
  check(): Promise<void>;
  status(): Promise<{ articles: number; chunks: number }>;
  /** Holds what keeps it equal to the log, where that is this process. */
  readonly follower?: Follower;
  /** Tells how its threads stand; undefined for an engine of another process. */
  threads(): ThreadsState | undefined;
  close(): Promise<void>;
}

/**
 * The chunk vectors of a model, searched in a thread of their own and kept up to date from the store. Filtered searches
 * and those of chunks are exact; both reject with `VectorThreadError` while a thread that died is being replaced.
 */
export interface VectorIndex extends VectorSearch {
  readonly modelId: string;
  readonly dims: number;
  /** True when everything that the store held at the start is there. It stays true while the store is away. */
  readonly ready: boolean;
  /** The position in the log up to which the index goes. */
  readonly seq: number;
  readonly follower: Follower;
  /** Resolves when the index is ready. Rejects when it is closed before. */
  whenReady(): Promise<void>;
  status(): Promise<Status>;
  threads(): ThreadsState;
  /** Writes a snapshot now; false when another process is doing so, or there is nothing new. */
  save(): Promise<boolean>;
  /** Saves what is new, and ends the thread. */
  close(): Promise<void>;
}

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
