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
