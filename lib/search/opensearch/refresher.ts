import { EngineError } from "../engines/error.ts";

/** Says how long the first of some writes waits for more of them, in milliseconds. */
const GATHER_MS = 700;
/** Times as long as a refresh took, none follows it. */
const REST = 10;
/** The longest rest, in milliseconds: after it the cluster refreshes by itself. */
const LONGEST_REST_MS = 10_000;

/** Says how long a refresh is waited for, and the last one of a process that ends, in milliseconds. */
const WITHIN_MS = 30_000;
const LAST_WITHIN_MS = 2_000;

/** The interval at which a cluster refreshes by itself, as its setting is written. */
export const REFRESH_INTERVAL = `${LONGEST_REST_MS / 1_000}s`;

/** The clock of a refresher. */
type Timing = { now(): number; after(ms: number, work: () => void): () => void };

const CLOCK: Timing = {
  now: () => performance.now(),
  after(ms, work) {
    const timer = setTimeout(work, ms);
    timer.unref();
    return () => clearTimeout(timer);
  },
};

/**
 * Makes writes visible: within a second of the first of them while a refresh is quick, but for no more than a tenth
 * of the time. Each refresh makes segments, which are merged later; one a second would cost a busy cluster more than
 * the writes do.
 */
export class Refresher {
  readonly #refresh: (withinMs: number) => Promise<void>;
  readonly #timing: Timing;
  #cancel: (() => void) | undefined;
  #running: Promise<void> | undefined;
  #isDue = false;
  #notBefore = Number.NEGATIVE_INFINITY;

  constructor(refresh: (withinMs: number) => Promise<void>, timing: Timing = CLOCK) {
    this.#refresh = refresh;
    this.#timing = timing;
  }

  /** Says that something was written. */
  due(): void {
    this.#isDue = true;
    if (this.#cancel !== undefined || this.#running !== undefined) return;
    const wait = Math.max(GATHER_MS, this.#notBefore - this.#timing.now());
    this.#cancel = this.#timing.after(wait, () => {
      void this.#run(WITHIN_MS);
    });
  }

  /** Makes visible what was written and is not yet. */
  async close(): Promise<void> {
    this.#cancel?.();
    if (this.#isDue) await this.#run(LAST_WITHIN_MS);
    this.#cancel?.();
  }

  async #run(withinMs: number): Promise<void> {
    this.#cancel = undefined;
    this.#isDue = false;
    const startedAt = this.#timing.now();
    // What fails is done by the cluster, as soon as it can.
    this.#running = this.#refresh(withinMs).catch((error: unknown) => {
      if (!(error instanceof EngineError)) throw error;
    });
    try {
      await this.#running;
    } finally {
      this.#running = undefined;
      const endedAt = this.#timing.now();
      this.#notBefore = endedAt + Math.min(REST * (endedAt - startedAt), LONGEST_REST_MS);
    }
    if (this.#isDue) this.due();
  }
}
