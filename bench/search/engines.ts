import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "@isnad/lib/search";
import { create, insertMultiple, search } from "@orama/orama";
import MiniSearch from "minisearch";
import type { NewsArticle } from "../../eval/tasks/known-item.ts";

/** A search engine that holds articles; the id of an article is its place, from 0. */
export type SearchEngine = {
  name: string;
  /** The ten best articles for a query, best first. */
  search(query: string): Promise<number[]>;
  /** Bytes of its files; 0 for an engine that is in memory alone. */
  fileBytes(): number;
  close(): Promise<void>;
};

/** Hits of a page. */
const PAGE = 10;
/** Articles written at a time. */
const BATCH = 500;
/** A title weighs three times as much as the text, everywhere. */
const TITLE_BOOST = 3;

/** Fills each engine in turn, all with the same articles and with the settings that their authors ship. */
export const ENGINES: Readonly<Record<string, (articles: readonly NewsArticle[]) => Promise<SearchEngine>>> = {
  isnad,
  MiniSearch: miniSearch,
  Orama: orama,
};

/** The keyword index of the platform, as the retrieval service asks it: in its thread, written to a folder. */
async function isnad(articles: readonly NewsArticle[]): Promise<SearchEngine> {
  const dir = mkdtempSync(join(tmpdir(), "isnad-bench-"));
  const index = await openKeywordIndex({ dir, mode: "write" });
  const fields = { lang: null, sourceId: "bench", categoryId: null, domain: "bench.example", publishedAt: null };
  for (let from = 0; from < articles.length; from += BATCH) {
    await index.upsert(
      articles.slice(from, from + BATCH).map(({ title, text }, i) => {
        return { ...fields, articleId: from + i + 1, title, content: text, tier: 3 };
      }),
    );
  }
  return {
    name: "isnad",
    search: async (text) => {
      const hits = await index.search({ text, fields: { title: TITLE_BOOST, content: 1 }, limit: PAGE });
      return hits.map(({ articleId }) => articleId - 1);
    },
    fileBytes: () => readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0),
    async close() {
      await index.close();
      rmSync(dir, { recursive: true });
    },
  };
}

async function miniSearch(articles: readonly NewsArticle[]): Promise<SearchEngine> {
  const index = new MiniSearch<NewsArticle & { id: number }>({
    fields: ["title", "text"],
    searchOptions: { boost: { title: TITLE_BOOST } },
  });
  index.addAll(articles.map(({ title, text }, id) => ({ id, title, text })));
  return {
    name: "MiniSearch",
    search: async (query) =>
      index
        .search(query)
        .slice(0, PAGE)
        .map(({ id }) => Number(id)),
    fileBytes: () => 0,
    close: async () => {},
  };
}

/** Its tokenizer for Arabic keeps Arabic and Latin letters; the one for English drops Arabic ones. */
async function orama(articles: readonly NewsArticle[]): Promise<SearchEngine> {
  const index = create({ schema: { title: "string", text: "string" }, language: "arabic" });
  await insertMultiple(
    index,
    articles.map(({ title, text }, id) => ({ id: String(id), title, text })),
    BATCH,
  );
  return {
    name: "Orama",
    search: async (term) => {
      const { hits } = await search(index, { term, limit: PAGE, boost: { title: TITLE_BOOST }, threshold: 1 });
      return hits.map(({ id }) => Number(id));
    },
    fileBytes: () => 0,
    close: async () => {},
  };
}
