import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DEFAULT_MIN_SIMILARITY } from "@isnad/lib/contract";
import { createEmbedder, type Embedder, openRegistry } from "@isnad/lib/models";
import { openKeywordIndex } from "@isnad/lib/search";
import { readQuery } from "../lib/search/query-language/parse.ts";
import { at } from "@isnad/lib/std";
import { chunkText, queryWords } from "@isnad/lib/text";
import { type ArticleText, Spellings, type WatchedArticle, wordsOfArticle } from "../lib/search/watch/across.ts";
import { compileSearch, SearchIndex, TermCounts } from "../lib/search/watch/index.ts";
import { readArticles } from "../eval/tasks/known-item.ts";
import { dataFolder } from "../eval/retrieval-sets.ts";
import { spread } from "./search/beside.ts";
import { type Figure, processorMs } from "./rounds.ts";

const FILES = ["ant_v2_ar", "english", "ant_v1_ar"];
/** Compared with the searches run afterwards. */
const COMPARED = { searches: 1_000, articles: 5_000 };
/** Timed. */
const TIMED = { searches: 10_000, articles: 1_000 };
const EMBEDDED = 256;

type News = ArticleText & { lang: string; vectors: Float32Array[] };

/**
 * Saved searches: what an article costs with 10,000 of them, and whether 1,000 match what the same searches find once
 * 5,000 articles in two languages are in the index.
 */
