import type { KeywordReader } from "../keyword/types.ts";

/**
 * Says how much of a query articles say, for an engine of another process: it tells that of the best of them alone, and
 * of the others nothing is known.
 */
export function supportsBySearch(search: KeywordReader["search"]): KeywordReader["supports"] {
  return async (query, articleIds) => {
    const { hits } = await search({ ...query, filters: { articleIds: [...articleIds] }, limit: 1 });
    const [best] = hits;
    const { title = 0, passage = 0, known = 0 } = best?.matched ?? {};
    return articleIds.map((id) => (id === best?.articleId ? known * Math.max(title, passage) : 0));
  };
}
