/** How many kinds of ids are told apart, by their lowest bits. */
const KINDS = 1 << 14;

/**
 * A test whether an id, a whole number, may be one of those that were added: few others pass it. It takes a fraction of
 * a lookup in a set, and most of a long list of ids are looked for in vain.
 */
export class IdFilter {
  readonly #kinds = new Uint8Array(KINDS);

  add(id: number): void {
    this.#kinds[id & (KINDS - 1)] = 1;
  }

  /** Never false for an id that was added. */
  mayHold(id: number): boolean {
    return this.#kinds[id & (KINDS - 1)] === 1;
  }
}
