import type { ChunkCondition } from "../../contract/filters.ts";
import type { ThreadsState } from "../../service/threads/mod.ts";
import type { Follower } from "../../projection/mod.ts";
import type { Filters } from "../filters.ts";
import type { Hits } from "../vector/engine.ts";

/** Searches by meaning, whatever engine keeps the vectors. */
export type VectorSearch = {
  /**
   * The `k` articles whose best chunk is nearest to `vector` (cosine), among those that pass the filters, best first.
   * Rejects with `VectorIndexLoading` while not everything is there yet, {@link RangeError} for a vector of other
   * dimensions or not finite.
   */
  search(vector: Float32Array, k: number, filters: Filters): Promise<Hits>;
  /** The `k` chunks nearest to `vector` (cosine) among those whose articles meet the conditions, best first. */
  searchChunks(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]): Promise<Hits>;
  /** Rejects while the index cannot answer. */
  check(): Promise<void>;
  status(): Promise<{ articles: number; chunks: number }>;
  /** What keeps it equal to the log, where that is this process. */
  readonly follower?: Follower;
  /** How its threads stand; undefined for an engine of another process. */
  threads(): ThreadsState | undefined;
  close(): Promise<void>;
};
