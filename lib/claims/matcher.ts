import type { MatchResponse } from "../contract/mod.ts";
import type { Embedder, Tagger } from "../models/mod.ts";
import type { KeywordLogger } from "../search/mod.ts";
import type { Store } from "../store/mod.ts";
import { followClaims, followReadings, followReviews } from "./follow.ts";
import { type MatchDeps, type MatchQuery, matchTexts } from "./match.ts";
import { namesAmong } from "./names.ts";
import { cachedReader, type TextEncoder } from "./reader.ts";
import { openReviewWords, type ReviewWords } from "./review-words.ts";

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
