import type { MatchResponse } from "../contract/mod.ts";
import { createSlicer } from "../std/pacing.ts";
import type { ClaimPosition, ComparedClaim, ComparedReview, Store } from "../store/mod.ts";
import type { Embedder, Tagger } from "../models/mod.ts";
import type { KeywordLogger } from "../search/mod.ts";
import {
  type Agreement,
  compareFacts,
  type Facts,
  isSame,
  type Meaning,
  readFacts,
  similarityOf,
  similarityWithin,
} from "./compare.ts";
import { LEAST_NEAR } from "./group.ts";
import {
  type CachedReader,
  cachedReader,
  cosine,
  followClaims,
  type FollowedVectors,
  followReadings,
  followReviews,
  signedBytesOf,
  type TextEncoder,
} from "./follow.ts";
import { openReviewWords, type ReviewWords, type WordHit } from "./review-words.ts";
import { namesAmong } from "./names.ts";

/** Holds what texts are matched with, and by what. */
export type MatchDeps = {
  store: { claims: Pick<Store["claims"], "byIds" | "position">; reviews: Pick<Store["reviews"], "byIds"> };
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
type MatchQuery = { texts: readonly string[]; k: number; lang?: string | undefined };

/** Candidates by word and by meaning, and those of them that are compared word by word, at most. */
const BY_WORD = 100;
const BY_MEANING = 40;
const COMPARED = 16;

/** Claims that the second model reads for a text: it takes some milliseconds a claim. */
const READ_CLAIMS = 4;

type Result = MatchResponse["results"][number];

/** A text with everything that is known of it. */
type Matched = {
  text: string;
  facts: Facts;
  vector: Int8Array;
  read: Float32Array | undefined;
  hits: readonly WordHit[];
};

/** Finds the reviews and claims nearest to texts. Returns what each has, best first, in the order of the texts. */
export async function matchTexts(
  deps: MatchDeps,
  { texts, k, lang }: MatchQuery,
  signal: AbortSignal,
): Promise<Result[]> {
  const { store, reader, embed, namesIn } = deps;
  const position = store.claims.position();
  const followed = async (of: FollowedVectors | undefined) => await of?.sync(await position);
  const [vectors, reads, names, hits] = await Promise.all([
    embed(texts, signal),
    reader.read("query", texts, signal),
    namesIn(texts, signal),
    byWord(deps, texts, await position),
    ...[deps.claims, deps.reviews, deps.readings].map(followed),
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
      hits: hits[i] ?? [],
    };
    const [reviews, claims] = await Promise.all([
      nearestReviews(deps, matched, { k, lang }),
      nearestClaims(deps, matched, { k, lang }, signal),
    ]);
    results.push({ text, reviews, claims });
  }
  return results;
}

type Wanted = Pick<MatchQuery, "k" | "lang">;

async function nearestReviews(deps: MatchDeps, matched: Matched, { k, lang }: Wanted): Promise<Result["reviews"]> {
  const { store, reviews, embedder, reader } = deps;
  const { vector, read, facts, hits } = matched;
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
      const meaning = { ...meaningOf({ vector, read }, review), words: scores.get(review.reviewId) ?? 0 };
      return { review, meaning, facts: () => readFacts(review.claimText, review.names) };
    });
  const compared = await compareNearest(facts, candidates, k);
  return compared
    .map(({ review, agreement, similarity }) => {
      const { reviewId, claimText, rating, ratingText, publisher, url } = review;
      return {
        review_id: reviewId,
        claim_text: claimText,
        rating,
        rating_text: ratingText,
        publisher,
        url,
        similarity,
        same: isSame(agreement, similarity),
      };
    })
    .toSorted((a, b) => b.similarity - a.similarity || a.review_id - b.review_id)
    .slice(0, k);
}

/** Something that a text may say, by its meaning; `facts` reads it. */
type Near = { meaning: Meaning; facts: () => Facts };
type Compared<T> = T & { agreement: Agreement; similarity: number };

/**
 * Compares a text with what is near to it, the likeliest first, until nothing is left that may be as like as the `k`
 * that are found.
 */
