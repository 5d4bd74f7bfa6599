/** Returns the pieces of three characters of a text with a space at either end, each once. */
export function trigramsOf(text: string): Set<string> {
  return piecesOf(` ${text} `);
}

function piecesOf(text: string): Set<string> {
  const pieces = new Set<string>();
  for (let i = 0; i + 3 <= text.length; i++) pieces.add(text.slice(i, i + 3));
  return pieces;
}

/** A hit of a {@link TrigramIndex}: the place of the text, and how alike it is (0 to 1). */
export type Similar = { place: number; score: number };

/** Texts that can be asked which of them are like another one, or hold it. */
type TrigramIndex = {
  /**
   * Returns the texts that share at least `threshold` of their trigrams (Dice's coefficient), the most alike first.
   * With a threshold near 0 and many texts only those are compared that share the rarest of the trigrams.
   */
  like(text: string, options: { threshold: number; limit: number }): Similar[];
  /**
   * Returns the places of texts that hold every trigram of `text`, in order: those that hold it, and perhaps others.
   * One of less than three characters counts as a word.
   */
  holding(text: string): Iterable<number>;
};

/** Places in lists that are counted for one question beyond those that the threshold asks for, at most. */
const BUDGET = 30_000;

/** Makes the index. */
export function createTrigramIndex(texts: readonly string[]): TrigramIndex {
  const { sizes, places } = postingsOf(texts);
  const shared = new Uint32Array(texts.length);

  return {
    like(text, { threshold, limit }) {
      const trigrams = trigramsOf(text);
      const lists = listsOf(trigrams, places).sort((a, b) => a.length - b.length);
      // A text that is alike shares at least this many trigrams, so that it is in one of the rarest lists but as many.
      const least = Math.max(1, Math.ceil((trigrams.size * threshold) / (2 - threshold) - 1e-9));
      const needed = lists.length - least + 1;
      const touched: number[] = [];
      let visited = 0;
      let counted = 0;
      for (; counted < needed; counted++) {
        const list = lists[counted] ?? new Uint32Array();
        visited += list.length;
        if (visited > BUDGET && least === 1 && counted > 0) break;
        for (const place of list) {
          if (shared[place] === 0) touched.push(place);
          shared[place] = (shared[place] ?? 0) + 1;
        }
      }
      const rest = lists.slice(counted);
      const best: Similar[] = [];
      const scoreOf = (place: number, count: number) => (2 * count) / (trigrams.size + (sizes[place] ?? 0));
      const compare = (place: number, count: number): void => {
        const last = best.length === limit ? (best.at(-1)?.score ?? 0) : threshold;
        if (scoreOf(place, count + rest.length) < Math.max(threshold, last)) return;
        const score = scoreOf(
          place,
          rest.reduce((sum, list) => (has(list, place) ? sum + 1 : sum), count),
        );
        if (score >= threshold) insert(best, { place, score }, limit);
      };
      for (const place of touched) {
        compare(place, shared[place] ?? 0);
        shared[place] = 0;
      }
      return best;
    },
    *holding(text) {
      const trigrams = text.length < 3 ? trigramsOf(text) : piecesOf(text);
      const [rarest, ...others] = listsOf(trigrams, places).sort((a, b) => a.length - b.length);
      if (rarest === undefined || others.length + 1 < trigrams.size) return;
      for (const place of rarest) {
        if (others.every((list) => has(list, place))) yield place;
      }
    },
  };
}

/** Returns the lists of those trigrams that some text has. */
function listsOf(trigrams: ReadonlySet<string>, places: ReadonlyMap<string, Uint32Array>): Uint32Array[] {
  return Array.from(trigrams, (trigram) => places.get(trigram)).filter((list) => list !== undefined);
}

/** Counts how many trigrams each text has, and the texts that have a trigram, in order. */
function postingsOf(texts: readonly string[]): { sizes: Uint32Array; places: Map<string, Uint32Array> } {
  const sizes = new Uint32Array(texts.length);
  const lists = new Map<string, number[]>();
  texts.forEach((text, place) => {
    const trigrams = trigramsOf(text);
    sizes[place] = trigrams.size;
    for (const trigram of trigrams) {
      const list = lists.get(trigram);
      if (list === undefined) lists.set(trigram, [place]);
      else list.push(place);
    }
  });
  return { sizes, places: new Map(Array.from(lists, ([trigram, list]) => [trigram, Uint32Array.from(list)])) };
}

/** Keeps the best hits, the most alike first, of equal ones the earlier text. */
function insert(best: Similar[], hit: Similar, limit: number): void {
  const isBefore = (other: Similar): boolean =>
    hit.score > other.score || (hit.score === other.score && hit.place < other.place);
  const last = best.at(-1);
  if (best.length === limit && last !== undefined && !isBefore(last)) return;
  let at = best.length;
  for (let before = best[at - 1]; before !== undefined && isBefore(before); before = best[at - 1]) at--;
  best.splice(at, 0, hit);
  if (best.length > limit) best.pop();
}

/** Tells whether an ascending list has the value. */
function has(list: Uint32Array, value: number): boolean {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((list[middle] ?? 0) < value) low = middle + 1;
    else high = middle;
  }
  return list[low] === value;
}
