import type { ClaimPosition, NumberedVector, Store } from "../store/mod.ts";
import { type Candidate, NearestVectors } from "./nearest.ts";

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
