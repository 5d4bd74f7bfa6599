import { at } from "../../std/mod.ts";
import { grown } from "../vector/memory.ts";

/**
 * The `k`-th largest of `values` (k from 1), by quickselect (Hoare 1961); the values are left in another order. Minus
 * infinity when there are fewer than `k`.
 */
export function kthLargest(values: Float64Array, k: number): number {
  if (k > values.length) return Number.NEGATIVE_INFINITY;
  const wanted = k - 1;
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const pivot = medianOfThree(values[low] ?? 0, values[(low + high) >> 1] ?? 0, values[high] ?? 0);
    let i = low;
    let j = high;
    while (i <= j) {
      while ((values[i] ?? 0) > pivot) i++;
      while ((values[j] ?? 0) < pivot) j--;
      if (i <= j) {
        const left = values[i] ?? 0;
        values[i++] = values[j] ?? 0;
        values[j--] = left;
      }
    }
    if (wanted <= j) high = j;
    else if (wanted >= i) low = i;
    else break;
  }
  return values[wanted] ?? Number.NEGATIVE_INFINITY;
}

function medianOfThree(a: number, b: number, c: number): number {
  return Math.max(Math.min(a, b), Math.min(Math.max(a, b), c));
}

/** Documents in columns: their scores and ids, and where they are. */
type Ranking = {
  readonly scores: Float32Array;
  readonly ids: Float64Array;
  readonly segments: Uint16Array;
  readonly docs: Uint16Array;
};

/** Says how many documents are held for each one that is wanted: what exceeds it is dropped together. */
const ROOM = 4;

/** More than the places that are ever held, and few enough that a score's bits fit above them into a number. */
const PLACES = 2 ** 21;

/** Room that is used again and again: to allocate it for each search takes as long as to fill it. */
let room: Ranking = columns(0);
let scratch: Float64Array = new Float64Array(0);

/** Numbers, at least so many, with any values; until the next call. */
function scratchOf(length: number): Float64Array {
  scratch = grown(scratch, length, (size) => new Float64Array(size));
  return scratch.subarray(0, length);
}

/** The best `k` of many documents, by score and then by id; one at a time in a thread. */
export class Top {
  readonly #k: number;
  readonly #held: Ranking;
  readonly #room: number;
  #count = 0;
  #least = 0;

  constructor(k: number) {
    this.#k = k;
    this.#room = k * ROOM;
    if (room.ids.length < this.#room) room = columns(this.#room);
    this.#held = room;
  }

  /** Returns what has a lower score cannot be among the best any more. */
  get least(): number {
    return this.#least;
  }

  add(score: number, id: number, segment: number, doc: number): void {
    const { scores, ids, segments, docs } = this.#held;
    if (this.#count === this.#room) this.#drop();
    if (score < this.#least) return;
    scores[this.#count] = score;
    ids[this.#count] = id;
    segments[this.#count] = segment;
    docs[this.#count++] = doc;
  }

  /** The best, best first. */
  ranking(): Ranking {
    const least = this.#count > this.#k ? this.#kth() : 0;
    return pick(this.#held, order(this.#held, this.#count, least).subarray(0, this.#k));
  }

  /** The score of the one that is at place `k`. */
  #kth(): number {
    const values = scratchOf(this.#count);
    values.set(this.#held.scores.subarray(0, this.#count));
    return kthLargest(values, this.#k);
  }

  /** Leaves the best `k`. */
  #drop(): void {
    const { scores, ids } = this.#held;
    const least = this.#kth();
    const level: number[] = [];
    let better = 0;
    for (let i = 0; i < this.#count; i++) {
      const score = scores[i] ?? 0;
      if (score > least) better++;
      else if (score === least) level.push(ids[i] ?? 0);
    }
    // Of those that are level the largest ids stay.
    const leastId = level.sort((a, b) => b - a)[this.#k - better - 1] ?? 0;
    let kept = 0;
    for (let i = 0; i < this.#count; i++) {
      const score = scores[i] ?? 0;
      if (score > least || (score === least && (ids[i] ?? 0) >= leastId)) move(this.#held, i, kept++);
    }
    this.#count = kept;
    this.#least = least;
  }
}

/** The places of those of the first `count` documents whose score is at least `least`, best first. */
function order({ scores, ids }: Ranking, count: number, least: number): Uint32Array {
  // The bits of positive numbers are in the order of the numbers; with the place below them they sort as one number.
  const bits = new Uint32Array(scores.buffer);
  const keys = scratchOf(count);
  let kept = 0;
  for (let i = 0; i < count; i++) if ((scores[i] ?? 0) >= least) keys[kept++] = (bits[i] ?? 0) * PLACES + i;
  keys.subarray(0, kept).sort();
  const places = new Uint32Array(kept);
  for (let i = 0; i < kept; i++) {
    const key = keys[i] ?? 0;
    // Many times as fast as a remainder.
    places[kept - 1 - i] = key - Math.floor(key / PLACES) * PLACES;
  }
  for (let from = 0; from < kept; ) {
    const score = scores[places[from] ?? 0];
    let to = from + 1;
    while (to < kept && scores[places[to] ?? 0] === score) to++;
    if (to - from > 1) orderById(places, from, to, ids);
    from = to;
  }
  return places;
}

/** Most places that are put in order without an array of their own. */
const FEW = 12;

/** Puts the places from `from` to `to` into the order of descending ids. */
function orderById(places: Uint32Array, from: number, to: number, ids: Float64Array): void {
  if (to - from > FEW) {
    places.subarray(from, to).sort((a, b) => at(ids, b) - at(ids, a));
    return;
  }
  for (let i = from + 1; i < to; i++) {
    const place = places[i] ?? 0;
    let j = i;
    for (; j > from && (ids[places[j - 1] ?? 0] ?? 0) < (ids[place] ?? 0); j--) places[j] = places[j - 1] ?? 0;
    places[j] = place;
  }
}

/** The documents at these places, in their order. */
function pick({ scores, ids, segments, docs }: Ranking, places: Uint32Array): Ranking {
  const picked = columns(places.length);
  for (let i = 0; i < places.length; i++) {
    const place = places[i] ?? 0;
    picked.scores[i] = scores[place] ?? 0;
    picked.ids[i] = ids[place] ?? 0;
    picked.segments[i] = segments[place] ?? 0;
    picked.docs[i] = docs[place] ?? 0;
  }
  return picked;
}

function move({ scores, ids, segments, docs }: Ranking, from: number, to: number): void {
  scores[to] = scores[from] ?? 0;
  ids[to] = ids[from] ?? 0;
  segments[to] = segments[from] ?? 0;
  docs[to] = docs[from] ?? 0;
}

function columns(length: number): Ranking {
  return {
    scores: new Float32Array(length),
    ids: new Float64Array(length),
    segments: new Uint16Array(length),
    docs: new Uint16Array(length),
  };
}
