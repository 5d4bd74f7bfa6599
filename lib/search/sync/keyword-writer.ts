import type { Article, Store } from "../../store/mod.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import type { KeywordDoc, KeywordIndex } from "../keyword/mod.ts";

/** The fields of an article that go into the keyword index beside its text. */
export const KEYWORD_ROW_FIELDS = ["articleId", ...ARTICLE_FIELDS] as const;

/** The fields of an article that go into the keyword index. */
export const KEYWORD_FIELDS = [...KEYWORD_ROW_FIELDS, "title", "content"] as const;

/** An article as the keyword index needs it. */
export type KeywordRow = Pick<Article, (typeof KEYWORD_FIELDS)[number]>;

/** The tier of every source by its key. */
export type SourceTiers = ReadonlyMap<string, number>;

/** What a writer stands on. */
export type KeywordWriterDeps = {
  store: Pick<Store, "articles" | "sources">;
  keyword: Pick<KeywordIndex, "upsert" | "remove">;
  /** The tier of every source. Default: read once from the database. */
  tiers?: (() => Promise<SourceTiers>) | undefined;
};

/** Writes documents into the keyword index and takes them out: the only way in which they come and go. */
export type KeywordWriter = {
  /**
   * Writes the documents of these articles. One may have been deleted, or given up, between the reading of its row and
   * the writing of its document: such documents are taken out again. Returns the ids of those that stayed.
   */
  write(rows: readonly KeywordRow[]): Promise<number[]>;
  /**
   * Writes the documents of those of `ids` that are indexed, and takes out those that are no article any more, or were
   * given up.
   */
  sync(ids: readonly number[]): Promise<{ written: number; removed: number }>;
  remove(ids: readonly number[]): Promise<void>;
};

/** The tier of every source by its key. */
export async function sourceTiers(store: Pick<Store, "sources">): Promise<SourceTiers> {
  return new Map((await store.sources.list()).map(({ key, tier }) => [key, tier]));
}

/** The documents of the keyword index for these articles; a source without a tier counts as the least trusted one. */
export function keywordDocs(rows: readonly KeywordRow[], tiers: SourceTiers): KeywordDoc[] {
  return rows.map((row) => ({ ...row, tier: tiers.get(row.sourceId) ?? 3 }));
}

/** Makes the writer of a keyword index. */
export function keywordWriter({ store, keyword, tiers }: KeywordWriterDeps): KeywordWriter {
  let known: Promise<SourceTiers> | undefined;
  const currentTiers = tiers ?? (() => (known ??= sourceTiers(store)));

  async function remove(ids: readonly number[]): Promise<void> {
    if (ids.length > 0) await keyword.remove([...ids]);
  }

  async function write(rows: readonly KeywordRow[]): Promise<number[]> {
    if (rows.length === 0) return [];
    await keyword.upsert(keywordDocs(rows, await currentTiers()));
    const ids = rows.map(({ articleId }) => articleId);
    const there = articlesOf(await store.articles.byIds(ids, ["articleId", "state"]));
    await remove(ids.filter((id) => !there.has(id)));
    return ids.filter((id) => there.has(id));
  }

  return {
    write,
    remove,
    async sync(ids) {
      if (ids.length === 0) return { written: 0, removed: 0 };
      const rows = await store.articles.byIds(ids, [...KEYWORD_FIELDS, "state"]);
      const written = await write(rows.filter(({ state }) => state === "indexed"));
      const there = articlesOf(rows);
      const gone = ids.filter((id) => !there.has(id));
      await remove(gone);
      return { written: written.length, removed: gone.length };
    },
  };
}

/** The ids of what is an article and was not given up. */
function articlesOf(rows: readonly Pick<Article, "articleId" | "state">[]): Set<number> {
  return new Set(rows.filter(({ state }) => state !== "failed").map(({ articleId }) => articleId));
}
