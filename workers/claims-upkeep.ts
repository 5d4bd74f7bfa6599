import {
  type CachedReader,
  type FollowedVectors,
  namesAmong,
  readReviews,
  signedBytesOf,
  termsOf,
} from "@isnad/lib/claims";
import type { Embedder, Tagger } from "@isnad/lib/models";
import type { Store } from "@isnad/lib/store";

/** Holds what keeps claims and reviews up to date beside the stage. */
export type ClaimUpkeepDeps = {
  store: Pick<Store, "claims" | "reviews" | "followers">;
  embedder: Pick<Embedder, "embed" | "modelId">;
  /** Without a tagger no names are found in reviews. */
  tagger: Pick<Tagger, "tag"> | undefined;
  reader: CachedReader;
  claims: FollowedVectors;
  /** The name of this process. */
  instance: string;
};

/** The right to read reviews and claims again, which one process has at a time, and for how long. */
const LEASE = "claims-upkeep";
const LEASE_S = 60;

/** Reviews and claims that are read at a time. */
const BATCH = 32;

/**
 * Reads the reviews that are new or that other models read, links them with the claims that they are of, and makes
 * terms and vectors of claims again whose text is another one. One process does so at a time. Returns how many were
 * read.
 */
export async function keepClaims(deps: ClaimUpkeepDeps, signal: AbortSignal): Promise<number> {
  const { store, instance } = deps;
  if (!(await store.followers.lease(LEASE, { owner: instance, leaseS: LEASE_S }))) return 0;
  return (await renewReviews(deps, signal)) + (await renewClaims(deps, signal));
}

async function renewReviews(deps: ClaimUpkeepDeps, signal: AbortSignal): Promise<number> {
  const { store, embedder, tagger, reader, claims, instance } = deps;
  const models = { embedder: embedder.modelId, reader: reader.modelId };
  let count = 0;
  while (!signal.aborted) {
    const unread = await store.reviews.unread(models, BATCH);
    if (unread.length === 0) break;
    const read = await readReviews(
      {
        ...{ store, claims, reader },
        embed: (texts, signal) => embedder.embed(texts, "passage", signal),
        namesIn: async (texts, signal) =>
          tagger === undefined ? texts.map(() => []) : (await tagger.tag(texts, signal)).map(namesAmong),
      },
      unread,
      signal,
    );
    await store.reviews.putRead(models, read);
    await store.followers.lease(LEASE, { owner: instance, leaseS: LEASE_S });
    count += unread.length;
  }
  return count;
}

async function renewClaims({ store, embedder, instance }: ClaimUpkeepDeps, signal: AbortSignal): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    const stale = await store.claims.stale(embedder.modelId, BATCH);
    if (stale.length === 0) break;
    const vectors = await embedder.embed(
      stale.map(({ text }) => text),
      "passage",
      signal,
    );
    const renewed = stale.map((claim, i) => ({
      ...claim,
      terms: termsOf(claim.text),
      vector: signedBytesOf(vectors[i] ?? new Float32Array()),
    }));
    await store.claims.renew(embedder.modelId, renewed);
    await store.followers.lease(LEASE, { owner: instance, leaseS: LEASE_S });
    count += stale.length;
  }
  return count;
}

/**
 * Queues all indexed articles whose claims were never looked for: an archive from before there were claims, or from a
 * time without them. Walks from the newest, one short statement a stretch; cut short, it may begin again. Returns how
 * many.
 */
export async function enlistArchive(
  { store, stretch: limit = 2_000 }: { store: Pick<Store, "claims">; stretch?: number },
  signal: AbortSignal,
): Promise<number> {
  let total = 0;
  for (let below: number | undefined = Number.MAX_SAFE_INTEGER; below !== undefined; ) {
    signal.throwIfAborted();
    const { lastId, enlisted } = await store.claims.enlist({ below, limit });
    total += enlisted;
    below = lastId;
  }
  return total;
}
