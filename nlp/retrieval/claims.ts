import {
  cachedReader,
  followClaims,
  followReadings,
  followReviews,
  matchTexts,
  type MatchQuery,
  namesAmong,
  openReviewWords,
  type ReviewWords,
} from "@isnad/lib/claims";
import type { MatchResponse } from "@isnad/lib/contract";
import type { Embedder, OptionalModel, Reranker, Tagger } from "@isnad/lib/models";
import type { KeywordLogger } from "@isnad/lib/search";
import type { Store } from "@isnad/lib/store";
import { installed } from "./optional-model.ts";

/** Matches texts with reviews and claims. */
export type ClaimMatcher = {
  match(query: MatchQuery, signal: AbortSignal): Promise<MatchResponse["results"]>;
  close(): Promise<void>;
};

/** Holds what a matcher is made of. */
export type ClaimMatcherOptions = {
  store: Pick<Store, "claims" | "reviews">;
  embedder: OptionalModel<Pick<Embedder, "embed" | "modelId" | "dims">>;
  reranker: OptionalModel<Pick<Reranker, "encoder">>;
  /** Without a tagger no names are found in the texts that are asked about. */
  tagger: OptionalModel<Pick<Tagger, "tag">>;
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
  reranker,
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
  const { model } = embedder;
  const claims = model && followClaims(store, model);
  const reviews = model && followReviews(store, model);
  const encoder = reranker.model?.encoder;
  const readings = encoder && followReadings(store, encoder);
  const reader = cachedReader(encoder);
  return {
    async match(query, signal) {
      const { modelId, embed } = installed(embedder);
      if (claims === undefined || reviews === undefined) return [];
      const deps = {
        ...{ store, claims, reviews, readings, reader, words: open, embedder: modelId },
        embed: (texts: readonly string[], signal: AbortSignal) => embed(texts, "passage", signal),
        namesIn: async (texts: readonly string[], signal: AbortSignal) =>
          tagger.model === undefined ? texts.map(() => []) : (await tagger.model.tag(texts, signal)).map(namesAmong),
      };
      return await matchTexts(deps, query, signal);
    },
    close: async () => await (await words?.catch(() => undefined))?.close(),
  };
}
