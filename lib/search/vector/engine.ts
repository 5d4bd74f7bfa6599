import type { ChunkCondition } from "../../contract/filters.ts";
import { at } from "../../std/mod.ts";
import type { KeyedChunk } from "../../store/mod.ts";
import { type ArticleFields, type Filters, isUnfiltered } from "../filters.ts";
import { ArticleTable } from "./articles.ts";
import { Calibration, Graph, LEAST_DEPTH } from "./graph.ts";
import { type QuantizedQuery, quantizeQuery, type RowSet } from "./codes.ts";
import { exactSearch, type Found, sketchedSearch } from "./exact.ts";
import { grown } from "./memory.ts";
import { LINKED, RowTable, WAITING } from "./rows.ts";

/**
 * A change to the chunks of an article, under its key: a chunk with what filters look at of the article, or all that it
 * had are gone.
 */
export type ChunkChange =
  | (Omit<KeyedChunk, "key"> & ArticleFields & { kind: "upsert"; articleId: number })
  | { kind: "delete"; articleId: number };

/**
 * Articles found, best first, in columns so that they cross a thread without copying. `chunks` holds no, start, end of
 * each best chunk; `candidates` is how many articles pass the filters.
 */
export type Hits = { articleIds: Float64Array; scores: Float64Array; chunks: Int32Array; candidates: number };

/** Holds what {@link VectorEngine.apply} did. `skipped` vectors had no direction or other dimensions. */
type Applied = { skipped: number };

/** Rows linked in one native call: about 0.5 ms. */
const LINK_BATCH = 4;

/**
 * A candidate of the graph costs as much as the scan of so many rows. Measured over 83,000 rows of 256 dimensions, for
 * 200 articles: 1.9 µs, and 10 to 15 ns.
 */
const SCANNED_PER_CANDIDATE = 100;

/** Rows are looked at by their sketches first where there are so many for each article asked for. */
const SKETCHED_PER_ARTICLE = 64;

/**
 * The chunk vectors of one model and everything needed to search them, in one thread. A chunk is found as soon as
 * `apply` returns: until it is linked into the graph it is scanned. Filtered searches scan, and are exact; unfiltered
 * ones scan by sketches, or use the graph at the depth that {@link Calibration} chose, and compare what these give at
 * full precision. Where there are too few rows for the graph, none is linked.
 */
export class VectorEngine {
  readonly dims: number;
  readonly articles: ArticleTable;
  readonly rows: RowTable;
  readonly graph: Graph;
  readonly calibration: Calibration;
  /** The graph is asked for candidates only where as many times more rows would be scanned. */
  readonly scannedPerCandidate: number;
  /** The position in the log up to which changes are applied. */
  seq = 0;
  mark = "";
  /** True when rows are linked: from when there are so many that the graph may be asked. */
  #linking = false;
  /** Rows to link, those from `#waitingAt` to `#waitingEnd`, and some that were removed while they waited. */
  #queue = new Uint32Array(0);
  #waitingAt = 0;
  #waitingEnd = 0;

  constructor(
    dims: number,
    tables: { articles: ArticleTable; rows: RowTable; graph: Graph } = {
      articles: new ArticleTable(),
      rows: new RowTable(dims),
      graph: new Graph(dims),
    },
    scannedPerCandidate = SCANNED_PER_CANDIDATE,
  ) {
    this.dims = dims;
    this.articles = tables.articles;
    this.rows = tables.rows;
    this.graph = tables.graph;
    this.scannedPerCandidate = scannedPerCandidate;
    this.calibration = new Calibration(this);
    this.#linkWhenWorthwhile();
  }

  /** Rows that are not in the graph. */
  get waiting(): number {
    return this.rows.size - this.graph.size;
  }

