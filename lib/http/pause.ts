/** Resolves after `ms` milliseconds, or as soon as the signal aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(done, ms);
    signal.addEventListener("abort", done, { once: true });
    function done() {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    }
    if (signal.aborted) done();
  });
}

/** Wakes one sleeper; a ring that nobody slept through is kept for the next one. */
export class Bell {
  #rung = false;
  #wake: (() => void) | undefined;

  /** Wakes the sleeper. */
  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Resolves at the next ring, or after `atMostMs` milliseconds. */
  heard(atMostMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#rung = false;
        this.#wake = undefined;
        resolve();
      };
      const timer = setTimeout(done, atMostMs);
      this.#wake = done;
      if (this.#rung) done();
    });
  }
}
