import { isUnavailable } from "@isnad/lib/store";

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

/** Codes of a disk that is full, read-only or failing. */
const DISK: ReadonlySet<unknown> = new Set(["ENOSPC", "EDQUOT", "EROFS", "EIO"]);

/** Returns whether an error says that what every article needs is away, so that no article is to blame. */
export function isAway(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return error instanceof Error && "code" in error && DISK.has(error.code);
}
