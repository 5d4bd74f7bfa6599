import type { ArticleTable } from "./articles.ts";
import { kthLargest } from "./kth-largest.ts";
import type { QuantizedQuery } from "./quantize.ts";
import type { RowTable } from "./rows.ts";

/** The chunks and the articles that they belong to. */
export type Tables = { rows: RowTable; articles: ArticleTable };

/** An article found: its ordinal, its best row, and the cosine of that row and the query. */
export type Found = { ordinal: number; row: number; score: number };

/** What the `k` nearest are counted in: articles, each by its best row, or rows. */
export type Unit = "article" | "row";

/**
 * The `k` articles, or rows, nearest to the query among the rows of `list`, exactly, best first. All rows
 * are scanned by their int8 codes; the error of a code is known, so that only rows that can belong to the answer are
 * compared at full precision.
 */
export function exactSearch(
  { rows, articles }: Tables,
  list: Uint32Array,
  query: QuantizedQuery,
  k: number,
  unit: Unit = "article",
): Found[] {
  const { most, least } = scoreBounds(rows, list, query);
  /** The cosines of the rows that were compared. */
  const exact = new Float64Array(list.length).fill(Number.NEGATIVE_INFINITY);
  const compare = (bounds: Float64Array, threshold: number) => {
    for (let i = 0; i < list.length; i++) {
      if ((bounds[i] ?? 0) < threshold || exact[i] !== Number.NEGATIVE_INFINITY) continue;
      exact[i] = rows.cosine(list[i] ?? 0, query.unit);
    }
  };
  const kthBest = (values: Float64Array): number =>
    kthLargest(unit === "row" ? values.slice() : bestByArticle(rows, articles.capacity, list, values), k);
  // At least k units have a row that is certain to reach this score; compared exactly they give a sharper limit.
  compare(least, kthBest(least));
  compare(most, kthBest(exact));
  return best({ rows, articles }, list, exact, k, unit);
}

/** The most and the least that the cosine of each row of `list` can be. */
function scoreBounds(rows: RowTable, list: Uint32Array, query: QuantizedQuery) {
  const products = rows.codes.dots(list, query.wide);
  const { scale, error } = rows.quantization();
  const most = new Float64Array(list.length);
  const least = new Float64Array(list.length);
  for (let i = 0; i < list.length; i++) {
    const row = list[i] ?? 0;
    const score = (products[i] ?? 0) * (scale[row] ?? 0) * query.scale;
    const rowError = error[row] ?? 0;
    const bound = rowError + query.error * (1 + rowError);
    most[i] = score + bound;
    least[i] = score - bound;
  }
  return { most, least };
}

/** The place, from 1, of an ordinal among the articles met so far; 0 for none. All 0 between two calls. */
let places = new Uint32Array(0);

/** The largest value among the rows in `list` of each article that has one there. */
function bestByArticle(rows: RowTable, articles: number, list: Uint32Array, values: Float64Array): Float64Array {
  const article = rows.ordinals();
  if (places.length < articles) places = new Uint32Array(articles * 2);
  const best = new Float64Array(Math.min(articles, list.length));
  let count = 0;
  for (let i = 0; i < list.length; i++) {
    const ordinal = article[list[i] ?? 0] ?? 0;
    const place = places[ordinal] ?? 0;
    const value = values[i] ?? 0;
    if (place === 0) {
      best[count++] = value;
      places[ordinal] = count;
    } else if (value > (best[place - 1] ?? 0)) best[place - 1] = value;
  }
  forgetPlaces(rows, list);
  return best.subarray(0, count);
}

function forgetPlaces(rows: RowTable, list: Uint32Array): void {
  const article = rows.ordinals();
  for (let i = 0; i < list.length; i++) places[article[list[i] ?? 0] ?? 0] = 0;
}

/**
 * Folds the rows that were compared into their units, the best row of each article (ties: the earlier chunk), and
 * returns the `k` best (ties: the smaller article id, then the earlier chunk).
 */
function best({ rows, articles }: Tables, list: Uint32Array, exact: Float64Array, k: number, unit: Unit): Found[] {
  const found: Found[] = [];
  if (places.length < articles.capacity) places = new Uint32Array(articles.capacity * 2);
  for (let i = 0; i < list.length; i++) {
    const score = exact[i] ?? Number.NEGATIVE_INFINITY;
    if (score === Number.NEGATIVE_INFINITY) continue;
    const row = list[i] ?? 0;
    const ordinal = rows.article(row);
    const known = unit === "row" ? undefined : found[(places[ordinal] ?? 0) - 1];
    if (known === undefined) places[ordinal] = found.push({ ordinal, row, score });
    else if (score > known.score || (score === known.score && rows.chunk(row).no < rows.chunk(known.row).no)) {
      known.row = row;
      known.score = score;
    }
  }
  forgetPlaces(rows, list);
  const order = (a: Found, b: Found): number =>
    b.score - a.score ||
    articles.articleId(a.ordinal) - articles.articleId(b.ordinal) ||
    rows.chunk(a.row).no - rows.chunk(b.row).no;
  return found.sort(order).slice(0, k);
}
