import type { Outcome } from "./outcome.ts";

const SIZE = 16;

/** A few of the articles that were accepted, spread over the import, the first and the last among them. */
export class Sample {
  readonly #kept: number[] = [];
  #every = 1;
  #count = 0;
  #last: number | undefined;

  /** Takes the accepted ones of these outcomes into account. */
  add(outcomes: readonly Outcome[]): void {
    for (const { status, articleId } of outcomes) {
      if (status !== "accepted" || articleId === undefined) continue;
      this.#last = Math.max(this.#last ?? articleId, articleId);
      if (this.#count++ % this.#every !== 0) continue;
      this.#kept.push(articleId);
      if (this.#kept.length < SIZE) continue;
      this.#every *= 2;
      const spread = this.#kept.filter((_, i) => i % 2 === 0);
      this.#kept.splice(0, this.#kept.length, ...spread);
    }
  }

  /** Their ids, without repetition. */
  ids(): number[] {
    return [...new Set([...this.#kept, ...(this.#last === undefined ? [] : [this.#last])])];
  }
}
