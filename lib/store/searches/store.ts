import type { Sql } from "../client.ts";
import type { Lease } from "../lease.ts";
import { repeating } from "../transaction.ts";
import type { LogPosition } from "../values.ts";
import { ackHook, claimHooks, deferHook, eventsOfSearch, heartbeatHooks, releaseHooks, settleHook } from "./hooks.ts";
import {
  endRechecks,
  entitiesOfArticles,
  entityIdsOf,
  listMatches,
  type MatchBatch,
  pendingRechecks,
  putMatches,
  putSearchVectors,
  type Recheck,
  type SearchVector,
  searchVectors,
  setWatchPosition,
  watchedIds,
  watchPosition,
} from "./matches.ts";
import {
  changeFeedKey,
  createSearch,
  getSearch,
  listSearches,
  removeSearch,
  type SearchInput,
  searchesSince,
  searchesVersion,
  updateSearch,
} from "./saved.ts";

/** Saved searches, their matches, and the deliveries of these. */
export function searchStore(sql: Sql) {
  return {
    create: (input: SearchInput) => createSearch(sql, input),
    get: (searchId: number) => repeating(() => getSearch(sql, searchId)),
    list: (page: { before?: number | undefined; limit: number }) => repeating(() => listSearches(sql, page)),
    update: (searchId: number, change: Partial<SearchInput>) => updateSearch(sql, searchId, change),
    changeFeedKey: (searchId: number, options: { revoke: boolean }) => changeFeedKey(sql, searchId, options),
    remove: (searchId: number) => removeSearch(sql, searchId),
    version: () => repeating(() => searchesVersion(sql)),
    since: (changeNo: number) => searchesSince(sql, changeNo),
    matches: (searchId: number, page: { before?: number | undefined; limit: number }) =>
      repeating(() => listMatches(sql, searchId, page)),
    putMatches: (batch: MatchBatch) => putMatches(sql, batch),
    position: () => repeating(() => watchPosition(sql)),
    setPosition: (position: LogPosition) => repeating(() => setWatchPosition(sql, position)),
    watched: (after: number, limit: number) => repeating(() => watchedIds(sql, after, limit)),
    rechecks: (limit: number) => repeating(() => pendingRechecks(sql, limit)),
    endRechecks: (rechecks: readonly Recheck[]) => repeating(() => endRechecks(sql, rechecks)),
    entitiesOf: (articleIds: readonly number[]) => repeating(() => entitiesOfArticles(sql, articleIds)),
    entityIds: (names: readonly string[]) => repeating(() => entityIdsOf(sql, names)),
    vectors: (modelId: string) => repeating(() => searchVectors(sql, modelId)),
    putVectors: (modelId: string, vectors: readonly SearchVector[]) =>
      repeating(() => putSearchVectors(sql, modelId, vectors)),
    hooks: {
      claim: (options: Lease & { limit: number; failing: boolean }) => claimHooks(sql, options),
      heartbeat: (lease: Lease) => repeating(() => heartbeatHooks(sql, lease)),
      release: (owner: string) => repeating(() => releaseHooks(sql, owner)),
      events: (searchId: number, limit: number) => repeating(() => eventsOfSearch(sql, searchId, limit)),
      ack: (owner: string, searchId: number, upTo: { eventId: number; next: boolean }) =>
        repeating(() => ackHook(sql, owner, searchId, upTo)),
      defer: (owner: string, searchId: number, failure: { reason: string; delayS: number }) =>
        repeating(() => deferHook(sql, owner, searchId, failure)),
      settle: (owner: string, searchId: number) => settleHook(sql, owner, searchId),
    },
  };
}
