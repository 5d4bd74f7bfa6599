import { Buffer } from "node:buffer";
import { BoundedMap } from "./bounded-map.ts";

/**
 * `compute`, which remembers what it gave for words of at most `longest` UTF-16 units, about `capacity` of them; a text
 * that it gives must be {@link copied} where it can be a part of the word's.
 */
export function memoize<T>(
  compute: (word: string) => T,
  { capacity, longest = 48 }: { capacity: number; longest?: number },
): (word: string) => T {
  const cache = new BoundedMap<string, T>(capacity);
  return (word) => {
    const cached = cache.get(word);
    if (cached !== undefined) return cached;
    const value = compute(word);
    if (word.length <= longest) cache.set(copied(word), value);
    return value;
  };
}

/** The same text in memory of its own: a slice keeps its whole text alive, and what is kept must not. */
export function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
