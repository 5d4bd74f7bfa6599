import { DatabaseSync } from "node:sqlite";
import type { Store } from "@isnad/lib/store";
import { analyseDocument, analyseQuery } from "@isnad/lib/text";

/**
 * The limit of keyword search: SQLite FTS5 over the analysed articles, its bm25 statement called directly, no thread
 * and no filters.
 */
export type RawBm25 = { search(text: string, k: number): unknown[]; close(): void };

/** Fills an FTS5 table in memory with every article of the store. */
export async function rawBm25(store: Store): Promise<RawBm25> {
  const db = new DatabaseSync(":memory:");
  db.exec("create virtual table words using fts5(title, content, content='', contentless_delete=1, tokenize='ascii')");
  const insert = db.prepare("insert into words (rowid, title, content) values (?, ?, ?)");
  db.exec("begin");
  for (let after = 0; ; ) {
    const rows = await store.articles.page(after, 500, { fields: ["articleId", "title", "content"] });
    for (const { articleId, title, content } of rows) {
      const words = analyseDocument(title, content);
      insert.run(articleId, words.title, words.content);
    }
    const last = rows.at(-1);
    if (last === undefined) break;
    after = last.articleId;
  }
  db.exec("commit");
  const select = db.prepare("select rowid from words where words match ? order by bm25(words, 3, 1) limit ?");
  return {
    search(text, k) {
      const terms = analyseQuery(text).map((term) => `"${term.replaceAll('"', '""')}"`);
      return terms.length === 0 ? [] : select.all(terms.join(" OR "), k);
    },
    close: () => db.close(),
  };
}
