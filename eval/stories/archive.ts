import { createHash } from "node:crypto";
import { articleEntities, type Embedder, type PassageReader, passagesOf, type Tagger } from "@isnad/lib/models";
import { cutPassages, embedPassages } from "@isnad/lib/search/sync";
import type { Store, StoryText } from "@isnad/lib/store";
import { admitItems, forgetStories, testItem, testStore } from "@isnad/lib/store/testing";
import { reportOf, STORY_RULES } from "@isnad/lib/stories";
import type { LabelledArticle } from "./sets.ts";

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
