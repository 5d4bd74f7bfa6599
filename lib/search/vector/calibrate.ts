import { at } from "../../std/mod.ts";
import type { Found } from "./exact.ts";
import { type QuantizedQuery, quantizeQuery } from "./quantize.ts";
import { LINKED, type RowTable } from "./rows.ts";

/** The least depth at which the graph is searched. */
export const LEAST_DEPTH = 512;
const DEPTHS = [LEAST_DEPTH, 1024, 2048];
/** One question in a thousand finds nothing of what it should: among so many samples it may be met once. */
const SAMPLED_ROWS = 160;
const KEPT_QUERIES = 32;
const K = 10;
/**
 * Wanted of a depth before a deeper one is taken, because a sample says it only about; and of the deepest, because .99
 * is promised.
 */
const WANTED_RECALL = 0.995;
const LEAST_RECALL = 0.99;
/** Measured again when this share of the rows has changed. */
const CHANGED_SHARE = 0.25;

/** An engine whose graph is measured. */
type Measured = {
  rows: Pick<RowTable, "list" | "vector">;
  graph: { readonly size: number };
  scannedPerCandidate: number;
  scan(query: QuantizedQuery, k: number): Found[];
  walk(query: QuantizedQuery, k: number, depth: number): Found[] | undefined;
};

/**
 * Chooses how deep the graph is searched by comparing its answers with exact ones, for recent queries and for mixtures
 * of chunks picked at random: how well a graph serves depends on the data, and some shapes of it hide whole topics.
 * When no depth is good enough, the index scans.
 */
export class Calibration {
  /**
   * Candidates to look at in the graph; undefined while it is unmeasured, or not good enough, or too small to be worth
   * it.
   */
  depth: number | undefined;
  /** Measured recall@10 at that depth, of articles; NaN before. */
  recall = Number.NaN;
  readonly #engine: Measured;
  readonly #queries: Float32Array[] = [];
  #asked = 0;
  #changed = 0;
  #measuredRows = 0;
  #running: Generator<void> | undefined;

  constructor(engine: Measured) {
    this.#engine = engine;
  }

  /** Notes a query as a sample of what is asked. */
  asked(vector: Float32Array): void {
    this.#queries[this.#asked++ % KEPT_QUERIES] = vector;
  }

  /** Notes rows that came or went. */
  changed(rows: number): void {
    this.#changed += rows;
  }

  /** Takes what an earlier process measured. */
  restore(depth: number | undefined, recall: number, rows: number): void {
    this.depth = depth;
    this.recall = recall;
    this.#measuredRows = rows;
  }

  /** Does one step of a measurement that is due, one search. Returns whether there is more to do. */
  step(): boolean {
    const useful = this.#engine.graph.size >= this.#engine.scannedPerCandidate * LEAST_DEPTH;
    const due = useful && (this.#measuredRows === 0 || this.#changed > this.#measuredRows * CHANGED_SHARE);
    if (this.#running === undefined && !due) return false;
    this.#running ??= this.#measure();
    if (this.#running.next().done === true) this.#running = undefined;
    return true;
  }

  *#measure(): Generator<void> {
    this.#changed = 0;
    this.#measuredRows = this.#engine.graph.size;
    const samples = [...this.#queries, ...this.#mixedRows()];
    const recalls = DEPTHS.map(() => 0);
    let measured = 0;
    for (const vector of samples) {
      const query = quantizeQuery(vector);
      if (query === undefined) continue;
      const exact = this.#engine.scan(query, K);
      yield;
      for (const [i, depth] of DEPTHS.entries()) {
        recalls[i] = at(recalls, i) + this.#recall(query, exact, depth);
        yield;
      }
      measured++;
    }
    const means = recalls.map((sum) => sum / Math.max(1, measured));
    const good = means.findIndex((recall, i) => recall >= (i < DEPTHS.length - 1 ? WANTED_RECALL : LEAST_RECALL));
    this.depth = DEPTHS[good];
    this.recall = means[good] ?? Math.max(...means);
  }

  #recall(query: QuantizedQuery, exact: readonly Found[], depth: number): number {
    const found = new Set(this.#engine.walk(query, K, depth)?.map((hit) => hit.ordinal));
    return exact.length === 0 ? 1 : exact.filter((hit) => found.has(hit.ordinal)).length / exact.length;
  }

  /**
   * A chunk and half of another one: questions lie beside the texts that answer them, where a graph finds its way less
   * well than from the texts themselves.
   */
  #mixedRows(): Float32Array[] {
    const { rows } = this.#engine;
    const linked = rows.list(undefined, LINKED);
    const any = () => rows.vector(at(linked, Math.floor(Math.random() * linked.length)));
    return Array.from({ length: Math.min(SAMPLED_ROWS, linked.length) }, () => {
      const other = any();
      return any().map((component, i) => component + 0.5 * at(other, i));
    });
  }
}
