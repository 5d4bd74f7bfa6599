/** The pieces of three characters of a text, its ends marked, each once. */
export function trigramsOf(text: string): Set<string> {
  const padded = `\u0002${text}\u0003`;
  const trigrams = new Set<string>();
  for (let i = 0; i + 3 <= padded.length; i++) trigrams.add(padded.slice(i, i + 3));
  if (trigrams.size === 0) trigrams.add(padded);
  return trigrams;
}

/** A hit of a {@link TrigramIndex}: the place of the text, and how alike it is (0 to 1). */
export type Similar = { place: number; score: number };

/** Texts that can be asked which of them are like another one. */
export type TrigramIndex = {
  /** The texts that share at least `threshold` of their trigrams (Dice's coefficient), the most alike first. */
  like(text: string, options: { threshold: number; limit: number }): Similar[];
};

/** Makes the index. Asking costs as much as there are texts that share a trigram. */
export function createTrigramIndex(texts: readonly string[]): TrigramIndex {
  const sizes = new Uint16Array(texts.length);
  const places = new Map<string, number[]>();
  texts.forEach((text, place) => {
    const trigrams = trigramsOf(text);
    sizes[place] = trigrams.size;
    for (const trigram of trigrams) {
      const list = places.get(trigram);
      if (list === undefined) places.set(trigram, [place]);
      else list.push(place);
    }
  });
  return {
    like(text, { threshold, limit }) {
      const trigrams = trigramsOf(text);
      const shared = new Map<number, number>();
      for (const trigram of trigrams) {
        for (const place of places.get(trigram) ?? []) shared.set(place, (shared.get(place) ?? 0) + 1);
      }
      return [...shared]
        .map(([place, count]): Similar => ({ place, score: (2 * count) / (trigrams.size + (sizes[place] ?? 0)) }))
        .filter(({ score }) => score >= threshold)
        .sort((a, b) => b.score - a.score || a.place - b.place)
        .slice(0, limit);
    },
  };
}