async function compareNearest<T extends Near>(
  facts: Facts,
  candidates: readonly T[],
  k: number,
): Promise<Compared<T>[]> {
  const due = createSlicer();
  const ordered = candidates
    .map((candidate) => ({ candidate, ...similarityWithin(candidate.meaning) }))
    .toSorted((a, b) => b.likely - a.likely)
    .slice(0, Math.max(COMPARED, 2 * k));
  const compared: Compared<T>[] = [];
  for (const [i, { candidate }] of ordered.entries()) {
    const kth = compared.map(({ similarity }) => similarity).toSorted((a, b) => b - a)[k - 1];
    if (kth !== undefined && ordered.slice(i).every(({ most }) => most < kth)) break;
    await due();
    const agreement = compareFacts(facts, candidate.facts());
    const similarity = similarityOf(agreement, candidate.meaning);
    compared.push({ ...candidate, agreement, similarity });
  }
  return compared;
}

/** Returns for each text the reviews that hold words of it. */
async function byWord({ words }: MatchDeps, texts: readonly string[], position: ClaimPosition): Promise<WordHit[][]> {
  const index = await words();
  await index.sync(position);
  const hits: WordHit[][] = [];
  for (const text of texts) hits.push(await index.search(text, BY_WORD));
  return hits;
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
  const options = stored
    .filter((claim) => lang === undefined || claim.lang === lang)
    .map((claim) => {
      const meaning = { near: cosine(vector, claim.vector) };
      return { claim, meaning, facts: () => readFacts(claim.text, claim.names) };
    });
  const near = (await compareNearest(facts, options, k)).toSorted((a, b) => b.similarity - a.similarity).slice(0, k);
  const passages = await reader.read(
    "passage",
    near.slice(0, READ_CLAIMS).map(({ claim }) => claim.text),
    signal,
  );
  return near
    .map(({ claim, meaning, agreement, similarity: rough }, place) => {
      const passage = passages[place];
      const similarity = read && passage ? similarityOf(agreement, { ...meaning, read: cosine(read, passage) }) : rough;
      return claimHit(claim, similarity, isSame(agreement, similarity));
    })
    .toSorted((a, b) => b.similarity - a.similarity || a.claim_id - b.claim_id);
}

function claimHit({ claimId, text, lang }: ComparedClaim, similarity: number, same: boolean): Result["claims"][number] {
  return { claim_id: claimId, text, lang, similarity, same };
}

/** Matches texts with reviews and claims. */
export type ClaimMatcher = {
  match(query: MatchQuery, signal: AbortSignal): Promise<MatchResponse["results"]>;
  close(): Promise<void>;
};

type ClaimMatcherOptions = {
  store: Pick<Store, "claims" | "reviews">;
  embedder: Pick<Embedder, "embed" | "modelId" | "dims">;
  encoder?: (TextEncoder & { readonly dims: number }) | undefined;
  /** Without a tagger no names are found in the texts that are asked about. */
  tagger?: Pick<Tagger, "tag"> | undefined;
  /** The folder of the index of words. */
  dir: string;
  logger?: KeywordLogger;
};

/**
 * Makes the matcher. Nothing is read before the first request: vectors of claims and reviews are then read from the
 * database, and words of reviews from the snapshot in the folder. A first request that came to a large archive may be
 * answered only after that.
 */
export function createClaimMatcher({
  store,
  embedder,
  encoder,
  tagger,
  dir,
  logger,
}: ClaimMatcherOptions): ClaimMatcher {
  let words: Promise<ReviewWords> | undefined;
  const open = (): Promise<ReviewWords> => {
    words ??= openReviewWords({ store, dir, logger }).catch((error: unknown) => {
      words = undefined;
      throw error;
    });
    return words;
  };
  const deps: MatchDeps = {
    store,
    claims: followClaims(store, embedder),
    reviews: followReviews(store, embedder),
    readings: encoder && followReadings(store, encoder),
    reader: cachedReader(encoder),
    words: open,
    embedder: embedder.modelId,
    embed: (texts, signal) => embedder.embed(texts, "passage", signal),
    namesIn: async (texts, signal) =>
      tagger === undefined ? texts.map(() => []) : (await tagger.tag(texts, signal)).map(namesAmong),
  };
  return {
    match: (query, signal) => matchTexts(deps, query, signal),
    close: async () => await (await words?.catch(() => undefined))?.close(),
  };
}
