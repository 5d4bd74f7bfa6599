import type { IngestResult } from "@isnad/lib/contract";
import { NO_PULL_COUNTS, type PullCounts } from "@isnad/lib/store";

/** Counts what becomes of the items of a pull, and why items failed. */
export class Tally {
  readonly counts: PullCounts = { ...NO_PULL_COUNTS };
  readonly #reasons = new Map<string, number>();

  /** Adds what became of a batch. */
  add(results: readonly IngestResult[]): void {
    for (const { status, error } of results) {
      this.counts.discovered += 1;
      this.counts[status] += 1;
      if (error === undefined) continue;
      const reason = error.type.replace("/errors/", "");
      this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
    }
  }

  /** Why items failed, one line, the most frequent reason first; undefined when none did. */
  failures(): string | undefined {
    if (this.counts.failed === 0) return undefined;
    const reasons = [...this.#reasons].sort(([, a], [, b]) => b - a).map(([reason, count]) => `${count} ${reason}`);
    return `${this.counts.failed} of ${this.counts.discovered} items failed: ${reasons.join(", ")}`;
  }
}
