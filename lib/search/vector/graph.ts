import { Index, MetricKind, ScalarKind } from "usearch";
import { at } from "../../std/mod.ts";
import type { Found } from "./exact.ts";
import { type QuantizedQuery, quantizeQuery } from "./codes.ts";
import { LINKED, type RowTable } from "./rows.ts";

/**
 * Shape of the graph. Measured on 130,000 chunks of Arabic and English news, 256 dimensions: with 16 links and 128
 * candidates an addition takes 0.1 to 0.2 ms on one core, and a search of titles that looks at 512 candidates finds
 * .988 to .995 of the exact ten, at 1,024 .994 to .997. Twice the links or twice the candidates gain less than looking
 * at more. The depth of a search is chosen by measurement, see `Calibration`.
 */
const CONNECTIVITY = 16;
const EXPANSION_ADD = 128;

/**
 * Approximate nearest neighbours over rows of int8 codes: a hierarchical navigable small world graph (Malkov and
 * Yashunin 2018). What goes in is checked here, because the library takes a repeated key halfway through a batch, and
 * asks nothing of a file that it loads.
 */
export class Graph {
  readonly #dims: number;
  readonly #index: Index;

  constructor(dims: number) {
    this.#dims = dims;
    this.#index = new Index({
      dimensions: dims,
      metric: MetricKind.Cos,
      quantization: ScalarKind.I8,
      connectivity: CONNECTIVITY,
      expansion_add: EXPANSION_ADD,
      // The number of results asked for is the number of candidates looked at.
      expansion_search: 1,
      multi: false,
    });
  }

  /** Rows present. */
  get size(): number {
    return this.#index.size();
  }

  /**
   * Adds rows with their codes, one after another in `codes`. Throws {@link RangeError}, adding nothing, when a row is
   * there already or comes twice.
   */
  add(rows: readonly number[], codes: Int8Array): void {
    if (codes.length !== rows.length * this.#dims) throw new RangeError("codes do not match the rows");
    const keys = BigUint64Array.from(rows, BigInt);
    if (new Set(rows).size !== rows.length || this.#present(keys).includes(true)) {
      throw new RangeError("a row is in the graph already");
    }
    if (rows.length > 0) this.#index.add(keys, codes, 1);
  }

  /** Takes rows out; those that are not in are passed over. */
  remove(rows: readonly number[]): void {
    if (rows.length > 0) this.#index.remove(BigUint64Array.from(rows, BigInt));
  }

  /** Up to `depth` rows near the query, in no order to rely on. */
  search(codes: Int8Array, depth: number): Uint32Array {
    const wanted = Math.min(depth, this.size);
    if (wanted === 0) return new Uint32Array();
    const { keys } = this.#index.search(codes, wanted, 1);
    // Rows are below 2³², so the lower half of each 64-bit key is the row.
    const halves = new Uint32Array(keys.buffer, keys.byteOffset, keys.length * 2);
    const rows = new Uint32Array(keys.length);
    for (let i = 0; i < rows.length; i++) rows[i] = halves[2 * i] ?? 0;
    return rows;
  }

  save(path: string): void {
    this.#index.save(path);
  }

  /** Reads a graph of `rows` rows. Throws when the file is not one of these dimensions and this size. */
  static load(path: string, dims: number, rows: number): Graph {
    const graph = new Graph(dims);
    graph.#index.load(path);
    if (graph.#index.dimensions() !== dims || graph.size !== rows) {
      throw new RangeError(`the graph has ${graph.size} rows of ${graph.#index.dimensions()} dimensions`);
    }
    return graph;
  }

  #present(keys: BigUint64Array): boolean[] {
    const present = this.#index.contains(keys);
    return Array.isArray(present) ? present : [present];
  }
}

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
