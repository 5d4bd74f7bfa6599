import type { Filters } from "../filters.ts";
import type { ChunkChange, Hits } from "./engine.ts";
import type { SnapshotKey } from "./snapshot.ts";

/** What the thread is started with: the folder of its snapshot, and what that must be of. */
export type ThreadData = { dir: string; key: SnapshotKey };

/** What the thread can be asked, and what it answers. */
export type Calls = {
  /** Loads the snapshot, or begins with nothing. `dropped` says why a snapshot was of no use. */
  load: { ask: Record<never, never>; answer: { seq: number; dropped?: string | undefined } };
  /** Starts again with nothing, under another generation; searches see what was there until {@link Calls.adopt}. */
  restart: { ask: { key: SnapshotKey }; answer: { seq: number } };
  /** Serves what was built since the restart. */
  adopt: { ask: Record<never, never>; answer: Record<never, never> };
  apply: { ask: { changes: ChunkChange[]; seq: number }; answer: { skipped: number } };
  tiers: { ask: { tiers: ReadonlyMap<string, number> }; answer: Record<never, never> };
  search: { ask: { vector: Float32Array; k: number; filters: Filters }; answer: Hits };
  save: { ask: Record<never, never>; answer: { saved: boolean } };
  status: { ask: Record<never, never>; answer: Status };
  close: { ask: Record<never, never>; answer: Record<never, never> };
};

/** Where the index stands. `depth` and `recall` are those of the graph (see Calibration), null while it is not used. */
export type Status = {
  articles: number;
  chunks: number;
  linked: number;
  depth: number | null;
  recall: number | null;
  bytes: number;
};

export type CallName = keyof Calls;

/** A call on its way to the thread. */
export type Call<N extends CallName = CallName> = { [P in N]: { id: number; name: P; ask: Calls[P]["ask"] } }[N];

/** The answer to it. */
export type Reply<N extends CallName = CallName> = {
  [P in N]:
    | { id: number; name: P; answer: Calls[P]["answer"] }
    | { id: number; name: P; error: string; range: boolean };
}[N];

/** A function for each call. */
export type Handlers = { [N in CallName]: (ask: Calls[N]["ask"]) => Promise<Calls[N]["answer"]> };
