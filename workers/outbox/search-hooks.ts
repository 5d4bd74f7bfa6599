import { createRunner, type LeasedWork, type Logger } from "@isnad/lib/service/process";
import { backoffMs } from "@isnad/lib/std";
import type { DueHook, HookEvent, Store } from "@isnad/lib/store";
import { delayS } from "./relay.ts";
import type { Send } from "./send.ts";
import type { Refusal } from "./webhook.ts";

/** The parts that the deliveries of saved searches stand on. */
export type SearchHooksOptions = {
  hooks: Pick<Store["searches"]["hooks"], "claim" | "heartbeat" | "release" | "events" | "ack" | "defer" | "settle">;
  send: Send;
  /** Key of the signature; the search's own `feed_key` where there is none. */
  secret: string | undefined;
  logger: Logger;
  /** Name of this process among those that run. */
  instance: string;
  /** Called with every delivery that ended. */
  onOutcome?(consumer: string, outcome: "delivered" | "failed", count: number): void;
  /** Time from one look for what is due to the next, in milliseconds (2,000). */
  idleMs?: number | undefined;
  /** Seconds until a webhook that failed `failures` times before is tried again. */
  retryS?(failures: number): number;
};

/** Deliveries that run: `wake` says that there may be some, `stop` ends them. */
export type SearchHooks = { wake(): void; stop(): Promise<void> };

/** Seconds after which what a process that died had in hand is delivered by another. */
const LEASE_S = 30;

/** Searches told at a time, of those whose webhook took its last event, and of those whose did not. */
const PARALLEL = { well: 24, failing: 8 };

/** Events of a search that are sent before it is the others' turn, and those that a digest has room for. */
const IN_TURN = 50;
const IN_DIGEST = 500;

/** Back-off of a webhook that fails: from 1 s to an hour, as of all others. */
const AFTER_FAILURE = { baseMs: 1_250, maxMs: 3_600_000, jitter: 0.2 };

/** The consumer by whose name deliveries are counted. */
const CONSUMER = "searches";

/**
 * Posts the matches of saved searches to their webhooks: at least once, in order per search. However many searches
 * there are, two runners do it; those whose webhook fails have one of their own, so that no other waits for them.
 */
export function startSearchHooks(options: SearchHooksOptions): SearchHooks {
  const { logger, instance, idleMs = 2_000 } = options;
  const stopping = new AbortController();
  const runners = (["well", "failing"] as const).map((lane) =>
    createRunner(deliveries(lane === "failing", options), {
      ...{ logger, instance, leaseS: LEASE_S, pollMs: idleMs },
      concurrency: PARALLEL[lane],
    }),
  );
  const running = runners.map((runner) => runner.run(stopping.signal));
  return {
    wake() {
      for (const runner of runners) runner.wake();
    },
    async stop() {
      stopping.abort(new Error("the deliveries stop"));
      await Promise.all(running);
    },
  };
}

function deliveries(failing: boolean, options: SearchHooksOptions): LeasedWork<DueHook> {
  const { hooks, logger, onOutcome, retryS = retryDelay } = options;
  return {
    name: `search webhooks${failing ? " that failed" : ""}`,
    claim: async (owner) => (await hooks.claim({ owner, leaseS: LEASE_S, limit: 1, failing }))[0],
    heartbeat: async (owner) => (await hooks.heartbeat({ owner, leaseS: LEASE_S })) > 0,
    async perform(hook, { owner, signal }) {
      const { searchId, failures } = hook;
      const { delivered, refusal } = await deliver(hook, owner, signal, options);
      const reason = refusal?.reason;
      // What a stop has cut off did not fail.
      if (refusal !== undefined) signal.throwIfAborted();
      if (refusal === undefined) await hooks.settle(owner, searchId);
      else {
        const after = delayS(retryS(failures), refusal.retryAfterMs);
        await hooks.defer(owner, searchId, { reason: refusal.reason, delayS: after });
      }
      onOutcome?.(CONSUMER, "delivered", delivered);
      if (refusal !== undefined) onOutcome?.(CONSUMER, "failed", 1);
      const fields = { search: searchId, delivered, reason };
      if (reason !== undefined) logger.warn(fields, "matches of a search put off");
      else if (delivered > 0) logger.info(fields, "matches of a search delivered");
      return 0;
    },
    release: (owner) => hooks.release(owner),
    fields: ({ searchId }) => ({ search: searchId }),
  };
}

/** Sends the events of a search in their order until one is not taken, or it is the others' turn. */
async function deliver(
  hook: DueHook,
  owner: string,
  signal: AbortSignal,
  { hooks, send, secret }: SearchHooksOptions,
): Promise<{ delivered: number; refusal?: Refusal }> {
  const { searchId, digest, webhook, feedKey } = hook;
  const events = await hooks.events(searchId, digest === "none" ? IN_TURN : IN_DIGEST);
  const postings = digest === "none" ? events.map((event) => [event]) : events.length === 0 ? [] : [events];
  let delivered = 0;
  for (const [i, group] of postings.entries()) {
    const attempts = i === 0 ? hook.attempts : 0;
    const body = digest === "none" ? matched(hook, group, attempts) : digested(hook, group, attempts);
    const { id, type } = body;
    const refusal = await send(webhook, { id, type, body, attempts, secret: secret ?? feedKey ?? "" }, signal);
    if (refusal !== null) return { delivered, refusal };
    delivered += group.length;
    if (!(await hooks.ack(owner, searchId, { eventId: id, next: i + 1 < postings.length }))) break;
  }
  return { delivered };
}

/** Returns the event of a match in the form in which it is sent (`WebhookEvent` of lib/contract). */
function matched({ searchId, name }: DueHook, [event]: readonly HookEvent[], attempts: number) {
  if (event === undefined) throw new RangeError("an event of no match");
  const { id, occurredAt, article } = event;
  const head = { id, type: "search.matched" as const, occurred_at: occurredAt, article };
  return { ...head, search_id: searchId, name, repeated: attempts > 0 };
}

/** Returns the event of several matches, with the number and the time of the last one. */
function digested({ searchId, name }: DueHook, events: readonly HookEvent[], attempts: number) {
  const last = events.at(-1);
  if (last === undefined) throw new RangeError("a digest of no matches");
  return {
    ...{ id: last.id, type: "search.digest" as const, occurred_at: last.occurredAt },
    ...{ search_id: searchId, name, repeated: attempts > 0 },
    matches: events.map(({ id, occurredAt, article }) => ({ id, matched_at: occurredAt, article })),
  };
}

function retryDelay(failures: number): number {
  return backoffMs(failures, AFTER_FAILURE) / 1000;
}
