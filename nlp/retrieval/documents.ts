import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type Article,
  type ArticleField,
  articleIdOfKey,
  articleKey,
  type Store,
  type VersionedArticle,
} from "@isnad/lib/store";
import type { Ranked } from "@isnad/lib/search";
import { BoundedMap, mapInSlices } from "@isnad/lib/std";
import { ScannedText } from "@isnad/lib/text";

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

/** Versions of articles by id, undefined where none is known. */
type Versions = ReadonlyMap<number, string | undefined>;

/** Reads what the store has of these articles, without what is known. */
type Ask<F extends ArticleField> = (known: Versions) => Promise<VersionedArticle<F>[]>;

/**
 * Asks with one statement at a time: what is asked meanwhile goes together in the next one, so that searches side by
 * side cost the database and its driver less. Nothing waits while no statement is under way; when one fails, what waits
 * for it fails with it, so that nobody waits for a second one in vain.
 */
export function askedTogether<F extends ArticleField>(ask: Ask<F>): Ask<F> {
  let waiting: (PromiseWithResolvers<VersionedArticle<F>[]> & { known: Versions })[] = [];
  let isAsking = false;
  const askAll = async (): Promise<void> => {
    isAsking = true;
    while (waiting.length > 0) {
      const asked = waiting;
      waiting = [];
      try {
        const stored = await ask(merged(asked.map(({ known }) => known)));
        for (const { known, resolve } of asked) resolve(stored.filter(({ articleId }) => known.has(articleId)));
      } catch (error) {
        for (const { reject } of [...asked, ...waiting.splice(0)]) reject(error);
      }
    }
    isAsking = false;
  };
  return (known) => {
    const answer = Promise.withResolvers<VersionedArticle<F>[]>();
    waiting.push({ known, ...answer });
    if (!isAsking) void askAll();
    return answer.promise;
  };
}

/** All of them; where two know different versions of an article, none is known. */
function merged([first = new Map(), ...others]: readonly Versions[]): Versions {
  if (others.length === 0) return first;
  const all = new Map(first);
  for (const known of others) {
    for (const [id, version] of known) all.set(id, !all.has(id) || all.get(id) === version ? version : undefined);
  }
  return all;
}

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

type Fields = Pick<Article, (typeof FIELDS)[number]>;

/** Holds what a hit shows of its article, under the article's key, and its texts as they are highlighted. */
export type Document = Fields & {
  readonly key: number;
  readonly scanned: { title: ScannedText; content: ScannedText };
};

/** Says where the articles of hits come from. */
export type Documents = {
  /**
   * Those of these keys that are there, in no particular order: an article that has the number of another one that was
   * indexed is not it. `ahead` is called with what is cached of them while the store is
   * asked whether that is still so: what is given back may be another document, or none.
   */
  byKeys(keys: readonly number[], options?: { ahead?: (document: Document) => void }): Promise<Document[]>;
};

/** A hit with its article and its rank in the whole list, from 1. */
export type FoundDocument<T> = T & { document: Document; finalRank: number };

/** Ids asked for in one statement. */
const PAGE = 200;

/**
 * Characters of the documents that are cached; the half used last always are, eight thousand articles of news. A
 * character takes 7 bytes with what is kept of its words: 170 MB at most. To read, scan and mark an article takes twice
 * as long as to mark it again.
 */
const REMEMBERED = 24_000_000;

/** The document of an article. */
export function documentOf(article: Fields): Document {
  const scanned = { title: new ScannedText(article.title), content: new ScannedText(article.content) };
  return { ...article, key: articleKey(article.articleId, article.docId), scanned };
}

/**
 * The documents of a store. Those shown last are cached: the store is asked each time whether they are still there
 * as they were, and sends only what is not, so that what is shown is always what it holds.
 */
export function createDocuments(articles: Pick<Store["articles"], "unlessKnown">): Documents {
  const remembered = new BoundedMap<number, { version: string; document: Document }>(REMEMBERED, {
    weigh: ({ document }) => document.title.length + document.content.length,
  });
  const ask = askedTogether((versions) => articles.unlessKnown(versions, FIELDS));
  return {
    async byKeys(keys, { ahead } = {}) {
      const ids = [...new Set(keys.map(articleIdOfKey))];
      const known = new Map(ids.map((id) => [id, remembered.get(id)]));
      const versions = new Map(ids.map((id) => [id, known.get(id)?.version]));
      const asked = ask(versions);
      const [stored] = await Promise.all([asked, ahead === undefined ? undefined : visit(known.values(), ahead)]);
      const documents = new Map<number, Document>();
      for (const { articleId, version, article } of stored) {
        const document = article === undefined ? known.get(articleId)?.document : documentOf(article);
        if (document === undefined) continue;
        if (article !== undefined) remembered.set(articleId, { version, document });
        documents.set(articleId, document);
      }
      for (const id of ids) if (!documents.has(id)) remembered.delete(id);
      const wanted = new Set(keys);
      return [...documents.values()].filter(({ key }) => wanted.has(key));
    },
  };
}

/** Calls `ahead` with the documents, once what was asked of the store is on its way. */
async function visit(
  known: Iterable<{ document: Document } | undefined>,
  ahead: (document: Document) => void,
): Promise<void> {
  const documents = Array.from(known, (each) => each?.document).filter((document) => document !== undefined);
  if (documents.length === 0) return;
  // A statement is sent in the turn after the one that it was made in.
  await nextTurn();
  await nextTurn();
  await mapInSlices(documents, ahead);
}

/**
 * The hits, by keys, from `offset` to `offset + limit` with their articles. An article that was deleted an instant
 * ago is passed over, and the next one takes its place. `ahead` as in {@link Documents}.
 */
export async function withDocuments<T extends { articleId: number }>(
  documents: Documents,
  fused: Ranked<T>,
  { offset, limit, ahead }: { offset: number; limit: number; ahead?: (document: Document) => void },
): Promise<FoundDocument<T>[]> {
  const found: FoundDocument<T>[] = [];
  for (let at = offset; at < fused.length && found.length < limit; ) {
    const page = fused.slice(at, at + Math.min(PAGE, limit - found.length));
    const keys = page.map((hit) => hit.articleId);
    const stored = await documents.byKeys(keys, ahead === undefined ? {} : { ahead });
    const byKey = new Map(stored.map((document) => [document.key, document]));
    for (const hit of page) {
      const document = byKey.get(hit.articleId);
      if (document !== undefined) found.push({ ...hit, document, finalRank: offset + found.length + 1 });
    }
    at += page.length;
  }
  return found;
}
