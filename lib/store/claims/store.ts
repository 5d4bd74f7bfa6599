import type { Sql } from "../client.ts";
import { repeating } from "../transaction.ts";
import { type ClaimlessStretch, crawledReviews, enlistClaimless, entitiesNamed } from "./finding.ts";
import { claimAppearances, claimMentions, type ClaimQuery, listClaims } from "./list.ts";
import { type ClaimBatch, type PutClaimsOptions, putClaims } from "./put.ts";
import { claimPosition, claimsByIds, claimVectors, renewClaims, type StaleClaim, staleClaims } from "./vectors.ts";

/** Makes the statements over claims. */
export function claimStore(sql: Sql) {
  return {
    put: (batch: ClaimBatch, options: PutClaimsOptions) => putClaims(sql, batch, options),
    vectors: (modelId: string, page: { after: number; limit: number }) =>
      repeating(() => claimVectors(sql, modelId, page)),
    position: () => repeating(() => claimPosition(sql)),
    byIds: (ids: readonly number[]) => repeating(() => claimsByIds(sql, ids)),
    list: (query: ClaimQuery) => repeating(() => listClaims(sql, query)),
    mentions: (claimId: number, limit: number) => repeating(() => claimMentions(sql, claimId, limit)),
    appearances: (reviewId: number, limit: number) => repeating(() => claimAppearances(sql, reviewId, limit)),
    enlist: (stretch: ClaimlessStretch) => repeating(() => enlistClaimless(sql, stretch)),
    entitiesOf: (articleIds: readonly number[]) => repeating(() => entitiesNamed(sql, articleIds)),
    crawledReviews: (articleIds: readonly number[]) => repeating(() => crawledReviews(sql, articleIds)),
    stale: (modelId: string, limit: number) => repeating(() => staleClaims(sql, modelId, limit)),
    renew: (modelId: string, claims: readonly (StaleClaim & { terms: readonly string[]; vector: Int8Array })[]) =>
      repeating(() => renewClaims(sql, modelId, claims)),
  };
}
