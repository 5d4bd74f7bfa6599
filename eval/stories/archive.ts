import { createHash } from "node:crypto";
import { articleEntities, type Embedder, type PassageReader, passagesOf, type Tagger } from "@isnad/lib/models";
import { cutPassages, embedPassages } from "@isnad/lib/search/sync";
import type { Store, StoryText } from "@isnad/lib/store";
import { admitItems, forgetStories, testItem, testStore } from "@isnad/lib/store/testing";
import { reportOf, STORY_RULES } from "@isnad/lib/stories";
import { readFileSync } from "node:fs";
import { fileURLToPath, URL } from "node:url";
import { sentences } from "@isnad/lib/text";
import { readJsonLines } from "../retrieval-sets.ts";

/** Days to choose by, and days held out to report. */
type Part = "dev" | "test";

/** An article with the story that it was read to belong to; one of no story is alone. */
export type LabelledArticle = {
  id: string;
  lang: "ar" | "en";
  source: string;
  url: string;
  title: string;
  content: string;
  /** ISO 8601. */
  publishedAt: string;
  story: string | undefined;
  /** Its story by the first reading alone, where two were kept. */
  firstReading?: string | undefined;
};

/** Days of each part in the Arabic news, all of whose articles belong to the set. */
const ARABIC_DAYS: Readonly<Record<Part, readonly string[]>> = {
  dev: [
    ...["2018-03-26", "2018-03-27", "2018-05-08", "2018-05-09", "2018-06-21", "2018-06-22"],
    ...["2018-08-10", "2018-08-11", "2018-08-12", "2018-09-10", "2018-09-11"],
  ],
  test: ["2018-07-10", "2018-07-11", "2018-07-12"],
};

const MONTHS: Readonly<Record<string, string>> = { Mar: "03", May: "05", Jun: "06", Jul: "07", Aug: "08", Sep: "09" };

/** Units of a first sentence that stands for a title that the file does not have. */
const TITLE_UNITS = 140;

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const rowsOf = (name: string): string[][] =>
  readFileSync(here(name), "utf8")
    .trim()
    .split("\n")
    .map((line) => line.split("\t"));

/** Returns the Arabic articles of a part, in the order of their times. `news` is the folder of the data. */
export function arabicArticles(news: string, part: Part): LabelledArticle[] {
  const labels = new Map(
    rowsOf("labels.ar.tsv").flatMap(([of, story, ref, first]) => (of === part ? [[ref, { story, first }]] : [])),
  );
  const articles = new Map<string, LabelledArticle>();
  for (const row of readJsonLines(`${news}/ant_v2_ar.jsonl`)) {
    const published = String(row.published ?? "");
    // The day as the paper wrote it.
    const day = /(\d{2}) (Mar|May|Jun|Jul|Aug|Sep) (2018)/.exec(published);
    if (day === null || !ARABIC_DAYS[part].includes(`2018-${MONTHS[day[2] ?? ""]}-${day[1]}`)) continue;
    const url = String(row.url ?? "");
    if (articles.has(url)) continue;
    articles.set(url, {
      id: String(row.id),
      lang: "ar",
      source: String(row.source),
      url,
      title: String(row.title ?? "").trim(),
      content: String(row.text ?? ""),
      publishedAt: new Date(published).toISOString(),
      story: storyOf(labels.get(refOf(url))?.story),
      firstReading: storyOf(labels.get(refOf(url))?.first),
    });
  }
  return inOrder([...articles.values()]);
}

/** Returns the story of a label; a dash stands for none. */
const storyOf = (label: string | undefined): string | undefined => (label === "-" ? undefined : label);

/** Returns how a label names an article by its address. */
function refOf(url: string): string {
  return createHash("sha256").update(url).digest("hex").slice(0, 16);
}

/** Returns the English articles of a part: the file has no times for them, so the labels give them one. */
export function englishArticles(news: string, part: Part): LabelledArticle[] {
  const labels = new Map(
    rowsOf("labels.en.tsv").flatMap(([of, story, id, at]) =>
      of === part ? [[id ?? "", { story, at: at ?? "" }]] : [],
    ),
  );
  const articles: LabelledArticle[] = [];
  for (const row of readJsonLines(`${news}/english.jsonl`)) {
    const label = labels.get(String(row.id));
    if (label === undefined) continue;
    const content = String(row.text ?? "");
    articles.push({
      id: String(row.id),
      lang: "en",
      source: String(row.source),
      url: `https://news.example/${String(row.id)}`,
      title: String(row.title ?? "").trim() || firstSentence(content),
      content,
      publishedAt: new Date(label.at).toISOString(),
      story: storyOf(label.story),
    });
  }
  return inOrder(articles);
}

function firstSentence(content: string): string {
  const text = content.replace(/\s+/g, " ").trim();
  const [first] = sentences(text.slice(0, TITLE_UNITS * 4));
  return text.slice(0, Math.min(first?.end ?? TITLE_UNITS, TITLE_UNITS)).trim();
}

/** Returns the events that were written for this set, each told in both languages. */
export function ownEvents(part: Part): LabelledArticle[] {
  return articlesOf(here("events.jsonl")).filter(({ id }) => id.startsWith(part));
}

/** Returns the articles of a file of JSON lines as `events.jsonl` has them; those without a group are alone. */
export function articlesOf(path: string): LabelledArticle[] {
  const articles = readJsonLines(path).map((row, i): LabelledArticle => {
    const id = `${String(row.part ?? "own")}-${i}`;
    return {
      id,
      lang: row.lang === "ar" ? "ar" : "en",
      source: String(row.source),
      url: `https://news.example/own/${id}`,
      title: String(row.title),
      content: String(row.text),
      publishedAt: new Date(String(row.at)).toISOString(),
      story: row.group === undefined ? undefined : String(row.group),
    };
  });
  return inOrder(articles);
}

