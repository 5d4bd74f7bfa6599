import type { ArticleTable } from "./articles.ts";
import { BLOCK, type QuantizedQuery, type RowSet, sizeOf } from "./codes.ts";
import { grown } from "./memory.ts";
import type { RowTable } from "./rows.ts";
import type { SketchStore } from "./sketch.ts";

/** The rows of a set from its `start`-th on, before its `end`-th. */
function sliceOf(set: RowSet, start: number, end: number): RowSet {
  if (!("from" in set)) return set.subarray(start, end);
  return { from: set.from + start, to: Math.min(set.to, set.from + end) };
}

/** Cosines are told apart by so many steps from -1 to 1: less than the error of int8 codes. */
const STEPS = 4096;

/**
 * Holds what at least `k` articles, or rows, are certain to reach, raised as more of them are met: a count of each by
 * the step below the best that it is certain of.
 */
export class Floor {
  #k = 1;
  readonly #counts = new Int32Array(STEPS + 2);
  /** The step of each article met so far, by its ordinal; 0 for none. All 0 between two searches. */
  #steps = new Uint16Array(0);
  /** The step of the floor, and how many are at it or above. */
  #step = 1;
  #above = 0;

  /** Starts for the `k` best of articles with ordinals below `articles`. */
  begin(k: number, articles: number): void {
    this.#k = k;
    this.#counts.fill(0);
    this.#step = 1;
    this.#above = 0;
    if (this.#steps.length < articles) this.#steps = new Uint16Array(articles * 2);
  }

  /** A cosine; minus infinity before there are `k`. */
  get value(): number {
    return this.#above < this.#k ? Number.NEGATIVE_INFINITY : ((this.#step - 1) * 2) / STEPS - 1;
  }

  /**
   * Counts the rows from `from` to before `to`: what each is certain to reach, and, where articles are counted and not
   * rows, the row's number and the article of each row.
   */
  raise(least: Float64Array, from: number, to: number, rows?: Uint32Array, articles?: Uint32Array): void {
    for (let i = from; i < to; i++) {
      const step = Math.min(STEPS + 1, 1 + Math.floor(((least[i] ?? 0) + 1) * (STEPS / 2)));
      if (step < this.#step) continue;
      if (rows !== undefined && articles !== undefined) {
        const article = articles[rows[i] ?? 0] ?? 0;
        const before = this.#steps[article] ?? 0;
        if (step <= before) continue;
        this.#steps[article] = step;
        this.#count(before, -1);
      }
      this.#count(step, 1);
      while (this.#above - (this.#counts[this.#step] ?? 0) >= this.#k) this.#above -= this.#counts[this.#step++] ?? 0;
    }
  }

  /** Forgets the articles of the first `count` rows; all that were counted are to be among them. */
  forget(rows: Uint32Array, count: number, articles: Uint32Array): void {
    for (let i = 0; i < count; i++) this.#steps[articles[rows[i] ?? 0] ?? 0] = 0;
  }

  #count(step: number, change: 1 | -1): void {
    if (step < this.#step || step === 0) return;
    this.#counts[step] = (this.#counts[step] ?? 0) + change;
    this.#above += change;
  }
}

/** The chunks and the articles that they belong to. */
type Tables = { rows: RowTable; articles: ArticleTable };

/** An article found: its ordinal, its best row, and the cosine of that row and the query. */
export type Found = { ordinal: number; row: number; score: number };

/** Holds what the `k` nearest are counted in: articles, each by its best row, or rows. */
type Unit = "article" | "row";

/** Rows of the first scan; those after it are of twice as many each, up to {@link BLOCK}. */
const FIRST_BLOCK = 256;

/** Says how many times as many rows as articles are asked for are searched first. */
const FIRST_SHARE = 2;

/**
 * Rows that may belong to an answer: the least and the most that the cosine of each can be, and the cosines once they
 * are compared. Reused by the next search of this thread.
 */
const candidates = {
  count: 0,
  rows: new Uint32Array(0),
  least: new Float64Array(0),
  most: new Float64Array(0),
  cosines: new Float64Array(0),
};

const floor = new Floor();

/**
 * The `k` articles, or rows, nearest to the query among the rows of all the sets, exactly, best first. All of them are
 * scanned by their int8 codes; the error of a code is known, so that only rows that can belong to the answer are
 * compared at full precision: those that may reach what the `k` best so far are certain to reach.
 */
export function exactSearch(
  tables: Tables,
  among: Iterable<RowSet>,
  query: QuantizedQuery,
  k: number,
  unit: Unit = "article",
): Found[] {
  const { rows, articles } = tables;
  candidates.count = 0;
  const ordinals = rows.ordinals();
  floor.begin(k, articles.capacity);
  let block = FIRST_BLOCK;
  for (const set of among) {
    const size = sizeOf(set);
    for (let from = 0; from < size; from += block, block = Math.min(2 * block, BLOCK)) {
      const before = candidates.count;
      keepFrom(rows, sliceOf(set, from, from + block), query, floor.value);
      if (unit === "row") floor.raise(candidates.least, before, candidates.count);
      else floor.raise(candidates.least, before, candidates.count, candidates.rows, ordinals);
    }
  }
  if (unit === "article") floor.forget(candidates.rows, candidates.count, ordinals);
  dropBelow(floor.value);
  rows.cosines(candidates.rows, candidates.count, query.unit, candidates.cosines);
  return best({ rows, articles }, k, unit);
}

/**
 * The `k` articles nearest to the query among all rows. First those are searched that are nearest by their sketches,
 * about twice `k`; then of all others those that may reach the `k` best so far, by their sketches.
 */
export function sketchedSearch(tables: Tables, sketches: SketchStore, query: QuantizedQuery, k: number): Found[] {
  sketches.estimate(query);
  const reached = sketches.reachedBy(FIRST_SHARE * k);
  function* among(): Generator<RowSet> {
    yield* sketches.lists(() => reached, Number.POSITIVE_INFINITY);
    yield* sketches.lists(() => floor.value, reached);
  }
  return exactSearch(tables, among(), query, k);
}

/** Scans at most {@link BLOCK} rows; those that may reach `floor` become candidates. */
function keepFrom(rows: RowTable, among: RowSet, query: QuantizedQuery, floor: number): void {
  const kept = rows.codes.scan(among, query, floor);
  const { count } = candidates;
  const length = count + kept.count;
  if (length > candidates.rows.length) {
    candidates.rows = grown(candidates.rows, length, (size) => new Uint32Array(size));
    for (const column of ["least", "most", "cosines"] as const) {
      candidates[column] = grown(candidates[column], candidates.rows.length, (size) => new Float64Array(size));
    }
  }
  const { rows: numbers, least, most } = candidates;
  for (let i = 0; i < kept.count; i++) {
    numbers[count + i] = kept.rows[i] ?? 0;
    least[count + i] = kept.bounds[2 * i] ?? 0;
    most[count + i] = kept.bounds[2 * i + 1] ?? 0;
  }
  candidates.count = length;
}

function dropBelow(floor: number): void {
  const { count, rows, least, most } = candidates;
  let kept = 0;
  for (let i = 0; i < count; i++) {
    if ((most[i] ?? 0) < floor) continue;
    rows[kept] = rows[i] ?? 0;
    least[kept] = least[i] ?? 0;
    most[kept] = most[i] ?? 0;
    kept++;
  }
  candidates.count = kept;
}

/** The place, from 1, of an ordinal among the articles met so far; 0 for none. All 0 between two calls. */
let places = new Uint32Array(0);

/**
 * Folds the candidates into their units, the best row of each article (ties: the earlier chunk), and returns the `k`
 * best (ties: the smaller article id, then the earlier chunk).
 */
function best({ rows, articles }: Tables, k: number, unit: Unit): Found[] {
  const { count, rows: numbers, cosines } = candidates;
  const ordinals = rows.ordinals();
  const found: Found[] = [];
  if (places.length < articles.capacity) places = new Uint32Array(articles.capacity * 2);
  for (let i = 0; i < count; i++) {
    const score = cosines[i] ?? 0;
    const row = numbers[i] ?? 0;
    const ordinal = ordinals[row] ?? 0;
    const known = unit === "row" ? undefined : found[(places[ordinal] ?? 0) - 1];
    if (known === undefined) places[ordinal] = found.push({ ordinal, row, score });
    else if (score > known.score || (score === known.score && rows.chunk(row).no < rows.chunk(known.row).no)) {
      known.row = row;
      known.score = score;
    }
  }
  for (const { ordinal } of found) places[ordinal] = 0;
  const order = (a: Found, b: Found): number =>
    b.score - a.score ||
    articles.articleId(a.ordinal) - articles.articleId(b.ordinal) ||
    rows.chunk(a.row).no - rows.chunk(b.row).no;
  return found.sort(order).slice(0, k);
}
