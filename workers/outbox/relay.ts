import { Notifier, type Logger, pause } from "@isnad/lib/process";
import { backoffMs, errorMessage } from "@isnad/lib/std";
import { isUnavailable, type OutboxEvent, type Store } from "@isnad/lib/store";

/** An event that a consumer could not take, and why. */
export type Failure = { id: number; reason: string };

/** Somebody who is told of events. */
export type Consumer = {
  /** Under this name the outbox remembers how far it has come. */
  name: string;
  /** Events handed to `deliver` at once. */
  batch: number;
  /**
   * Takes events, each of another article, and returns those that failed. A throw means that all of them failed. What was
   * delivered may be handed over again: after a crash nobody knows.
   */
  deliver(events: readonly OutboxEvent[], signal: AbortSignal): Promise<Failure[]>;
};

/** What the relay needs. */
export type RelayOptions = {
  outbox: Pick<Store["outbox"], "poll" | "ack" | "retry">;
  consumers: readonly Consumer[];
  logger: Logger;
  /** Told of every delivery that ended. */
  onOutcome?(consumer: string, outcome: "delivered" | "failed", count: number): void;
  /** How often to look into the outbox when nobody calls `nudge`, in milliseconds (2,000). */
  idleMs?: number;
  /** Seconds until an event that failed `attempts` times before is tried again. */
  retryS?(attempts: number): number;
};

/** A running relay: `nudge` says that there may be events, `stop` ends it once what is under way has ended. */
export type Relay = { nudge(): void; stop(): Promise<void> };

/** Longer than a batch of deliveries can take, so that nobody else takes an event over while it is being sent. */
const LEASE_S = 120;

/**
 * Takes events out of the outbox and hands them to the consumers: at least once, in order per article. Each consumer
 * has a loop of its own, so that one that is down or slow holds back nobody else.
 */
export function startRelay(options: RelayOptions): Relay {
  const stopping = new AbortController();
  const bells = options.consumers.map(() => new Notifier());
  const loops = options.consumers.map((consumer, i) =>
    run(consumer, bells[i] ?? new Notifier(), options, stopping.signal),
  );
  return {
    nudge() {
      for (const notifier of bells) notifier.notify();
    },
    async stop() {
      stopping.abort(new Error("the relay stops"));
      this.nudge();
      await Promise.all(loops);
    },
  };
}

async function run(consumer: Consumer, notifier: Notifier, options: RelayOptions, signal: AbortSignal): Promise<void> {
  const { logger, idleMs = 2_000 } = options;
  let failures = 0;
  while (!signal.aborted) {
    const outcome = await round(consumer, options, signal).catch((error) => {
      const problem = { consumer: consumer.name, err: error };
      if (isUnavailable(error)) logger.warn(problem, "outbox cannot be reached");
      else logger.error(problem, "outbox round failed");
      return "down" as const;
    });
    failures = outcome === "down" ? failures + 1 : 0;
    // A consumer that takes nothing is left alone for a while as a whole, beside the delays of its events.
    if (outcome === "down") await pause(backoffMs(failures - 1, { baseMs: 500, maxMs: 30_000 }), signal);
    if (outcome === "idle") await notifier.wait(idleMs);
  }
}

async function round(
  consumer: Consumer,
  { outbox, logger, onOutcome, retryS = retryDelay }: RelayOptions,
  signal: AbortSignal,
): Promise<"idle" | "busy" | "down"> {
  const events = await outbox.poll(consumer.name, { limit: consumer.batch, leaseS: LEASE_S });
  if (events.length === 0) return "idle";
  const startedAt = performance.now();
  const failed = new Map((await failuresOf(consumer, events, signal)).map(({ id, reason }) => [id, reason]));
  const delivered = events.filter(({ id }) => !failed.has(id));
  await outbox.ack(
    consumer.name,
    delivered.map(({ id }) => id),
  );
  for (const { id, attempts } of events) {
    const reason = failed.get(id);
    const delayS = signal.aborted ? 0 : retryS(attempts);
    if (reason !== undefined) await outbox.retry(consumer.name, id, { delayS, reason });
  }
  onOutcome?.(consumer.name, "delivered", delivered.length);
  onOutcome?.(consumer.name, "failed", failed.size);
  const [reason] = failed.values();
  const fields = { consumer: consumer.name, delivered: delivered.length, failed: failed.size, reason };
  const line = { ...fields, took_ms: Math.round(performance.now() - startedAt) };
  if (failed.size > 0) logger.warn(line, "outbox events put off");
  else logger.info(line, "outbox events delivered");
  return delivered.length === 0 ? "down" : "busy";
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

/** Seconds until an event that was handed out `attempts` times before is handed out again. */
function retryDelay(attempts: number): number {
  return backoffMs(attempts, { baseMs: 1_250, maxMs: 3_600_000, jitter: 0.2 }) / 1000;
}
