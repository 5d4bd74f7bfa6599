import type { NumberedVector, Store } from "../store/mod.ts";
import { type Candidate, NearestVectors } from "./nearest.ts";

/** Vectors of a page. */
const PAGE = 5_000;

/** Something of the store that can be followed by a number that grows. */
type Followed = {
  /** Returns what was changed after a number, in order, each with the number of its change. */
  page(after: number, limit: number): Promise<(NumberedVector & { seq: number })[]>;
};

/** Vectors of the database in the memory of this process. */
export type FollowedVectors = {
  /** Reads what is new. Returns up to which change it goes. Calls side by side share one reading. */
  sync(): Promise<number>;
  near: NearestVectors["near"];
  drop(rows: readonly number[]): void;
  size(): number;
};

/**
 * Follows the vectors of claims or reviews. Nothing is kept on disk: a process reads them when it needs them first, in
 * pages between which others go on, and what is new before each use. Where the database has become another one (a
 * replica was promoted, a backup restored), it begins anew.
 */
export function followVectors(
  store: { claims: Pick<Store["claims"], "epoch"> },
  { page }: Followed,
  dims: number,
): FollowedVectors {
  const nearest = new NearestVectors(dims);
  let last = 0;
  let epoch: string | undefined;
  let reading: Promise<number> | undefined;
  const read = async (): Promise<number> => {
    const current = await store.claims.epoch();
    if (current !== epoch) {
      nearest.clear();
      last = 0;
      epoch = current;
    }
    for (;;) {
      const rows = await page(last, PAGE);
      for (const { id, vector, seq } of rows) {
        nearest.add(id, vector);
        last = seq;
      }
      if (rows.length < PAGE) return last;
    }
  };
  return {
    sync() {
      reading ??= read().finally(() => {
        reading = undefined;
      });
      return reading;
    },
    near: (vector, options) => nearest.near(vector, options),
    drop: (rows) => nearest.drop(rows),
    size: () => nearest.size,
  };
}

/** Follows the claims, by the embedding model of this id. */
export function followClaims(
  store: { claims: Pick<Store["claims"], "epoch" | "vectors"> },
  { modelId, dims }: { modelId: string; dims: number },
): FollowedVectors {
  return followVectors(store, { page: (after, limit) => store.claims.vectors(modelId, { after, limit }) }, dims);
}

/** Follows the reviews. */
export function followReviews(
  store: { claims: Pick<Store["claims"], "epoch">; reviews: Pick<Store["reviews"], "vectors"> },
  { modelId, dims }: { modelId: string; dims: number },
): FollowedVectors {
  return followVectors(store, { page: (after, limit) => store.reviews.vectors(modelId, { after, limit }) }, dims);
}

/** Follows the reviews by the vectors of the model that reranks, of this id. */
export function followReadings(
  store: { claims: Pick<Store["claims"], "epoch">; reviews: Pick<Store["reviews"], "readings"> },
  { modelId, dims }: { modelId: string; dims: number },
): FollowedVectors {
  return followVectors(store, { page: (after, limit) => store.reviews.readings(modelId, { after, limit }) }, dims);
}

export type { Candidate };
