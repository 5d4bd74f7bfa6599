import type { Article, Store } from "../../store/index.ts";
import { ARTICLE_FIELDS } from "../filters.ts";
import type { KeywordDoc, KeywordIndex } from "../keyword/index.ts";

/** The fields of an article that go into the keyword index. */
export const KEYWORD_FIELDS = ["articleId", "title", "content", ...ARTICLE_FIELDS] as const;

/** An article as the keyword index needs it. */
export type KeywordRow = Pick<Article, (typeof KEYWORD_FIELDS)[number]>;

/** The tier of every source by its key. */
export async function sourceTiers(store: Pick<Store, "sources">): Promise<Map<string, number>> {
  return new Map((await store.sources.list()).map(({ key, tier }) => [key, tier]));
}

/** The documents of the keyword index for these articles; a source without a tier counts as the least trusted one. */
export function keywordDocs(rows: readonly KeywordRow[], tiers: ReadonlyMap<string, number>): KeywordDoc[] {
  return rows.map((row) => ({ ...row, tier: tiers.get(row.sourceId) ?? 3 }));
}

/**
 * Takes those of `ids` out of the keyword index that are no article any more (or one that was given up). To be called
 * after an upsert: an article may have been deleted between the reading of its row and the writing of its document.
 * Returns the ids that were taken out.
 */
export async function removeGone(
  store: Pick<Store, "articles">,
  keyword: Pick<KeywordIndex, "remove">,
  ids: readonly number[],
): Promise<number[]> {
  if (ids.length === 0) return [];
  const there = await store.articles.byIds(ids, ["articleId", "state"]);
  const kept = new Set(there.filter(({ state }) => state !== "failed").map(({ articleId }) => articleId));
  const gone = ids.filter((id) => !kept.has(id));
  if (gone.length > 0) await keyword.remove(gone);
  return gone;
}

/**
 * Writes the documents of these articles, given that they are `indexed`, into the keyword index. Returns how many were
 * written and are still articles.
 */
export async function indexMissing(
  { store, keyword }: { store: Pick<Store, "articles" | "sources">; keyword: Pick<KeywordIndex, "upsert" | "remove"> },
  ids: readonly number[],
  tiers?: ReadonlyMap<string, number>,
): Promise<number> {
  if (ids.length === 0) return 0;
  const found = await store.articles.byIds(ids, [...KEYWORD_FIELDS, "state"]);
  const rows = found.filter(({ state }) => state === "indexed");
  await keyword.upsert(keywordDocs(rows, tiers ?? (await sourceTiers(store))));
  const gone = await removeGone(
    store,
    keyword,
    rows.map(({ articleId }) => articleId),
  );
  return rows.length - gone.length;
}
