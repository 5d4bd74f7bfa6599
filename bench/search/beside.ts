import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { create, insertMultiple, search } from "@orama/orama";
import MiniSearch from "minisearch";
import { type NewsArticle, opensOneTitle, QUERIES, readArticles, targetsOf } from "../../eval/tasks/known-item.ts";
import { type Figure, median, quantile } from "../rounds.ts";

/** A search engine that holds articles; the id of an article is its place, from 0. */
type SearchEngine = {
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
  const index = await openKeywordIndex({ dir, partial: true });
  const fields = { lang: null, sourceId: "bench", categoryId: null, domain: "bench.example", publishedAt: null };
  for (let from = 0; from < articles.length; from += BATCH) {
    await index.upsert(
      articles.slice(from, from + BATCH).map(({ title, text }, i) => {
        return { ...fields, articleId: from + i + 1, title, content: text, tier: 3 };
      }),
    );
  }
  await index.complete();
  await index.save();
  return {
    name: "isnad",
    search: async (text) => {
      const { hits } = await index.search({ text, fields: { title: TITLE_BOOST, content: 1 }, limit: PAGE });
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

const FILES = ["ant_v2_ar", "english", "ant_v1_ar"];
/**
 * Articles that are asked for, each by its headline and by the first five words of it, as far as no other headline
 * begins with them.
 */
const TARGETS = 100;
/** Queries that warm each engine up. */
const WARMUP = 10;

/** An engine with what building it took, and its answers. */
type Measured = { engine: SearchEngine; buildS: number; memoryMb: number; times: number[]; reciprocalRanks: number[] };

/**
 * Our keyword index beside MiniSearch and Orama over each number of articles: the same articles, the same queries, one
 * process, the engines taking turns at every query.
 */
export async function besideOthers(
  folder: string,
  { rounds, sizes }: { rounds: number; sizes: readonly number[] },
): Promise<Figure[]> {
  const all = FILES.flatMap((name) => readArticles(join(folder, `news/${name}.jsonl.gz`)));
  const figures: Figure[] = [];
  for (const size of sizes) figures.push(...(await measure(spread(all, size), Math.min(3, rounds))));
  return figures;
}

/** `size` articles spread evenly over all; where there are fewer, more are made of titles and of others' texts. */
export function spread(all: readonly NewsArticle[], size: number): NewsArticle[] {
  return Array.from({ length: size }, (_, i) => {
    if (size <= all.length) return at(all, Math.floor((i * all.length) / size));
    const turn = Math.floor(i / all.length);
    const { title, text } = at(all, i % all.length);
    if (turn === 0) return { title, text };
    const other = at(all, (i * 7 + turn * 13) % all.length);
    return {
      title: `${title} ${turn}`,
      text: `${other.text.slice(0, text.length / 2)} ${text.slice(text.length / 2)}`,
    };
  });
}

async function measure(articles: readonly NewsArticle[], rounds: number): Promise<Figure[]> {
  const opensOne = opensOneTitle(articles);
  const asked = targetsOf(articles, TARGETS)
    .flatMap((target) =>
      [QUERIES.title, QUERIES["five words"]].map((query) => ({ target, query: query(at(articles, target)) })),
    )
    .filter(({ target, query }) => query === at(articles, target).title || opensOne(query));
  const engines: Measured[] = [];
  for (const build of Object.values(ENGINES)) {
    Bun.gc(true);
    const before = { time: performance.now(), rss: process.memoryUsage().rss };
    const engine = await build(articles);
    const buildS = (performance.now() - before.time) / 1000;
    Bun.gc(true);
    const memoryMb = Math.max(0, process.memoryUsage().rss - before.rss) / 1e6;
    engines.push({ engine, buildS, memoryMb, times: [], reciprocalRanks: [] });
  }
  for (const { engine } of engines) {
    for (const { query } of asked.slice(0, WARMUP)) await engine.search(query);
  }
  for (let round = 0; round < rounds; round++) {
    for (const { target, query } of asked) {
      for (const { engine, times, reciprocalRanks } of engines) {
        const start = performance.now();
        const places = await engine.search(query);
        times.push(performance.now() - start);
        if (round === 0) reciprocalRanks.push(places.includes(target) ? 1 / (1 + places.indexOf(target)) : 0);
      }
    }
  }
  const figures = figuresOf(engines, `${articles.length} articles`);
  for (const { engine } of engines) await engine.close();
  return figures;
}

function figuresOf(engines: readonly Measured[], over: string): Figure[] {
  const [ours, ...others] = engines;
  if (ours === undefined) throw new RangeError("no engine was measured");
  const p50 = ({ times }: Measured) => median(times);
  const mrr = ({ reciprocalRanks: ranks }: Measured) => ranks.reduce((sum, rank) => sum + rank, 0) / ranks.length;
  const each = (show: (measured: Measured) => string) =>
    engines.map((measured) => `${measured.engine.name} ${show(measured)}`).join("; ");
  return [
    {
      name: `search p50, ${over}, ours / quickest other`,
      value: p50(ours) / Math.min(...others.map(p50)),
      bound: { atMost: 1 },
      detail: `p50 | p99 ms: ${each(({ times }) => `${median(times).toFixed(2)} | ${quantile(times, 0.99).toFixed(2)}`)}`,
    },
    {
      name: `headlines' MRR@10, ${over}, ours - best other`,
      value: mrr(ours) - Math.max(...others.map(mrr)),
      bound: { atLeast: -0.002 },
      detail: each((measured) => mrr(measured).toFixed(4)),
    },
    {
      name: `built in, ${over}, ours / quickest other`,
      value: ours.buildS / Math.min(...others.map(({ buildS }) => buildS)),
      bound: { atMost: 2 },
      detail: each(({ engine, buildS, memoryMb }) => {
        const files = engine.fileBytes();
        return `${buildS.toFixed(1)} s, ${memoryMb.toFixed(0)} MB${files > 0 ? ` and ${(files / 1e6).toFixed(0)} MB of files` : ""}`;
      }),
    },
  ];
}
