/** Measures the parts of a run in whole milliseconds. */
export class Times {
  #ms: Record<string, number> = {};

  /** Runs the work and adds the time it took to the part's. */
  async of<T>(part: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const name = `${part}_ms`;
      this.#ms[name] = (this.#ms[name] ?? 0) + Math.round(performance.now() - startedAt);
    }
  }

  /** Returns the milliseconds by `<part>_ms`. */
  all(): Record<string, number> {
    return { ...this.#ms };
  }
}
