import type { MatchResponse } from "../contract/mod.ts";
import { createSlicer } from "../std/pacing.ts";
import type { ComparedClaim, ComparedReview, Store } from "../store/mod.ts";
import { compareFacts, type Facts, isSame, readFacts, similarityOf } from "./compare.ts";
import type { FollowedVectors } from "./follow.ts";
import { LEAST_NEAR } from "./group.ts";
import { cosine, signedBytesOf } from "./nearest.ts";
import type { CachedReader } from "./reader.ts";
import type { ReviewWords, WordHit } from "./review-words.ts";

/** Holds what texts are matched with, and by what. */
export type MatchDeps = {
  store: { claims: Pick<Store["claims"], "byIds">; reviews: Pick<Store["reviews"], "byIds"> };
  claims: FollowedVectors;
  reviews: FollowedVectors;
  /** Holds the reviews as the second model has read them; undefined where there is none. */
  readings: FollowedVectors | undefined;
  /** Opens the index of words of reviews; called when it is needed first. */
  words(): Promise<Pick<ReviewWords, "sync" | "search">>;
  reader: CachedReader;
  embedder: string;
  embed(texts: readonly string[], signal: AbortSignal): Promise<Float32Array[]>;
  /** Finds the names in texts. */
  namesIn(texts: readonly string[], signal: AbortSignal): Promise<string[][]>;
};

/** Texts to match, how many hits of each kind are wanted, and in which language; any where that is undefined. */
export type MatchQuery = { texts: readonly string[]; k: number; lang?: string | undefined };

/** Candidates by word and by meaning, and those of them that are compared word by word. */
const BY_WORD = 100;
const BY_MEANING = 40;
const COMPARED = 40;

/** Claims that the second model reads for a text: it takes some milliseconds a claim. */
const READ_CLAIMS = 4;

/** Says how much words count beside meaning while the candidates to be compared are chosen. */
const WORDS_SHARE = 0.15;

type Result = MatchResponse["results"][number];

/** A text with everything that is known of it. */
type Matched = { text: string; facts: Facts; vector: Int8Array; read: Float32Array | undefined };

/** Finds the reviews and claims nearest to texts. Returns what each has, best first, in the order of the texts. */
export async function matchTexts(
  deps: MatchDeps,
  { texts, k, lang }: MatchQuery,
  signal: AbortSignal,
): Promise<Result[]> {
  const { reader, embed, namesIn } = deps;
  const [vectors, reads, names] = await Promise.all([
    embed(texts, signal),
    reader.read("query", texts, signal),
    namesIn(texts, signal),
    deps.claims.sync(),
    deps.reviews.sync(),
    deps.readings?.sync(),
  ]);
  const due = createSlicer();
  const results: Result[] = [];
  for (const [i, text] of texts.entries()) {
    signal.throwIfAborted();
    await due();
    const matched: Matched = {
      text,
      facts: readFacts(text, names[i]),
      vector: signedBytesOf(vectors[i] ?? new Float32Array()),
      read: reads[i],
    };
    const reviews = await nearestReviews(deps, matched, { k, lang });
    const claims = await nearestClaims(deps, matched, { k, lang }, signal);
    results.push({ text, reviews, claims });
  }
  return results;
}

type Wanted = Pick<MatchQuery, "k" | "lang">;