  /** Applies changes in their order, up to a position of the log. */
  apply(changes: readonly ChunkChange[], seq: number, mark = ""): Applied {
    let skipped = 0;
    for (const change of changes) {
      if (change.kind === "delete") this.#removeArticle(change.articleId);
      else if (!this.#put(change)) skipped++;
    }
    this.seq = seq;
    this.mark = mark;
    return { skipped };
  }

  /**
   * Links waiting rows for about `budgetMs`, once there are so many that the graph may be asked: before that all rows
   * are scanned. Returns whether some are left to link.
   */
  link(budgetMs: number): boolean {
    const until = performance.now() + budgetMs;
    while (this.#waitingAt < this.#waitingEnd && performance.now() < until) {
      const rows: number[] = [];
      while (rows.length < LINK_BATCH && this.#waitingAt < this.#waitingEnd) {
        const row = at(this.#queue, this.#waitingAt++);
        // A row that was removed while it waited may have been given out again, and then waits twice.
        if (this.rows.state(row) === WAITING) {
          this.rows.setState(row, LINKED);
          rows.push(row);
        }
      }
      const codes = new Int8Array(rows.length * this.dims);
      rows.forEach((row, i) => {
        codes.set(this.rows.codes.read(row).subarray(0, this.dims), i * this.dims);
      });
      this.graph.add(rows, codes);
      this.calibration.changed(rows.length);
    }
    if (this.#waitingAt < this.#waitingEnd) return true;
    this.#waitingAt = 0;
    this.#waitingEnd = 0;
    return false;
  }

  /**
   * The `k` articles whose best chunk is nearest to `vector` by cosine, among those that pass the filters. Throws
   * {@link RangeError} for a vector of other dimensions or with a component that is not finite; one of zeros finds
   * nothing.
   */
  search(vector: Float32Array, k: number, filters: Filters): Hits {
    const query = this.#query(vector);
    if (query === undefined || k === 0) return this.#hits([], 0);
    if (isUnfiltered(filters)) {
      this.calibration.asked(vector);
      return this.#hits(this.#nearest(query, k), this.rows.articles());
    }
    const marked = this.articles.matching(filters);
    return this.#hits(exactSearch(this, this.#rowsOf(marked), query, k), this.rows.articles(marked));
  }

  /**
   * The `k` chunks nearest to `vector` by cosine, among those whose articles meet the conditions; exact. Throws as
   * {@link VectorEngine.search}.
   */
  searchChunks(vector: Float32Array, k: number, conditions: readonly ChunkCondition[]): Hits {
    const query = this.#query(vector);
    if (query === undefined || k === 0) return this.#hits([], 0);
    const marked = this.articles.meeting(conditions);
    return this.#hits(exactSearch(this, this.#rowsOf(marked), query, k, "row"), this.rows.articles(marked));
  }

  /** Search of all rows: exact, or by sketches and so but for one in some thousand of the last of the `k`. */
  scan(query: QuantizedQuery, k: number): Found[] {
    const { sketches, size } = this.rows;
    if (sketches === undefined || size < SKETCHED_PER_ARTICLE * k) return exactSearch(this, this.#rowsOf(), query, k);
    return sketchedSearch(this, sketches, query, k);
  }

  /** Search through the graph, looking at `depth` rows; undefined when they belong to fewer than `k` articles. */
  walk(query: QuantizedQuery, k: number, depth: number): Found[] | undefined {
    const near = this.graph.search(query.narrow, depth);
    // Rows that were removed while they waited are empty, and those that came again are found twice: both do no harm.
    const waiting = this.#queue.subarray(this.#waitingAt, this.#waitingEnd);
    const found = exactSearch(this, [near, waiting], query, k);
    return found.length < k && depth < this.graph.size ? undefined : found;
  }

  /** Bytes held by the tables and, as far as can be told, by the graph. */
  bytes(): { tables: number; graph: number } {
    // A node is its codes, 32 links of the bottom layer, a share of the layers above, its key in the hash table.
    const graph = this.graph.size * (this.dims + 32 * 4 + 48);
    return { tables: this.rows.bytes() + this.articles.bytes(), graph };
  }

  /** The rows of the articles that are marked, of all where none are. */
  #rowsOf(marked?: Uint8Array): RowSet[] {
    return [marked === undefined ? { from: 0, to: this.rows.capacity } : this.rows.list(marked)];
  }

  #query(vector: Float32Array): QuantizedQuery | undefined {
    if (vector.length === this.dims) return quantizeQuery(vector);
    throw new RangeError(`the query has ${vector.length} dimensions, the index ${this.dims}`);
  }

  #nearest(query: QuantizedQuery, k: number): Found[] {
    const atLeast = this.calibration.depth;
    if (atLeast !== undefined) {
      const deepest = this.graph.size / this.scannedPerCandidate;
      for (let depth = Math.max(atLeast, k * 3); depth <= deepest; depth *= 2) {
        const found = this.walk(query, k, depth);
        if (found !== undefined) return found;
      }
    }
    return this.scan(query, k);
  }

  #hits(found: readonly Found[], candidates: number): Hits {
    const articleIds = new Float64Array(found.length);
    const scores = new Float64Array(found.length);
    const chunks = new Int32Array(found.length * 3);
    found.forEach(({ ordinal, row, score }, i) => {
      articleIds[i] = this.articles.articleId(ordinal);
      scores[i] = score;
      const { no, start, end } = this.rows.chunk(row);
      chunks[3 * i] = no;
      chunks[3 * i + 1] = start;
      chunks[3 * i + 2] = end;
    });
    return { articleIds, scores, chunks, candidates };
  }

  #put(change: Extract<ChunkChange, { kind: "upsert" }>): boolean {
    if (change.vector.length !== this.dims) return false;
    const ordinal = this.articles.put(change.articleId, change);
    for (const row of this.rows.ofArticle(ordinal)) {
      if (this.rows.chunk(row).no === change.chunkNo) this.#removeRow(row);
    }
    const chunk = { no: change.chunkNo, start: change.start, end: change.end };
    const row = this.rows.add(ordinal, chunk, change.vector);
    if (row === undefined) return false;
    if (this.#linking) this.#enqueue(row);
    else this.#linkWhenWorthwhile();
    return true;
  }

  #removeArticle(articleId: number): void {
    const ordinal = this.articles.ordinal(articleId);
    if (ordinal === undefined) return;
    for (const row of this.rows.ofArticle(ordinal)) this.#removeRow(row);
    this.articles.remove(ordinal);
  }

  #removeRow(row: number): void {
    if (this.rows.state(row) === LINKED) {
      this.graph.remove([row]);
      this.calibration.changed(1);
    }
    this.rows.remove(row);
  }

  /** Begins to link where there are enough rows for {@link VectorEngine.scannedPerCandidate}. */
  #linkWhenWorthwhile(): void {
    if (this.rows.size < LEAST_DEPTH * this.scannedPerCandidate) return;
    this.#linking = true;
    for (const row of this.rows.list(undefined, WAITING)) this.#enqueue(row);
  }

  #enqueue(row: number): void {
    this.#queue = grown(this.#queue, this.#waitingEnd + 1, (length) => new Uint32Array(length));
    this.#queue[this.#waitingEnd++] = row;
  }
}
