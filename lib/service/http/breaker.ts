/** How long a request may be without an answer before the service is asked whether it is there, in milliseconds. */
const SILENT_MS = 1_500;

/** How long the service has to say that it is there, in milliseconds. */
const PROBE_MS = 2_000;

/** How long a request waits for that answer while the breaker is open, in milliseconds. */
const HALF_OPEN_MS = 50;

/** How often a service that is away is asked again, in milliseconds. */
const RETRY_MS = 300;

/** What a breaker is made of; times in milliseconds. */
export type BreakerOptions = {
  /** Rejects when the service is not there. */
  probe(signal: AbortSignal): Promise<void>;
  silentMs?: number;
  probeMs?: number;
  retryMs?: number;
};

/**
 * Keeps requests from waiting for a service that is not there (a circuit breaker, Nygard 2007). While it is open
 * requests fail at once, and the service is asked by a probe of its own; the first one that is answered closes it.
 */
export type Breaker = {
  /** Whether a request may be sent. While the breaker is open the service is asked, and waited for for an instant. */
  allows(): Promise<boolean>;
  /** Has the service asked whether it is there: a request of it failed. */
  suspect(): void;
  /** The service was found to be away. */
  trip(): void;
  /** The service has answered. */
  reset(): void;
  /**
   * Watches a request that waits: the signal aborts when the breaker opens. A request without an answer has the service
   * asked whether it is there; `over` is to be called when it has one.
   */
  watch(): { signal: AbortSignal; over(): void };
};

/** Makes a breaker, which is closed. */
export function createBreaker({
  probe,
  silentMs = SILENT_MS,
  probeMs = PROBE_MS,
  retryMs = RETRY_MS,
}: BreakerOptions): Breaker {
  const waiting = new Set<AbortController>();
  let open = false;
  let recovering = false;
  let probing: Promise<boolean> | undefined;

  /** Asks the service; those who ask meanwhile share the answer. */
  const answers = (): Promise<boolean> => {
    probing ??= probe(AbortSignal.timeout(probeMs))
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        probing = undefined;
      });
    return probing;
  };

  const recover = async (): Promise<void> => {
    if (recovering) return;
    recovering = true;
    while (open) {
      await new Promise<void>((resolve) => setTimeout(resolve, retryMs).unref());
      if (open && (await answers())) open = false;
    }
    recovering = false;
  };

  const trip = (): void => {
    open = true;
    for (const controller of waiting) controller.abort(new Error("the service does not answer"));
    void recover();
  };

  return {
    async allows() {
      if (!open) return true;
      const soon = new Promise<false>((resolve) => setTimeout(() => resolve(false), HALF_OPEN_MS).unref());
      if (await Promise.race([answers(), soon])) open = false;
      return !open;
    },
    suspect() {
      void answers().then((isThere) => isThere || trip());
    },
    trip,
    reset() {
      open = false;
    },
    watch() {
      const controller = new AbortController();
      waiting.add(controller);
      const ask = async (): Promise<void> => {
        const isThere = await answers();
        if (!waiting.has(controller)) return;
        if (isThere) timer = setTimeout(ask, silentMs).unref();
        else trip();
      };
      let timer = setTimeout(ask, silentMs).unref();
      return {
        signal: controller.signal,
        over() {
          clearTimeout(timer);
          waiting.delete(controller);
        },
      };
    },
  };
}
