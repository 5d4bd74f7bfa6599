import { articleKey, type Store } from "@isnad/lib/store";

/** Returns the keys under which indexes hold these articles; numbers without an article are left out. */
export async function articleKeys(
  { articles }: { articles: Pick<Store["articles"], "byIds"> },
  ids: readonly number[],
): Promise<Map<number, number>> {
  const whole = ids.filter((id) => Number.isSafeInteger(id) && id > 0);
  const rows = whole.length === 0 ? [] : await articles.byIds(whole, ["articleId", "docId"]);
  return new Map(rows.map(({ articleId, docId }) => [articleId, articleKey(articleId, docId)]));
}
