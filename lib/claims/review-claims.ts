import type { ReadReview, Store, UnreadReview } from "../store/mod.ts";
import { compareFacts, isSame, readFacts, similarityOf } from "./compare.ts";
import { cosine, type FollowedVectors, signedBytesOf } from "./follow.ts";
import { LEAST_NEAR } from "./group.ts";
import type { CachedReader } from "./reader.ts";

/** Holds what reads reviews, and the claims that they may be of. */
type ReadDeps = {
  store: { claims: Pick<Store["claims"], "byIds"> };
  claims: FollowedVectors;
  reader: CachedReader;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Finds the names in texts. */
  namesIn(texts: readonly string[], signal: AbortSignal): Promise<string[][]>;
};

/** Claims that a review is compared with. */
const CANDIDATES = 32;

/** Reads reviews to vectors and names, and finds the claims that say what they are of. */
export async function readReviews(
  { store, claims, reader, embed, namesIn }: ReadDeps,
  reviews: readonly UnreadReview[],
  signal: AbortSignal,
): Promise<ReadReview[]> {
  const texts = reviews.map(({ claimText }) => claimText);
  const [vectors, passages, names] = await Promise.all([
    embed(texts, signal),
    reader.read("passage", texts, signal),
    namesIn(texts, signal),
  ]);
  await claims.sync();
  const read: ReadReview[] = [];
  for (const [i, review] of reviews.entries()) {
    const vector = signedBytesOf(vectors[i] ?? new Float32Array());
    const passage = passages[i];
    const own = names[i] ?? [];
    const facts = readFacts(review.claimText, own);
    const candidates = claims.near(vector, { least: LEAST_NEAR, count: CANDIDATES });
    const stored = await store.claims.byIds([...new Set(candidates.map(({ id }) => id))]);
    const near = stored.flatMap((claim) => {
      const agreement = compareFacts(facts, readFacts(claim.text, claim.names));
      const cos = cosine(vector, claim.vector);
      return agreement.conflict === undefined && cos >= LEAST_NEAR ? [{ claim, agreement, near: cos }] : [];
    });
    const queries = await reader.read(
      "query",
      near.map(({ claim }) => claim.text),
      signal,
    );
    const links = near.flatMap(({ claim, agreement, near: cos }, place) => {
      const query = queries[place];
      const similarity = similarityOf(agreement, { near: cos, read: query && passage && cosine(query, passage) });
      return isSame(agreement, similarity) ? [{ claimId: claim.claimId, similarity }] : [];
    });
    const vectorOfReader = passage === undefined ? new Int8Array() : signedBytesOf(passage);
    read.push({ ...review, names: own, vector, read: vectorOfReader, claims: links });
  }
  return read;
}
