import type { Sql } from "../client.ts";
import { onceConnected, repeating } from "../transaction.ts";
import { settleItems, takePending } from "./delivery.ts";
import { countFrontier, discover, settleFrontier, type TakeOptions, takeFrontier } from "./frontier.ts";
import { hostLeases } from "./host-leases.ts";
import { countItems, countItemsOfRun, findItems, getItem } from "./items.ts";
import { keepItem, markItemGone } from "./keep-item.ts";
import { pruneScraper } from "./prune.ts";
import {
  claimRun,
  countRuns,
  createRun,
  finishRun,
  getRun,
  giveUpRuns,
  heartbeatRun,
  lastErrors,
  latestRuns,
  listRuns,
  type RunProgress,
  recentSelectors,
  releaseRun,
} from "./runs.ts";
import { claimSlot } from "./schedule.ts";
import type {
  Discovery,
  FrontierOutcome,
  ItemFilter,
  ItemSettlement,
  NewItem,
  NewRun,
  RunFilter,
  Validators,
} from "./types.ts";
import { getValidators, putValidators } from "./validators.ts";

/**
 * What the scraper keeps: runs, articles discovered, articles kept, and who may ask which host when. Every operation is
 * atomic and decided by the database, whatever the number of processes. An `owner` is a name that nobody else uses, new
 * for each claim.
 */
export function scraperStore(sql: Sql) {
  return {
    runs: {
      create: (run: NewRun) => createRun(sql, run),
      claim: (owner: string, options: { leaseS: number; profileIds?: readonly string[] | undefined }) =>
        onceConnected(() => claimRun(sql, owner, options)),
      giveUp: (options?: { profileIds?: readonly string[] | undefined }) => repeating(() => giveUpRuns(sql, options)),
      heartbeat: (runId: string, owner: string, options: Parameters<typeof heartbeatRun>[3]) =>
        repeating(() => heartbeatRun(sql, runId, owner, options)),
      finish: (runId: string, owner: string, end: Parameters<typeof finishRun>[3]) =>
        repeating(() => finishRun(sql, runId, owner, end)),
      release: (runId: string, owner: string, done?: RunProgress) =>
        onceConnected(() => releaseRun(sql, runId, owner, done)),
      get: (runId: string) => repeating(() => getRun(sql, runId)),
      list: (filter: RunFilter) => repeating(() => listRuns(sql, filter)),
      latest: (profileIds: readonly string[]) => repeating(() => latestRuns(sql, profileIds)),
      lastErrors: (profileIds: readonly string[]) => repeating(() => lastErrors(sql, profileIds)),
      recentSelectors: (profileIds: readonly string[], options?: { except?: string | undefined }) =>
        repeating(() => recentSelectors(sql, profileIds, options)),
      counts: () => repeating(() => countRuns(sql)),
    },
    schedule: {
      claim: (profileId: string, slot: string, now?: number) =>
        onceConnected(() => claimSlot(sql, profileId, slot, now)),
    },
    frontier: {
      discover: (
        runId: string | null,
        profileId: string,
        entries: readonly Discovery[],
        seen?: { url: string } & Validators,
      ) => discover(sql, runId, profileId, entries, seen),
      take: (profileId: string, options: TakeOptions) => onceConnected(() => takeFrontier(sql, profileId, options)),
      settle: (profileId: string, url: string, outcome: FrontierOutcome) =>
        settleFrontier(sql, profileId, url, outcome),
      counts: () => repeating(() => countFrontier(sql)),
    },
    validators: {
      get: (profileId: string, url: string) => repeating(() => getValidators(sql, profileId, url)),
      put: (profileId: string, url: string, seen: Validators) =>
        repeating(() => putValidators(sql, profileId, url, seen)),
    },
    items: {
      keep: (item: NewItem) => keepItem(sql, item),
      markGone: (profileId: string, url: string) => repeating(() => markItemGone(sql, profileId, url)),
      get: (profileId: string, url: string) => repeating(() => getItem(sql, profileId, url)),
      pending: (options: Parameters<typeof takePending>[1]) => onceConnected(() => takePending(sql, options)),
      settle: (settlements: readonly ItemSettlement[]) => repeating(() => settleItems(sql, settlements)),
      find: (filter: ItemFilter) => repeating(() => findItems(sql, filter)),
      counts: () => repeating(() => countItems(sql)),
      countsOfRun: (runId: string) => repeating(() => countItemsOfRun(sql, runId)),
    },
    hostLeases: hostLeases(sql),
    prune: (options: { olderThanS: number }) => repeating(() => pruneScraper(sql, options.olderThanS)),
  };
}
