import { Buffer } from "node:buffer";

/** A bounded map from word to value: two generations, the older one dropped when the younger is full. */
export function createWordCache<T>(capacity: number): {
  get(word: string): T | undefined;
  set(word: string, value: T): void;
} {
  let young = new Map<string, T>();
  let old = new Map<string, T>();

  const set = (word: string, value: T): void => {
    if (young.size >= capacity / 2) {
      old = young;
      young = new Map();
    }
    young.set(word, value);
  };

  return {
    get(word) {
      const recent = young.get(word);
      if (recent !== undefined) return recent;
      const aged = old.get(word);
      if (aged !== undefined) set(word, aged);
      return aged;
    },
    set,
  };
}

/** `compute`, which remembers what it gave for words of at most `longest` UTF-16 units, about `capacity` of them. */
export function remembering<T>(
  compute: (word: string) => T,
  { capacity, longest = 48 }: { capacity: number; longest?: number },
): (word: string) => T {
  const cache = createWordCache<T>(capacity);
  return (word) => {
    const known = cache.get(word);
    if (known !== undefined) return known;
    const value = compute(word);
    if (word.length <= longest) cache.set(copied(word), value);
    return value;
  };
}

/** The same text in memory of its own: a slice keeps its whole text alive, and what is kept must not. */
export function copied(text: string): string {
  return Buffer.from(text, "utf16le").toString("utf16le");
}
