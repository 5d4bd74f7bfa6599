import { Buffer } from "node:buffer";

/**
 * Returns the element at `index`. Throws {@link RangeError} where there is none: a wrong index must not become a value.
 * Not for loops over numbers: the engine learns the kinds of arrays for all callers together, which makes a step there
 * up to thirty times as slow as `array[index] ?? 0`.
 */
export function at<T>(array: { readonly length: number; readonly [index: number]: T }, index: number): T {
  const value = array[index];
  if (value === undefined) throw new RangeError(`no element ${index} of ${array.length}`);
  return value;
}

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

  /** Returns the value, undefined when it was never set or is forgotten. */
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

/** Caches that {@link forgetCached} empties while they are there. */
const caches = new Set<WeakRef<{ clear(): void }>>();

/** Has a cache emptied by {@link forgetCached}. */
export function emptiedAtRest(cache: { clear(): void }): void {
  caches.add(new WeakRef(cache));
}

/** Empties the caches of the calling thread: whatever is asked next is computed again. For a process that rests. */
export function forgetCached(): void {
  for (const reference of caches) {
    const cache = reference.deref();
    if (cache === undefined) caches.delete(reference);
    else cache.clear();
  }
}

/**
 * `compute`, which remembers what it gave for words of at most `longest` UTF-16 units, about `capacity` of them; a text
 * that it gives must be {@link copied} where it can be a part of the word's.
 */
export function memoize<T>(
  compute: (word: string) => T,
  { capacity, longest = 48 }: { capacity: number; longest?: number },
): (word: string) => T {
  const cache = new BoundedMap<string, T>(capacity);
  emptiedAtRest(cache);
  return (word) => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const value = compute(word);
    if (word.length <= longest) cache.set(copied(word), value);
    return value;
  };
}

/** Returns the same text in memory of its own: a slice keeps its whole text alive, and what is kept must not. */
export function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
