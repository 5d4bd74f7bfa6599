import type { Sql } from "../client.ts";
import type { Lease } from "../lease.ts";
import { onceConnected, repeating } from "../transaction.ts";
import { claimPull, finishPull, heartbeatPull, releasePull, startPull } from "./hold.ts";
import { getPull, latestPulls, listPulls, prunePulls, pullState } from "./read.ts";
import { requestDuePulls, requestPull } from "./request.ts";
import type { PullCounts, PullEnd, PullRequest } from "./types.ts";

/** What the pull side keeps: pulls asked for, in work and done, the lock of each source, and what adapters remember. */
export function pullStore(sql: Sql) {
  return {
    request: (request: PullRequest) => requestPull(sql, request),
    requestDue: (options: { providers: readonly string[]; everyS: number }) => requestDuePulls(sql, options),
    start: (request: PullRequest, lease: Lease) => startPull(sql, request, lease),
    claim: (lease: Lease) => onceConnected(() => claimPull(sql, lease)),
    heartbeat: (runId: string, lease: Lease, counts: PullCounts) =>
      repeating(() => heartbeatPull(sql, runId, lease, counts)),
    release: (runId: string, owner: string) => repeating(() => releasePull(sql, runId, owner)),
    finish: (runId: string, owner: string, end: PullEnd) => finishPull(sql, runId, owner, end),
    get: (runId: string) => repeating(() => getPull(sql, runId)),
    list: (filter?: { sourceKey?: string; limit?: number }) => repeating(() => listPulls(sql, filter)),
    latest: () => repeating(() => latestPulls(sql)),
    state: (sourceKey: string) => repeating(() => pullState(sql, sourceKey)),
    prune: (options: { olderThanS: number }) => prunePulls(sql, options),
  };
}
