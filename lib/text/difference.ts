import { at, createSlicer, type SliceOptions } from "../std/mod.ts";
import { fold } from "./clean.ts";
import { sentenceUnits } from "./sentences.ts";

/** A sentence that only one of two texts has. */
type SentenceChange = { change: "removed" | "added"; text: string };

/** Differences of two texts, in the order of reading, and the number of sentences that both have. */
type TextDifference = { sentences: SentenceChange[]; unchanged: number };

type Sentence = { text: string; key: string };

/**
 * Compares two texts sentence by sentence. Sentences that are the same when folded count as unchanged. What stands
 * between two unchanged ones comes as what was removed, then what was added. Sentences that each text has just once are
 * the fixed points, as in patience diff (B. Cohen): O(n log n), however different the texts are. The event loop gets
 * its turns meanwhile.
 */
export async function textDifference(before: string, after: string, options?: SliceOptions): Promise<TextDifference> {
  const difference: TextDifference = { sentences: [], unchanged: 0 };
  const due = createSlicer(options);
  const stretches: Stretch[] = [[await sentencesOf(before, due), await sentencesOf(after, due)]];
  for (let stretch = stretches.pop(); stretch !== undefined; stretch = stretches.pop()) {
    await due();
    stretches.push(...compare(stretch, difference).reverse());
  }
  return difference;
}

/** Stretches of both texts that are to be compared with each other. */
type Stretch = readonly [before: readonly Sentence[], after: readonly Sentence[]];

async function sentencesOf(text: string, due: () => Promise<void> | undefined): Promise<Sentence[]> {
  await due();
  const sentences: Sentence[] = [];
  for (const { start, end } of sentenceUnits(text)) {
    const turn = due();
    if (turn !== undefined) await turn;
    const sentence = text.slice(start, end);
    sentences.push({ text: sentence, key: fold(sentence) });
  }
  return sentences;
}

/** Compares two stretches, and returns what lies between their fixed points, which is still to be compared. */
function compare([before, after]: Stretch, into: TextDifference): Stretch[] {
  let start = 0;
  const shorter = Math.min(before.length, after.length);
  while (start < shorter && before[start]?.key === after[start]?.key) start++;
  let tail = 0;
  while (tail < shorter - start && before.at(-1 - tail)?.key === after.at(-1 - tail)?.key) tail++;
  const [a, b] = [before.slice(start, before.length - tail), after.slice(start, after.length - tail)];
  into.unchanged += start + tail;
  const anchors = a.length === 0 || b.length === 0 ? [] : commonAnchors(a, b);
  if (anchors.length === 0) {
    into.sentences.push(...a.map(({ text }) => ({ change: "removed" as const, text })));
    into.sentences.push(...b.map(({ text }) => ({ change: "added" as const, text })));
    return [];
  }
  into.unchanged += anchors.length;
  let [fromA, fromB] = [0, 0];
  return [...anchors, [a.length, b.length] as const].map(([atA, atB]) => {
    const between: Stretch = [a.slice(fromA, atA), b.slice(fromB, atB)];
    [fromA, fromB] = [atA + 1, atB + 1];
    return between;
  });
}

/** Positions in both of the longest run of sentences that each has just once and that come in the same order. */
function commonAnchors(a: readonly Sentence[], b: readonly Sentence[]): [number, number][] {
  const places = uniquePlaces(b);
  const pairs: [number, number][] = [];
  for (const [key, atA] of uniquePlaces(a)) {
    const atB = places.get(key);
    if (atB !== undefined) pairs.push([atA, atB]);
  }
  return longestIncreasing(pairs.sort(([x], [y]) => x - y));
}

function uniquePlaces(sentences: readonly Sentence[]): Map<string, number> {
  const places = new Map<string, number>();
  const repeated = new Set<string>();
  for (const [place, { key }] of sentences.entries()) {
    if (places.has(key)) repeated.add(key);
    places.set(key, place);
  }
  for (const key of repeated) places.delete(key);
  return places;
}

/** Returns the longest run of pairs whose second numbers grow (patience sorting); the first ones grow already. */
function longestIncreasing(pairs: readonly [number, number][]): [number, number][] {
  type Node = { pair: [number, number]; before: Node | undefined };
  const tops: Node[] = [];
  for (const pair of pairs) {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (at(tops, middle).pair[1] < pair[1]) low = middle + 1;
      else high = middle;
    }
    tops[low] = { pair, before: tops[low - 1] };
  }
  const run: [number, number][] = [];
  for (let node = tops.at(-1); node !== undefined; node = node.before) run.push(node.pair);
  return run.reverse();
}
