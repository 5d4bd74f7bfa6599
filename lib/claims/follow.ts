import { quantizeQuery } from "../search/vector/codes.ts";
import { grown } from "../search/vector/memory.ts";
import { createSketchStore, type SketchStore } from "../search/vector/sketch.ts";
import { BoundedMap } from "../std/mod.ts";
import type { ClaimPosition, NumberedVector, Store } from "../store/mod.ts";
import { codePointSlice } from "../text/mod.ts";

/** Candidates that a search gives, at most: each is read from the database and compared exactly. */
const MAX_CANDIDATES = 200;

/** By how much the least cosine is raised while there are too many candidates. */
const STEP = 0.02;

/** A candidate: what the row belongs to, and the row, to be dropped where that is gone. */
type Candidate = { id: number; row: number };

/**
 * Finds what is probably near to a vector, in little memory: a bit a dimension of each vector, 40 bytes with 256
 * dimensions. What belongs to an id is only ever added to; whoever reads the candidates' own vectors sees which of them
 * are still right, and drops the others.
 */
export class NearestVectors {
  readonly #dims: number;
  #sketches: SketchStore | undefined;
  #ids: Float64Array = new Float64Array(1024);
  #rows = 0;

  /** @throws RangeError for fewer than 64 dimensions, or a machine without 128-bit instructions */
  constructor(dims: number) {
    this.#dims = dims;
    this.#sketches = sketches(dims);
  }

  /** Rows, those that were dropped included. */
  get size(): number {
    return this.#rows;
  }

