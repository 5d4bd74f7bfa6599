import type { Broken } from "@isnad/lib/search/sync";

/** What a job did: counts and times for its log line, and the articles that could not be worked on. */
export type Outcome = { counts: Record<string, number>; broken: readonly Broken[] };

/** Measures the stages of a job in whole milliseconds. */
export class Stages {
  #ms: Record<string, number> = {};

  /** Runs the work and adds the time it took to the stage's. */
  async time<T>(stage: string, work: () => Promise<T>): Promise<T> {
    const startedAt = performance.now();
    try {
      return await work();
    } finally {
      const name = `${stage}_ms`;
      this.#ms[name] = (this.#ms[name] ?? 0) + Math.round(performance.now() - startedAt);
    }
  }

  /** Milliseconds by `<stage>_ms`. */
  times(): Record<string, number> {
    return { ...this.#ms };
  }
}
