import { existsSync } from "node:fs";
import { createEmbedder, createPassageReader, createTagger, openRegistry } from "@isnad/lib/models";
import { entriesHash, type EvalSet, type EvalTask, type Measured } from "../task.ts";
import { openStoryArchive, type StoryArchive, type StoryModels } from "../stories/archive.ts";
import { meaningLikeness, plainStories, titleLikeness, wordLikeness } from "../stories/plain.ts";
import { bCubed, changedPairs, pairScores, type Told } from "../stories/scores.ts";
import {
  arabicArticles,
  articlesOf,
  englishArticles,
  type LabelledArticle,
  onTheSameDays,
  ownEvents,
} from "../stories/sets.ts";

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
        return await measure(
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

async function measure(
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
