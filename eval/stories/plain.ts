import type { StoryText } from "@isnad/lib/store";
import { analyse } from "@isnad/lib/text";

/** Returns how alike two articles are, from 0 to 1. */
type Likeness = (a: number, b: number) => number;

/** Longest time between two articles that are joined, in milliseconds. */
const WINDOW_MS = 2 * 86_400_000;

/** Thresholds that are tried; the best one for the set itself is taken, which no one has beforehand. */
const STEPS = 40;

/**
 * Returns the stories of a set by plain clustering: articles are joined whose likeness is above a threshold, the one
 * with which `scoreOf` is best.
 */
export function plainStories(
  texts: readonly StoryText[],
  likeness: Likeness,
  scoreOf: (stories: ReadonlyMap<number, number>) => number,
): Map<number, number> {
  const pairs: { a: number; b: number; likeness: number }[] = [];
  for (const [a, one] of texts.entries()) {
    for (const [n, other] of texts.slice(a + 1).entries()) {
      if (Math.abs(one.at - other.at) > WINDOW_MS) continue;
      const b = a + 1 + n;
      const value = likeness(a, b);
      if (value > 0) pairs.push({ a, b, likeness: value });
    }
  }
  let best = new Map<number, number>();
  let most = -1;
  for (let step = 1; step < STEPS; step++) {
    const stories = joined(
      texts,
      pairs.filter((pair) => pair.likeness >= step / STEPS),
    );
    const score = scoreOf(stories);
    if (score > most) [best, most] = [stories, score];
  }
  return best;
}

function joined(texts: readonly StoryText[], pairs: readonly { a: number; b: number }[]): Map<number, number> {
  const parents = texts.map((_, i) => i);
  const root = (i: number): number => {
    for (let at = i; ; at = parents[at] ?? at) if (parents[at] === at) return at;
  };
  for (const { a, b } of pairs) parents[root(a)] = root(b);
  return new Map(texts.map(({ articleId }, i) => [articleId, root(i)]));
}

/** Likeness by the words of titles that two have of those that either has (Jaccard). */
export function titleLikeness(texts: readonly StoryText[]): Likeness {
  const titles = texts.map(({ title }) => new Set(stemsOf(title)));
  return (a, b) => {
    const [x = new Set(), y = new Set()] = [titles[a], titles[b]];
    const shared = x.intersection(y).size;
    return shared === 0 ? 0 : shared / (x.size + y.size - shared);
  };
}

/** Likeness by tf-idf over titles and contents of the set. */
export function wordLikeness(texts: readonly StoryText[]): Likeness {
  const counts = texts.map(({ title, content }) => {
    const words = new Map<string, number>();
    for (const stem of stemsOf(`${title}\n${content}`)) words.set(stem, (words.get(stem) ?? 0) + 1);
    return words;
  });
  const holders = new Map<string, number>();
  for (const words of counts) for (const stem of words.keys()) holders.set(stem, (holders.get(stem) ?? 0) + 1);
  const vectors = counts.map((words) => {
    const weighed = [...words].map(
      ([stem, count]) => [stem, (1 + Math.log(count)) * Math.log(texts.length / (holders.get(stem) ?? 1))] as const,
    );
    const length = Math.hypot(...weighed.map(([, weight]) => weight)) || 1;
    return new Map(weighed.map(([stem, weight]) => [stem, weight / length]));
  });
  return (a, b) => {
    let sum = 0;
    for (const [stem, weight] of vectors[a] ?? []) sum += weight * (vectors[b]?.get(stem) ?? 0);
    return sum;
  };
}

/** Likeness by the cosine of the mean of each article's passages. */
export function meaningLikeness(texts: readonly StoryText[]): Likeness {
  const means = texts.map(({ vectors }) => {
    const sum = new Float64Array(vectors[0]?.length ?? 0);
    for (const vector of vectors) for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
    const length = Math.hypot(...sum) || 1;
    return sum.map((value) => value / length);
  });
  return (a, b) => {
    const [x, y] = [means[a], means[b]];
    if (x === undefined || y === undefined) return 0;
    let sum = 0;
    for (let i = 0; i < x.length; i++) sum += (x[i] ?? 0) * (y[i] ?? 0);
    return sum;
  };
}

const stemsOf = (text: string): string[] =>
  analyse(text).flatMap(({ terms }) => (terms.stop ? [] : terms.stems.slice(0, 1)));