async function nearestReviews(deps: MatchDeps, matched: Matched, { k, lang }: Wanted): Promise<Result["reviews"]> {
  const { store, reviews, embedder, reader } = deps;
  const { text, vector, read, facts } = matched;
  const hits = await byWord(deps, text);
  const near = reviews.near(vector, { least: LEAST_NEAR, count: BY_MEANING });
  const alike = (read && deps.readings?.near(signedBytesOf(read), { least: 0, count: BY_MEANING })) ?? [];
  const ids = [...new Set([...hits.map(({ reviewId }) => reviewId), ...[...near, ...alike].map(({ id }) => id)])];
  const stored = await store.reviews.byIds(ids, { embedder, reader: reader.modelId });
  const existing = new Set(stored.map(({ reviewId }) => reviewId));
  reviews.drop(near.flatMap(({ id, row }) => (existing.has(id) ? [] : [row])));
  deps.readings?.drop(alike.flatMap(({ id, row }) => (existing.has(id) ? [] : [row])));
  const best = hits[0]?.score ?? 0;
  const scores = new Map(hits.map(({ reviewId, score }) => [reviewId, best > 0 ? score / best : 0]));
  const candidates = stored
    .filter((review) => lang === undefined || review.lang === lang)
    .map((review) => {
      const meaning = meaningOf({ vector, read }, review);
      const words = scores.get(review.reviewId) ?? 0;
      return { review, meaning: { ...meaning, words }, rough: (meaning.read ?? meaning.near) + WORDS_SHARE * words };
    })
    .toSorted((a, b) => b.rough - a.rough)
    .slice(0, Math.max(COMPARED, k));
  const due = createSlicer();
  const compared: Result["reviews"] = [];
  for (const { review, meaning } of candidates) {
    await due();
    const { reviewId, claimText, names, rating, ratingText, publisher, url } = review;
    const agreement = compareFacts(facts, readFacts(claimText, names));
    const similarity = similarityOf(agreement, meaning);
    compared.push({
      review_id: reviewId,
      claim_text: claimText,
      rating,
      rating_text: ratingText,
      publisher,
      url,
      similarity,
      same: isSame(agreement, similarity),
    });
  }
  return compared.toSorted((a, b) => b.similarity - a.similarity || a.review_id - b.review_id).slice(0, k);
}

async function byWord({ words }: MatchDeps, text: string): Promise<WordHit[]> {
  const index = await words();
  await index.sync();
  return await index.search(text, BY_WORD);
}

/** The cosines of a text with a review; a review that was not read yet has none. */
function meaningOf(
  { vector, read }: Pick<Matched, "vector" | "read">,
  review: Pick<ComparedReview, "vector" | "read">,
): { near: number; read: number | undefined } {
  return {
    near: review.vector === undefined ? 0 : cosine(vector, review.vector),
    read: read && review.read && cosine(read, review.read),
  };
}

async function nearestClaims(
  { store, claims, reader }: MatchDeps,
  { vector, read, facts }: Matched,
  { k, lang }: Wanted,
  signal: AbortSignal,
): Promise<Result["claims"]> {
  const candidates = claims.near(vector, { least: LEAST_NEAR, count: COMPARED });
  const stored = await store.claims.byIds([...new Set(candidates.map(({ id }) => id))]);
  const existing = new Set(stored.map(({ claimId }) => claimId));
  claims.drop(candidates.flatMap(({ id, row }) => (existing.has(id) ? [] : [row])));
  const near = stored
    .filter((claim) => lang === undefined || claim.lang === lang)
    .map((claim) => ({ claim, near: cosine(vector, claim.vector) }))
    .toSorted((a, b) => b.near - a.near)
    .slice(0, Math.max(COMPARED, k))
    .map((each) => ({ ...each, agreement: compareFacts(facts, readFacts(each.claim.text, each.claim.names)) }))
    .map((each) => ({ ...each, similarity: similarityOf(each.agreement, { near: each.near }) }))
    .toSorted((a, b) => b.similarity - a.similarity)
    .slice(0, k);
  const passages = await reader.read(
    "passage",
    near.slice(0, READ_CLAIMS).map(({ claim }) => claim.text),
    signal,
  );
  return near
    .map(({ claim, near: cos, agreement, similarity: rough }, place) => {
      const passage = passages[place];
      const similarity = read && passage ? similarityOf(agreement, { near: cos, read: cosine(read, passage) }) : rough;
      return claimHit(claim, similarity, isSame(agreement, similarity));
    })
    .toSorted((a, b) => b.similarity - a.similarity || a.claim_id - b.claim_id);
}

function claimHit({ claimId, text, lang }: ComparedClaim, similarity: number, same: boolean): Result["claims"][number] {
  return { claim_id: claimId, text, lang, similarity, same };
}
