import type { ChunkCondition } from "../../contract/filters.ts";
import type { LogPosition } from "../../store/mod.ts";
import type { Filters } from "../filters.ts";
import { type ChunkChange, VectorEngine } from "./engine.ts";
import { loadSnapshot, saveSnapshot, type SnapshotKey } from "./snapshot.ts";

/** The thread of the index has ended although nobody closed it, or what it held is not loaded yet. */
export class VectorThreadError extends Error {
  override readonly name = "VectorThreadError";
}

/** Work done at a time between calls, in ms: about as long as a search may have to wait for it. */
const SLICE_MS = 1;

/**
 * Says where the index stands. `depth` and `recall` are those of the graph (see Calibration), null while it is not
 * used.
 */
export type Status = {
  articles: number;
  chunks: number;
  linked: number;
  depth: number | null;
  recall: number | null;
  bytes: number;
};

/** A thread with an index whose snapshot is in `dir`; nothing can be asked of it before `load`. */
export function start({ dir, scannedPerCandidate }: { dir: string; scannedPerCandidate?: number | undefined }) {
  /**
   * `engine` serves searches, `building` takes changes: another one only between a restart and its adoption. The
   * snapshot is of `key`.
   */
  let index: { key: SnapshotKey; engine: VectorEngine; building: VectorEngine } | undefined;
  /** Settles when nothing reads the tables to write them to disk; changes wait for it. */
  let saving: Promise<unknown> = Promise.resolve();
  let scheduled = false;
  let frozen = false;

  const emptyEngine = ({ dims }: SnapshotKey) => new VectorEngine(dims, undefined, scannedPerCandidate);

  const loaded = () => {
    if (index === undefined) throw new VectorThreadError("the vectors are being loaded");
    return index;
  };

  /** Links and measures in slices, letting calls in between. */
  const background = (): void => {
    if (scheduled) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      const { building } = loaded();
      if (!frozen && (building.link(SLICE_MS) || building.calibration.step())) background();
    });
  };

  return {
    /** Loads the snapshot of `key`, or begins with nothing. `dropped` says why a snapshot was of no use. */
    async load({ key }: { key: SnapshotKey }): Promise<{ position?: LogPosition; dropped?: string | undefined }> {
      const snapshot = await loadSnapshot(dir, key, scannedPerCandidate);
      const engine = snapshot.engine ?? emptyEngine(key);
      index = { key, engine, building: engine };
      background();
      if (snapshot.engine === undefined) return { dropped: snapshot.dropped };
      return { position: { seq: engine.seq, mark: engine.mark } };
    },
    /** Starts again with nothing; searches see what was there until it is adopted. */
    restart({ key }: { key: SnapshotKey }) {
      index = { key, engine: loaded().engine, building: emptyEngine(key) };
    },
    /** Serves what was built since the restart. */
    adopt() {
      const { key, building } = loaded();
      index = { key, engine: building, building };
    },
    /** Applies changes; without a position the index goes as far as before. */
    async apply({ changes, to }: { changes: ChunkChange[]; to: LogPosition | undefined }) {
      while (frozen) await saving;
      const { building } = loaded();
      const { seq, mark } = to ?? building;
      const applied = building.apply(changes, seq, mark);
      background();
      return applied;
    },
    /** Up to `limit` ids of articles above `after`, ascending. */
    ids({ after, limit }: { after: number; limit: number }): number[] {
      return loaded().building.articles.idsAfter(after, limit);
    },
    tiers({ tiers }: { tiers: ReadonlyMap<string, number> }) {
      const { engine, building } = loaded();
      engine.articles.setTiers(tiers);
      building.articles.setTiers(tiers);
    },
    search({ vector, k, filters }: { vector: Float32Array; k: number; filters: Filters }) {
      return loaded().engine.search(vector, k, filters);
    },
    searchChunks({
      vector,
      k,
      conditions,
    }: {
      vector: Float32Array;
      k: number;
      conditions: readonly ChunkCondition[];
    }) {
      return loaded().engine.searchChunks(vector, k, conditions);
    },
    /** Writes a snapshot; false when there is nothing new, or another process does so. */
    async save() {
      while (frozen) await saving;
      const { key, engine, building } = loaded();
      if (engine !== building) return { saved: false };
      frozen = true;
      const done = saveSnapshot(dir, engine, key);
      saving = done.catch(() => undefined);
      try {
        return { saved: await done };
      } finally {
        frozen = false;
        background();
      }
    },
    status(): Status {
      const { engine } = loaded();
      const { depth, recall } = engine.calibration;
      const { tables, graph } = engine.bytes();
      return {
        articles: engine.articles.size,
        chunks: engine.rows.size,
        linked: engine.graph.size,
        depth: depth ?? null,
        recall: Number.isNaN(recall) ? null : recall,
        bytes: tables + graph,
      };
    },
    close() {
      // Native calls happen only within a turn of this loop, so none is running when the thread ends.
      frozen = true;
    },
  };
}
