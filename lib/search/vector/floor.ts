/** Cosines are told apart by so many steps from -1 to 1: less than the error of int8 codes. */
const STEPS = 4096;

/**
 * What at least `k` articles, or rows, are certain to reach, raised as more of them are met: a count of each by the
 * step below the best that it is certain of.
 */
export class Floor {
  #k = 1;
  readonly #counts = new Int32Array(STEPS + 2);
  /** The step of each article met so far, by its ordinal; 0 for none. All 0 between two searches. */
  #steps = new Uint16Array(0);
  /** The step of the floor, and how many are at it or above. */
  #step = 1;
  #above = 0;

  /** Starts for the `k` best of articles with ordinals below `articles`. */
  begin(k: number, articles: number): void {
    this.#k = k;
    this.#counts.fill(0);
    this.#step = 1;
    this.#above = 0;
    if (this.#steps.length < articles) this.#steps = new Uint16Array(articles * 2);
  }

  /** A cosine; minus infinity before there are `k`. */
  get value(): number {
    return this.#above < this.#k ? Number.NEGATIVE_INFINITY : ((this.#step - 1) * 2) / STEPS - 1;
  }

  /**
   * Counts the rows from `from` to before `to`: what each is certain to reach, and, where articles are counted and not
   * rows, the row's number and the article of each row.
   */
  raise(least: Float64Array, from: number, to: number, rows?: Uint32Array, articles?: Uint32Array): void {
    for (let i = from; i < to; i++) {
      const step = Math.min(STEPS + 1, 1 + Math.floor(((least[i] ?? 0) + 1) * (STEPS / 2)));
      if (step < this.#step) continue;
      if (rows !== undefined && articles !== undefined) {
        const article = articles[rows[i] ?? 0] ?? 0;
        const before = this.#steps[article] ?? 0;
        if (step <= before) continue;
        this.#steps[article] = step;
        this.#count(before, -1);
      }
      this.#count(step, 1);
      while (this.#above - (this.#counts[this.#step] ?? 0) >= this.#k) this.#above -= this.#counts[this.#step++] ?? 0;
    }
  }

  /** Forgets the articles of the first `count` rows; all that were counted are to be among them. */
  forget(rows: Uint32Array, count: number, articles: Uint32Array): void {
    for (let i = 0; i < count; i++) this.#steps[articles[rows[i] ?? 0] ?? 0] = 0;
  }

  #count(step: number, change: 1 | -1): void {
    if (step < this.#step || step === 0) return;
    this.#counts[step] = (this.#counts[step] ?? 0) + change;
    this.#above += change;
  }
}
