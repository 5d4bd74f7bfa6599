import { articleKey, type Store } from "@isnad/lib/store";

/** Holds what keys are looked up in. */
export type KeyStore = { articles: Pick<Store["articles"], "byIds">; stories: Pick<Store["stories"], "keysOf"> };

/** Returns the keys under which indexes hold these articles; numbers without an article are left out. */
export async function articleKeys(
  { articles }: Pick<KeyStore, "articles">,
  ids: readonly number[],
): Promise<Map<number, number>> {
  const whole = ids.filter((id) => Number.isSafeInteger(id) && id > 0);
  const rows = whole.length === 0 ? [] : await articles.byIds(whole, ["articleId", "docId"]);
  return new Map(rows.map(({ articleId, docId }) => [articleId, articleKey(articleId, docId)]));
}

/** Returns the keys of the articles that both an article and a story leave; undefined where neither is named. */
export async function keysWithin(
  store: KeyStore,
  { article_id, story_id }: { article_id?: number | undefined; story_id?: number | undefined },
): Promise<readonly number[] | undefined> {
  const [own, told] = await Promise.all([
    article_id === undefined ? undefined : articleKeys(store, [article_id]).then((keys) => [...keys.values()]),
    story_id === undefined ? undefined : store.stories.keysOf(story_id),
  ]);
  return inBoth(own, told);
}

/** Returns the keys that are in both lists, in the order of the first; undefined where nothing is asked for. */
export function inBoth(
  a: readonly number[] | undefined,
  b: readonly number[] | undefined,
): readonly number[] | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  const others = new Set(b);
  return a.filter((key) => others.has(key));
}
