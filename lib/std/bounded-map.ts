/**
 * A map that forgets what has not been used for long. There are two generations of half the capacity each: a full
 * younger one takes the place of the older, and what is asked for in the older one moves to the younger. So a lookup
 * costs no more than that of a map, and at least the last half of the capacity is always there.
 */
export class BoundedMap<K, V> {
  readonly #half: number;
  readonly #weigh: (value: V) => number;
  #young = new Map<K, V>();
  #old = new Map<K, V>();
  #weight = 0;

  /**
   * Holds values of `capacity` in all; each weighs 1 unless `weigh` says otherwise. One of more than half is not kept.
   */
  constructor(capacity: number, { weigh = () => 1 }: { weigh?: (value: V) => number } = {}) {
    this.#half = capacity / 2;
    this.#weigh = weigh;
  }

  /** The value, undefined when it was never set or is forgotten. */
  get(key: K): V | undefined {
    const young = this.#young.get(key);
    if (young !== undefined) return young;
    const old = this.#old.get(key);
    if (old !== undefined) this.set(key, old);
    return old;
  }

  set(key: K, value: V): void {
    this.delete(key);
    const weight = this.#weigh(value);
    if (weight > this.#half) return;
    if (this.#weight + weight > this.#half) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#weight = 0;
    }
    this.#young.set(key, value);
    this.#weight += weight;
  }

  delete(key: K): void {
    const young = this.#young.get(key);
    if (young !== undefined) this.#weight -= this.#weigh(young);
    this.#young.delete(key);
    this.#old.delete(key);
  }

  clear(): void {
    this.#young = new Map();
    this.#old = new Map();
    this.#weight = 0;
  }
}
