import { existsSync } from "node:fs";
import { createEmbedder, createPassageReader, createTagger, openRegistry } from "@isnad/lib/models";
import type { StoryText } from "@isnad/lib/store";
import { analyse } from "@isnad/lib/text";
import {
  arabicArticles,
  articlesOf,
  englishArticles,
  type LabelledArticle,
  onTheSameDays,
  openStoryArchive,
  ownEvents,
  type StoryArchive,
  type StoryModels,
} from "../stories/archive.ts";
import { entriesHash, type EvalSet, type EvalTask, type Measured } from "../task.ts";

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
function plainStories(
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
function titleLikeness(texts: readonly StoryText[]): Likeness {
  const titles = texts.map(({ title }) => new Set(stemsOf(title)));
  return (a, b) => {
    const [x = new Set(), y = new Set()] = [titles[a], titles[b]];
    const shared = x.intersection(y).size;
    return shared === 0 ? 0 : shared / (x.size + y.size - shared);
  };
}

/** Likeness by tf-idf over titles and contents of the set. */
function wordLikeness(texts: readonly StoryText[]): Likeness {
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
function meaningLikeness(texts: readonly StoryText[]): Likeness {
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

/** An article with its language, its true story and the one that it was put into. Each alone has a story of its own. */
export type Told = { lang: string; story: string | number; told: string | number };

/** F1 of a precision and a recall. */
type F1 = { f1: number; precision: number; recall: number };

/** Returns B³: precision and recall of each article's story, averaged over articles (Bagga and Baldwin 1998). */
export function bCubed(articles: readonly Told[]): F1 {
  const told = Map.groupBy(articles, (article) => article.told);
  const stories = Map.groupBy(articles, (article) => article.story);
  let precision = 0;
  let recall = 0;
  for (const { story, told: into } of articles) {
    const group = told.get(into) ?? [];
    const right = group.filter((other) => other.story === story).length;
    precision += right / group.length;
    recall += right / (stories.get(story)?.length ?? 1);
  }
  return f1(precision / articles.length, recall / articles.length);
}

/** Returns the scores over pairs of articles in one story: those of one language, or those of two. */
export function pairScores(articles: readonly Told[], { across }: { across: boolean }): F1 {
  let right = 0;
  let told = 0;
  let true_ = 0;
  for (const [i, a] of articles.entries()) {
    for (const b of articles.slice(i + 1)) {
      if ((a.lang !== b.lang) !== across) continue;
      const isTold = a.told === b.told;
      const isTrue = a.story === b.story;
      told += Number(isTold);
      true_ += Number(isTrue);
      right += Number(isTold && isTrue);
    }
  }
  return f1(told === 0 ? 1 : right / told, true_ === 0 ? 1 : right / true_);
}

/** Returns the share of pairs in one story that two tellings do not have in common. */
export function changedPairs(a: readonly (string | number)[], b: readonly (string | number)[]): number {
  let either = 0;
  let both = 0;
  for (let i = 0; i < a.length; i++) {
    for (let j = i + 1; j < a.length; j++) {
      const inA = a[i] === a[j];
      const inB = b[i] === b[j];
      either += Number(inA || inB);
      both += Number(inA && inB);
    }
  }
  return either === 0 ? 0 : (either - both) / either;
}

function f1(precision: number, recall: number): F1 {
  const sum = precision + recall;
  return { f1: sum === 0 ? 0 : (2 * precision * recall) / sum, precision, recall };
}

/** Order of arrival that is compared with that of publication: a fixed shuffle. */
const SEED = 28;

/** The held-out days, and all of them with the written events as if they were of the same days. */
const SETS = ["Arabic days", "English days", "both languages"] as const;

/** Measures whether articles that tell of one event are put into one story. */
export const stories: EvalTask = {
  name: "stories",
  formats: "JSON lines {lang, source, title, text, at, group}; the articles of an event have the same group",
  sets: (data) =>
    existsSync(`${data}/news/ant_v2_ar.jsonl.gz`) && existsSync(`${data}/news/english.jsonl.gz`)
      ? SETS.map((set) => ({ set, path: `${data}/news` }))
      : [],
  async load() {
    const registry = openRegistry({ dataDir: process.env.DATA_DIR ?? ".data" });
    const embedder = await createEmbedder({ registry, timeoutMs: 600_000 });
    const tagger = await createTagger({ registry, timeoutMs: 600_000 });
    const reader = await createPassageReader({ registry, timeoutMs: 600_000 });
    return {
      async measure(set) {
        const articles = articlesIn(set);
        return await measureStories(
          articles,
          { embedder, tagger, reader },
          { isBoth: articles.some(({ lang }) => lang === "ar") && articles.some(({ lang }) => lang === "en") },
        );
      },
      async close() {
        await embedder.close();
        await tagger.close();
        await reader?.close();
      },
    };
  },
};

function articlesIn({ set, path }: EvalSet): LabelledArticle[] {
  if (set === "Arabic days") return arabicArticles(path, "test");
  if (set === "English days") return englishArticles(path, "test");
  if (set !== "both languages") return articlesOf(path);
  return onTheSameDays([arabicArticles(path, "test"), englishArticles(path, "test"), ownEvents("test")]);
}

export async function measureStories(
  articles: readonly LabelledArticle[],
  models: StoryModels,
  { isBoth }: { isBoth: boolean },
): Promise<Measured> {
  await using archive = await openStoryArchive(articles, models);
  const ids = archive.articles.map(({ articleId }) => articleId);
  const told = await archive.tell(ids);
  const again = await archive.tell(shuffled(ids));
  const figures: Record<string, number> = {
    ...figuresOf(archive, told, { isBoth }),
    "same in any order": 1 - changedPairs(inOrder(ids, told), inOrder(ids, again)),
  };
  if (!isBoth && archive.articles.some(({ firstReading }) => firstReading !== undefined)) {
    const byFirst = tellings(archive, told, ({ firstReading }) => firstReading);
    figures["B³ F1, first reading"] = bCubed(byFirst).f1;
    figures["readings agree, B³ F1"] = bCubed(readings(archive)).f1;
  }
  const plain = {
    titles: titleLikeness(archive.texts),
    "tf-idf": wordLikeness(archive.texts),
    cosine: meaningLikeness(archive.texts),
  };
  for (const [name, likeness] of Object.entries(plain)) {
    const best = plainStories(archive.texts, likeness, (stories) => bCubed(tellings(archive, stories)).f1);
    for (const [metric, value] of Object.entries(figuresOf(archive, best, { isBoth }))) {
      figures[`${metric}, ${name}`] = value;
    }
  }
  const predictions = archive.articles.map(({ id, articleId }) => `${id}\t${told.get(articleId)}`);
  const corpus = entriesHash(archive.articles.map(({ url, story }) => [url, story]));
  return { figures, size: ids.length, predictions, corpus };
}

function figuresOf(
  archive: StoryArchive,
  told: ReadonlyMap<number, number>,
  { isBoth }: { isBoth: boolean },
): Record<string, number> {
  const articles = tellings(archive, told);
  const across = pairScores(articles, { across: true });
  return {
    "B³ F1": bCubed(articles).f1,
    "pairwise F1": pairScores(articles, { across: false }).f1,
    ...(isBoth && { "across recall": across.recall, "across precision": across.precision }),
  };
}

/** Returns each article with its true story and the one that it was put into. */
function tellings(
  { articles }: StoryArchive,
  told: ReadonlyMap<number, number>,
  storyOf: (article: LabelledArticle) => string | undefined = ({ story }) => story,
): Told[] {
  return articles.map((article) => ({
    lang: article.lang,
    story: storyOf(article) ?? article.id,
    told: told.get(article.articleId) ?? `none ${article.id}`,
  }));
}

/** Returns the articles of two readings as if the first were what was told. */
function readings({ articles }: StoryArchive): Told[] {
  return articles.map(({ id, lang, story, firstReading }) => ({ lang, story: story ?? id, told: firstReading ?? id }));
}

const inOrder = (ids: readonly number[], told: ReadonlyMap<number, number>): number[] =>
  ids.map((id) => told.get(id) ?? -id);

/** Shuffles by a linear congruential generator, the same each time. */
function shuffled(ids: readonly number[]): number[] {
  let state = SEED;
  const keyed = ids.map((id) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return { id, key: state };
  });
  return keyed.sort((a, b) => a.key - b.key).map(({ id }) => id);
}
