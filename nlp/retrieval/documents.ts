import type { Ranked } from "@isnad/lib/search";
import type { Article, Store } from "@isnad/lib/store";

const FIELDS = [
  "articleId",
  "docId",
  "title",
  "content",
  "url",
  "sourceId",
  "lang",
  "categoryId",
  "publishedAt",
] as const;

/** What a hit shows of its article. */
export type Document = Pick<Article, (typeof FIELDS)[number]>;

/** Where the articles of hits come from. */
export type DocumentStore = { articles: Pick<Store["articles"], "byIds"> };

/** A hit with its article and its rank in the whole list, from 1. */
export type FoundDocument<T> = T & { document: Document; finalRank: number };

/** Ids asked for in one statement. */
const PAGE = 200;

/**
 * The hits from `offset` to `offset + limit` with their articles. An article that was deleted an instant ago is passed
 * over, and the next one takes its place.
 */
export async function withDocuments<T extends { articleId: number }>(
  store: DocumentStore,
  fused: Ranked<T>,
  { offset, limit }: { offset: number; limit: number },
): Promise<FoundDocument<T>[]> {
  const found: FoundDocument<T>[] = [];
  for (let at = offset; at < fused.length && found.length < limit; ) {
    const page = fused.slice(at, at + Math.min(PAGE, limit - found.length));
    const documents = await store.articles.byIds(
      page.map((hit) => hit.articleId),
      FIELDS,
    );
    const byId = new Map(documents.map((document) => [document.articleId, document]));
    for (const hit of page) {
      const document = byId.get(hit.articleId);
      if (document !== undefined) found.push({ ...hit, document, finalRank: offset + found.length + 1 });
    }
    at += page.length;
  }
  return found;
}
