import type { Embedder } from "@isnad/lib/models";
import { embedMissing } from "@isnad/lib/search/sync";
import { createRunner, type LeasedWork, type Logger } from "@isnad/lib/service/process";
import { backoffMs, errorMessage } from "@isnad/lib/std";
import type { OutboxEvent, Store } from "@isnad/lib/store";

/** An event that a consumer could not take, why, and when it may be given again, where the consumer knows. */
export type Failure = { id: number; reason: string; retryAfterMs?: number | undefined };

/** A receiver of events. */
export type Consumer = {
  /** The outbox stores the position of the consumer under this name. */
  name: string;
  /** Events handed to `deliver` at once. */
  batch: number;
  /** True where a new consumer begins with what comes now, not with the oldest event that is kept. */
  isFromNow?: boolean;
  /**
   * Takes events, each of another subject, and returns those that failed; all have failed when it throws. Events can
   * be delivered again after a crash.
   */
  deliver(events: readonly OutboxEvent[], signal: AbortSignal): Promise<Failure[]>;
};

/** Holds what the relay needs. */
export type RelayOptions = {
  outbox: Pick<Store["outbox"], "claim" | "heartbeat" | "release" | "ack" | "retry">;
  consumers: readonly Consumer[];
  logger: Logger;
  /** Name of this process among those that run. */
  instance: string;
  /** Called with every delivery that ended. */
  onOutcome?(consumer: string, outcome: "delivered" | "failed", count: number): void;
  /** Says how often to look into the outbox without a call of `wake`, in milliseconds (2,000). */
  idleMs?: number;
  /** Seconds until an event that failed `attempts` times before is tried again. */
  retryS?(attempts: number): number;
};

/**
 * A running relay: `wake` says that there may be events, `stop` ends it once what is under way has ended or is given
 * back.
 */
export type Relay = { wake(): void; stop(): Promise<void> };

/** Seconds after which the events of a process that died are delivered by another. */
const LEASE_S = 30;

/** Back-off of a consumer that takes nothing, beside the delays of its events. */
const WHILE_DOWN = { baseMs: 500, maxMs: 30_000 };

/** Back-off of an event that failed: from 1 s to an hour. */
const AFTER_FAILURE = { baseMs: 1_250, maxMs: 3_600_000, jitter: 0.2 };

/**
 * Takes events out of the outbox and hands them to the consumers: at least once, in order per subject. Each consumer
 * has a runner of its own, so that a slow or failing one does not delay the others.
 */
export function startRelay(options: RelayOptions): Relay {
  const { consumers, logger, instance, idleMs = 2_000 } = options;
  const stopping = new AbortController();
  const runners = consumers.map((consumer) =>
    createRunner(deliveries(consumer, options), { logger, instance, leaseS: LEASE_S, pollMs: idleMs }),
  );
  const running = runners.map((runner) => runner.run(stopping.signal));
  return {
    wake() {
      for (const runner of runners) runner.wake();
    },
    async stop() {
      stopping.abort(new Error("the relay stops"));
      await Promise.all(running);
    },
  };
}

/** The events of one consumer, a batch at a time. */
function deliveries(
  consumer: Consumer,
  { outbox, logger, onOutcome, retryS = retryDelay }: RelayOptions,
): LeasedWork<OutboxEvent[]> {
  const { name, batch, isFromNow } = consumer;
  let down = 0;
  return {
    name: `outbox ${name}`,
    async claim(owner) {
      const events = await outbox.claim(name, { owner, leaseS: LEASE_S, limit: batch, isFromNow });
      return events.length === 0 ? undefined : events;
    },
    heartbeat: async (owner) => (await outbox.heartbeat({ owner, leaseS: LEASE_S })) > 0,
    async perform(events, { owner, signal }) {
      const startedAt = performance.now();
      const failures = new Map((await failuresOf(consumer, events, signal)).map((failure) => [failure.id, failure]));
      const delivered = events.filter(({ id }) => !failures.has(id)).map(({ id }) => id);
      await outbox.ack(name, delivered);
      // What a stop has cut off did not fail.
      if (failures.size > 0) signal.throwIfAborted();
      await outbox.retry(
        owner,
        events.flatMap(({ id, attempts }) => {
          const failure = failures.get(id);
          if (failure === undefined) return [];
          return [{ id, reason: failure.reason, delayS: delayS(retryS(attempts), failure.retryAfterMs) }];
        }),
      );
      onOutcome?.(name, "delivered", delivered.length);
      onOutcome?.(name, "failed", failures.size);
      const [reason] = [...failures.values()].map((failure) => failure.reason);
      const took_ms = Math.round(performance.now() - startedAt);
      const fields = { consumer: name, delivered: delivered.length, failed: failures.size, reason, took_ms };
      if (failures.size > 0) logger.warn(fields, "outbox events put off");
      else logger.info(fields, "outbox events delivered");
      down = delivered.length === 0 ? down + 1 : 0;
      return down === 0 ? 0 : backoffMs(down - 1, WHILE_DOWN);
    },
    release: (owner) => outbox.release(owner),
    fields: (events) => ({ consumer: name, events: events.length }),
  };
}

async function failuresOf(
  consumer: Consumer,
  events: readonly OutboxEvent[],
  signal: AbortSignal,
): Promise<readonly Failure[]> {
  try {
    return await consumer.deliver(events, signal);
  } catch (error) {
    const reason = errorMessage(error);
    return events.map(({ id }) => ({ id, reason }));
  }
}

/** Longest time that a receiver may put off what it refused, in seconds. */
const MAX_PUT_OFF_S = 6 * 3_600;

/** Returns the time until something is sent again, in seconds: no earlier than the receiver asked for. */
export function delayS(retryS: number, retryAfterMs = 0): number {
  return Math.max(retryS, Math.min(MAX_PUT_OFF_S, retryAfterMs / 1000));
}

function retryDelay(attempts: number): number {
  return backoffMs(attempts, AFTER_FAILURE) / 1000;
}

type SyncDeps = {
  store: Pick<Store, "articles" | "chunks" | "indexing">;
  /** Without an embedder no passages are made here; the workers catch up on them once they start with one. */
  embedder: Pick<Embedder, "embed" | "modelId"> | undefined;
};

/**
 * The built-in consumer: an article that a worker without this embedding model has indexed gets its passages. A
 * deletion or a revision is nothing to it.
 */
export function syncConsumer({ store, embedder }: SyncDeps): Consumer {
  return {
    name: "sync",
    batch: 500,
    async deliver(events): Promise<Failure[]> {
      if (embedder === undefined) return [];
      const upserted = events.filter(({ type }) => type === "article.upserted");
      const ids = upserted.flatMap(({ articleId }) => articleId ?? []);
      const { broken } = await embedMissing({ store, embedder }, await store.chunks.without(embedder.modelId, ids));
      const reasons = new Map(broken.map(({ articleId, error }) => [articleId, error]));
      return upserted.flatMap(({ id, articleId }) => {
        const error = articleId === null ? undefined : reasons.get(articleId);
        return error === undefined ? [] : [{ id, reason: errorMessage(error) }];
      });
    },
  };
}