const DAY_MS = 86_400_000;

/** Returns sets of different years as if all were of the same days, so that each is among the others' articles. */
export function onTheSameDays(sets: readonly (readonly LabelledArticle[])[]): LabelledArticle[] {
  const moved = sets.flatMap((articles, n) => {
    const ofSet = (story: string | undefined) => (story === undefined ? undefined : `${n} ${story}`);
    const times = articles.map(({ publishedAt }) => Date.parse(publishedAt));
    const firstDay = Math.floor(Math.min(...times) / DAY_MS) * DAY_MS;
    const move = (time: string): string => new Date(Date.parse(time) - firstDay + COMMON_DAY).toISOString();
    return articles.map((article) => ({
      ...article,
      publishedAt: move(article.publishedAt),
      story: ofSet(article.story),
      firstReading: ofSet(article.firstReading),
    }));
  });
  return inOrder(moved);
}

/** The first of the days that all sets are moved to. */
const COMMON_DAY = Date.parse("2024-01-01T00:00:00Z");

function inOrder(articles: LabelledArticle[]): LabelledArticle[] {
  return articles.sort((a, b) => (a.publishedAt < b.publishedAt ? -1 : a.publishedAt > b.publishedAt ? 1 : 0));
}

/** Articles embedded and tagged at a time, and put into stories at a time, as the stage takes them. */
const READ_BATCH = 50;
const STAGE_BATCH = 32;

/** Time for all of it, in milliseconds. */
const TIMEOUT_MS = 3_600_000;

export type StoryModels = {
  embedder: Pick<Embedder, "embed" | "modelId">;
  tagger: Pick<Tagger, "tag" | "modelId">;
  /** Left out: articles are told apart without what the reranker reads. */
  reader?: Pick<PassageReader, "read" | "modelId"> | undefined;
};

/** A database that holds a set as the platform would, up to the stage `stories`. */
export type StoryArchive = AsyncDisposable & {
  /** The articles that were admitted, with their numbers, in the order of their times. */
  articles: (LabelledArticle & { articleId: number })[];
  /** Their texts, names and passages. */
  texts: StoryText[];
  /** Tells them apart in this order of their numbers, from nothing; returns the story of each. */
  tell(order: readonly number[]): Promise<Map<number, number>>;
};

/** Stores a set with its passages and names. A text that is there already is left out, as the platform does. */
export async function openStoryArchive(
  articles: readonly LabelledArticle[],
  models: StoryModels,
): Promise<StoryArchive> {
  const { store, sql, close } = await testStore();
  const admitted: StoryArchive["articles"] = [];
  for (const article of articles) {
    const [articleId] = await admitItems(store, [itemOf(article)]);
    if (articleId !== undefined) admitted.push({ ...article, articleId });
  }
  await read(store, admitted, models);
  const ids = admitted.map(({ articleId }) => articleId);
  const texts = await store.stories.texts(ids);
  return {
    articles: admitted,
    texts,
    async tell(order) {
      await forgetStories(sql);
      const byId = new Map(texts.map((text) => [text.articleId, text]));
      for (let from = 0; from < order.length; from += STAGE_BATCH) {
        const batch = order.slice(from, from + STAGE_BATCH).flatMap((id) => byId.get(id) ?? []);
        await store.stories.place(batch.map(reportOf), STORY_RULES);
      }
      return await store.stories.idsOf(ids);
    },
    [Symbol.asyncDispose]: close,
  };
}

const itemOf = ({ id, source, url, title, content, lang, publishedAt }: LabelledArticle) =>
  testItem({
    sourceId: source,
    externalId: id,
    url,
    canonicalUrl: url,
    title,
    content: content === "" ? title : content,
    lang,
    publishedAt,
    contentHash: createHash("sha256").update(`${title}\n${content}`).digest("hex"),
  });

async function read(store: Store, articles: StoryArchive["articles"], models: StoryModels): Promise<void> {
  const { embedder, tagger, reader } = models;
  const signal = AbortSignal.timeout(TIMEOUT_MS);
  await store.articles.markNormalized(articles.map(({ articleId, lang }) => ({ articleId, lang })));
  for (let from = 0; from < articles.length; from += READ_BATCH) {
    const rows = articles.slice(from, from + READ_BATCH);
    const cut = await cutPassages(rows);
    await store.indexing.commit(await embedPassages(embedder, cut.articles, signal), { modelId: embedder.modelId });
    const found = await tagger.tag(
      rows.flatMap(({ title, content }) => [title, content]),
      signal,
    );
    const tagged = rows.map((row, i) => ({
      articleId: row.articleId,
      entities: articleEntities(row, { title: found[2 * i] ?? [], content: found[2 * i + 1] ?? [] }),
    }));
    await store.entities.put(tagged, { modelId: tagger.modelId });
    if (reader === undefined) continue;
    const passages = rows.map((row) => passagesOf(row).slice(0, 1));
    const vectors = await reader.read(passages.flat(), signal);
    const firsts = passages.map((of) => (of.length === 0 ? [] : vectors.splice(0, 1)));
    await store.rerank.put(
      rows.map(({ articleId }, i) => ({ articleId, vectors: firsts[i] ?? [] })),
      { modelId: reader.modelId },
    );
  }
}