export async function alerts(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("alerts: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const all = FILES.flatMap((name) => readArticles(join(folder, `news/${name}.jsonl.gz`)));
  const embedder = await createEmbedder({ registry: openRegistry() });
  try {
    const articles = await embedded(embedder, spread(all, COMPARED.articles));
    const arabic = articles.filter(({ lang }) => lang === "ar");
    return [
      await compared(embedder, arabic, { name: "Arabic", atMost: 0.0005 }),
      // A name is matched by the spellings that articles had until then; a search afterwards knows those of all.
      await compared(embedder, articles, { name: "Arabic and English", atMost: 0.06 }),
      await timed(embedder, articles),
    ];
  } finally {
    await embedder.close();
  }
}

async function embedded(embedder: Embedder, rows: readonly { title: string; text: string }[]): Promise<News[]> {
  const news: News[] = rows.map(({ title, text }) => {
    return { title, content: text, lang: /\p{Script=Arabic}/u.test(title) ? "ar" : "en", vectors: [] };
  });
  const chunks = news.flatMap((article) =>
    chunkText(article.title, article.content).map(({ text }) => ({ article, text })),
  );
  for (let from = 0; from < chunks.length; from += EMBEDDED) {
    const page = chunks.slice(from, from + EMBEDDED);
    const vectors = await embedder.embed(
      page.map(({ text }) => text),
      "passage",
    );
    for (const [i, { article }] of page.entries())
      article.vectors.push(Float32Array.from(new Float16Array(at(vectors, i))));
  }
  return news;
}

/** Queries of several kinds, made of the words of headlines. */
function queriesOf(titles: readonly string[], count: number): { q: string; mode: string; lang?: string }[] {
  const words = titles.map((title) => title.split(/\s+/).filter((word) => telling(word)));
  return Array.from({ length: count }, (_, i) => {
    const own = at(words, (i * 7919) % words.length);
    const other = at(words, (i * 104_729 + 13) % words.length);
    const [a = "news", b = "port", c = "day"] = own;
    const [d = "world"] = other;
    const forms = [
      { q: `${a} ${b}`, mode: "bm25" },
      { q: `${a} ${b} ${c}`, mode: "hybrid" },
      { q: a, mode: "bm25" },
      { q: `"${a} ${b}"`, mode: "bm25" },
      { q: `${a} OR ${d}`, mode: "bm25" },
      { q: `(${a} OR ${d}) ${b}`, mode: "hybrid" },
      { q: `${a} -${d}`, mode: "bm25" },
      { q: `title:${a} ${b}`, mode: "bm25" },
      { q: `${a} ${b}`, mode: "vector" },
      { q: `${c} lang:ar`, mode: "bm25" },
      { q: d, mode: "bm25", lang: i % 2 === 0 ? "ar" : "en" },
    ];
    return at(forms, i % forms.length);
  });
}

function telling(word: string): boolean {
  return /^[\p{L}\p{M}]{3,}$/u.test(word) && queryWords(word).every(({ terms }) => !terms.stop);
}

/** Saved searches over these queries, with their vectors. */
async function indexOf(embedder: Embedder, queries: ReturnType<typeof queriesOf>, counts: TermCounts) {
  const spellings = new Spellings(counts.of);
  const index = new SearchIndex(embedder.dims, spellings);
  const parts = { entityId: () => undefined, rarity: counts.of, spellings };
  const texts = queries.map(({ q }) => readQuery(q, "all").text);
  const vectors = await embedder.embed(texts, "query");
  for (const [i, query] of queries.entries()) {
    const saved = { searchId: i + 1, name: "", query, minSimilarity: null, active: true, changeNo: 1 };
    const search = compileSearch(saved, parts);
    index.set(search, search.meaning === undefined ? undefined : vectors[i]);
  }
  return index;
}

function watched(articleId: number, news: News): WatchedArticle {
  return {
    ...{ articleId, sourceId: "news", categoryId: null, domain: "news.example", publishedAt: null, lang: news.lang },
    ...{ tier: 3, authors: [], entityIds: new Set<number>(), refuted: false, ...wordsOfArticle(news) },
  };
}

async function compared(
  embedder: Embedder,
  articles: readonly News[],
  { name, atMost }: { name: string; atMost: number },
): Promise<Figure> {
  const queries = queriesOf(
    articles.map(({ title }) => title),
    COMPARED.searches,
  );
  const counts = new TermCounts();
  const index = await indexOf(embedder, queries, counts);
  const matches = new Map(queries.map((_, i) => [i + 1, new Set<number>()]));
  for (const [i, news] of articles.entries()) {
    const article = watched(i + 1, news);
    counts.add(article.terms.keys());
    for (const { searchId } of index.matches(article, news.vectors)) matches.get(searchId)?.add(i + 1);
  }
  const dir = await mkdtemp(join(tmpdir(), "isnad-alerts-"));
  const keyword = await openKeywordIndex({ dir, partial: true });
  let [same, different] = [0, 0];
  try {
    await keyword.reset();
    const fields = { sourceId: "news", categoryId: null, domain: "news.example", publishedAt: null, tier: 3 };
    const docs = articles.map(({ title, content, lang }, i) => ({ ...fields, articleId: i + 1, title, content, lang }));
    for (let from = 0; from < docs.length; from += 500) await keyword.upsert(docs.slice(from, from + 500));
    for (const [i, { q, mode, lang }] of queries.entries()) {
      const { text, condition } = readQuery(q, "all");
      const filters = lang === "ar" || lang === "en" ? { lang } : {};
      const list = { order: "any" as const, from: 0, limit: articles.length };
      const byWord = mode === "vector" ? [] : [...(await keyword.survey({ text, condition, filters, list })).keys];
      const near = mode === "bm25" ? [] : await nearest(embedder, q, articles);
      const found = new Set([...byWord, ...near]);
      const held = matches.get(i + 1) ?? new Set();
      const off = [...found.symmetricDifference(held)];
      same += found.intersection(held).size;
      different += off.length;
      if (off.length > 0 && process.env.BENCH_VERBOSE) {
        const missed = off.filter((id) => found.has(id)).length;
        const line = `${q} (${mode}): ${found.size} found, ${missed} not matched, ${off.length - missed} beyond\n`;
        process.stderr.write(line);
      }
    }
  } finally {
    await keyword.close();
    await rm(dir, { recursive: true });
  }
  return {
    name: `alerts: share of matches that are not as searches afterwards, ${name}`,
    value: different / (same + different),
    bound: { atMost },
    detail: `${different} beside ${same}, ${COMPARED.searches} searches, ${articles.length} articles`,
  };
}

async function nearest(embedder: Embedder, q: string, articles: readonly News[]): Promise<number[]> {
  const { text, required } = readQuery(q, "all");
  if (required !== undefined) throw new RangeError("only words are searched by meaning here");
  const [query = new Float32Array()] = await embedder.embed([text], "query");
  return articles.flatMap(({ vectors }, i) =>
    vectors.some((vector) => cosine(query, vector) >= DEFAULT_MIN_SIMILARITY) ? [i + 1] : [],
  );
}

function cosine(a: Float32Array, b: Float32Array): number {
  let [dot, as, bs] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    dot += (a[i] ?? 0) * (b[i] ?? 0);
    as += (a[i] ?? 0) ** 2;
    bs += (b[i] ?? 0) ** 2;
  }
  return dot / Math.sqrt(as * bs);
}

async function timed(embedder: Embedder, articles: readonly News[]): Promise<Figure> {
  const queries = queriesOf(
    articles.map(({ title }) => title),
    TIMED.searches,
  );
  const counts = new TermCounts();
  const before = articles.slice(0, TIMED.articles);
  for (const news of before) counts.add(wordsOfArticle(news).terms.keys());
  const index = await indexOf(embedder, queries, counts);
  const measured = articles.slice(TIMED.articles, 2 * TIMED.articles);
  let matches = 0;
  const run = () => {
    for (const [i, news] of measured.entries()) matches += index.matches(watched(i + 1, news), news.vectors).length;
  };
  run();
  matches = 0;
  const start = processorMs();
  run();
  const each = (processorMs() - start) / measured.length;
  return {
    name: "alerts: processor time of an article, 10,000 saved searches (ms)",
    value: each,
    bound: { atMost: 5 },
    detail: `${(matches / measured.length).toFixed(1)} matches each, its analysis among it`,
  };
}