  /** Adds a vector: signed bytes of which the direction counts. One of zeros, or of another length, is left out. */
  add(id: number, vector: Int8Array): void {
    if (vector.length !== this.#dims || vector.every((byte) => byte === 0)) return;
    const row = this.#rows++;
    this.#ids = grown(this.#ids, this.#rows, (length) => new Float64Array(length));
    this.#ids[row] = id;
    this.#sketches?.write(row, vector);
  }

  /** Takes rows out. */
  drop(rows: readonly number[]): void {
    for (const row of rows) if (row < this.#rows) this.#sketches?.clear(row);
  }

  /** Begins with nothing. */
  clear(): void {
    this.#sketches = sketches(this.#dims);
    this.#rows = 0;
  }

  /** Returns about `count` of the nearest, in no order, those among them whose cosine may reach `least`. */
  near(vector: Int8Array, { least, count }: { least: number; count: number }): Candidate[] {
    const store = this.#sketches;
    const query = quantizeQuery(Float32Array.from(vector));
    if (store === undefined || query === undefined || this.#rows === 0) return [];
    store.estimate(query);
    let reach = Math.max(least, store.reachedBy(count));
    for (;;) {
      const rows: number[] = [];
      for (const list of store.lists(() => reach, Number.POSITIVE_INFINITY)) {
        for (const row of list) if (row < this.#rows) rows.push(row);
        if (rows.length > MAX_CANDIDATES) break;
      }
      if (rows.length <= MAX_CANDIDATES || reach > 1.2) {
        return rows.slice(0, MAX_CANDIDATES).map((row) => ({ id: this.#ids[row] ?? 0, row }));
      }
      reach += STEP;
    }
  }
}

function sketches(dims: number): SketchStore {
  const store = createSketchStore(dims);
  if (store === undefined) throw new RangeError(`claims need vectors of 64 dimensions and more; these have ${dims}`);
  return store;
}

/** Returns a vector as signed bytes, the largest ±127; zeros where it has no direction. */
export function signedBytesOf(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) =>
    largest > 0 && Number.isFinite(largest) ? Math.round((value / largest) * 127) : 0,
  );
}

/** Returns the cosine of two vectors, of which the direction counts; 0 where one has none. */
export function cosine(a: Int8Array | Float32Array, b: Int8Array | Float32Array): number {
  let [product, squareA, squareB] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    const [x, y] = [a[i] ?? 0, b[i] ?? 0];
    product += x * y;
    squareA += x * x;
    squareB += y * y;
  }
  return squareA > 0 && squareB > 0 ? product / Math.sqrt(squareA * squareB) : 0;
}

/** Vectors of a page. */
const PAGE = 5_000;

/** Something of the store that can be followed by a number that grows. */
type Followed = {
  kind: "claims" | "reviews";
  /** Returns what was changed after a number, in order, each with the number of its change. */
  page(after: number, limit: number): Promise<(NumberedVector & { seq: number })[]>;
};

/** Vectors of the database in the memory of this process. */
export type FollowedVectors = {
  /**
   * Reads what is new; nothing where it goes as far as `position`, which is asked for where it is not given. Returns up
   * to which change it goes. Calls side by side share one reading.
   */
  sync(position?: ClaimPosition): Promise<number>;
  near: NearestVectors["near"];
  drop(rows: readonly number[]): void;
  size(): number;
};

/**
 * Follows the vectors of claims or reviews. Nothing is kept on disk: a process reads them when it needs them first, in
 * pages between which others go on, and what is new before each use. Where the database has become another one (a
 * replica was promoted, a backup restored), it begins anew.
 */
function followVectors(
  store: { claims: Pick<Store["claims"], "position"> },
  { kind, page }: Followed,
  dims: number,
): FollowedVectors {
  const nearest = new NearestVectors(dims);
  let last = 0;
  let epoch: string | undefined;
  let reading: Promise<void> | undefined;
  const read = async (position: ClaimPosition): Promise<void> => {
    if (position.epoch !== epoch) {
      nearest.clear();
      last = 0;
      epoch = position.epoch;
    }
    while (last < position[kind]) {
      const rows = await page(last, PAGE);
      for (const { id, vector, seq } of rows) {
        nearest.add(id, vector);
        last = seq;
      }
      // What is left is of other models.
      if (rows.length < PAGE) last = Math.max(last, position[kind]);
    }
  };
  return {
    async sync(given) {
      const position = given ?? (await store.claims.position());
      while (position.epoch !== epoch || last < position[kind]) {
        reading ??= read(position).finally(() => {
          reading = undefined;
        });
        await reading;
      }
      return last;
    },
    near: (vector, options) => nearest.near(vector, options),
    drop: (rows) => nearest.drop(rows),
    size: () => nearest.size,
  };
}

/** Follows the claims, by the embedding model of this id. */
export function followClaims(
  store: { claims: Pick<Store["claims"], "position" | "vectors"> },
  { modelId, dims }: { modelId: string; dims: number },
): FollowedVectors {
  return followVectors(
    store,
    { kind: "claims", page: (after, limit) => store.claims.vectors(modelId, { after, limit }) },
    dims,
  );
}

/** Follows the reviews. */
export function followReviews(
  store: { claims: Pick<Store["claims"], "position">; reviews: Pick<Store["reviews"], "vectors"> },
  { modelId, dims }: { modelId: string; dims: number },
): FollowedVectors {
  return followVectors(
    store,
    { kind: "reviews", page: (after, limit) => store.reviews.vectors(modelId, { after, limit }) },
    dims,
  );
}

/** Follows the reviews by the vectors of the model that reranks, of this id. */
export function followReadings(
  store: { claims: Pick<Store["claims"], "position">; reviews: Pick<Store["reviews"], "readings"> },
  { modelId, dims }: { modelId: string; dims: number },
): FollowedVectors {
  return followVectors(
    store,
    { kind: "reviews", page: (after, limit) => store.reviews.readings(modelId, { after, limit }) },
    dims,
  );
}

export type { Candidate };

/**
 * Holds what reads texts to vectors that compare: a text that is asked about as `query`, one that is asked as
 * `passage`.
 */
export type TextEncoder = {
  readonly modelId: string;
  read(
    texts: readonly { kind: "query" | "passage"; text: string; longest?: number }[],
    options?: { signal?: AbortSignal },
  ): Promise<Float32Array[]>;
};

/** Bounds the texts whose vectors are cached. */
const CACHED_TEXTS = 4_000;

/** Bounds the texts that the model is given at a time: others ask it, too, and few may wait for it. */
const TEXTS_AT_A_TIME = 16;

/** Code points of a claim that are read. */
const MAX_POINTS = 400;

/** Stands for the model where there is none. */
const NO_MODEL = "none";

/** Reads texts, each once while it is cached; to no vectors where there is no model that reads texts by themselves. */
export function cachedReader(encoder: TextEncoder | undefined) {
  const cached = new BoundedMap<string, Float32Array>(CACHED_TEXTS);
  return {
    modelId: encoder?.modelId ?? NO_MODEL,
    async read(kind: "query" | "passage", texts: readonly string[], signal?: AbortSignal): Promise<Float32Array[]> {
      if (encoder === undefined) return [];
      const keys = texts.map((text) => `${kind} ${codePointSlice(text, 0, MAX_POINTS)}`);
      const known = new Map(keys.map((key) => [key, cached.get(key)]));
      const missing = [...known].flatMap(([key, vector]) => (vector === undefined ? [key] : []));
      for (let start = 0; start < missing.length; start += TEXTS_AT_A_TIME) {
        const some = missing.slice(start, start + TEXTS_AT_A_TIME);
        const vectors = await encoder.read(
          some.map((key) => ({ kind, text: key.slice(kind.length + 1) })),
          signal === undefined ? {} : { signal },
        );
        for (const [i, key] of some.entries()) {
          const vector = vectors[i];
          if (vector === undefined) throw new Error("the encoder returned no vector");
          cached.set(key, vector);
          known.set(key, vector);
        }
      }
      return keys.flatMap((key) => known.get(key) ?? []);
    },
  };
}

export type CachedReader = ReturnType<typeof cachedReader>;
