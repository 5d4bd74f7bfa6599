import type { SearchBody } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import { withSlip } from "../../eval/tasks/typed-queries.ts";
import { seeded } from "../../lib/std/random.ts";
import { type Figure, median, quantile } from "../rounds.ts";

/** Pages of a walk that are measured at most. */
const PAGES = 50;

/** Lists what a search asks for beside its hits. */
const EXTRAS = {
  facets: { facets: "source,category,lang,domain,author" },
  histogram: { histogram: "month", tz: "Asia/Beirut" },
  both: { facets: "source,category,lang,domain,author", histogram: "day", tz: "Asia/Beirut" },
} as const;

/** Measures what comes with a search, over HTTP: facets and histograms, pages by cursor, exports of all articles. */
export async function surface(api: string, queries: readonly string[], over: string): Promise<Figure[]> {
  return [...(await extras(api, queries, over)), await walk(api, over), await exported(api, over, "jsonl")];
}

/** The median with facets and histograms beside that of the plain search, in turns. */
async function extras(api: string, queries: readonly string[], over: string): Promise<Figure[]> {
  const plain: number[] = [];
  const times: Record<keyof typeof EXTRAS, number[]> = { facets: [], histogram: [], both: [] };
  const names = ["facets", "histogram", "both"] as const;
  for (const [i, q] of queries.entries()) {
    const name = names[i % names.length] ?? "both";
    // The first of two finds the query's vector being made.
    await ask(`${api}/search?${new URLSearchParams({ q })}`);
    plain.push((await ask(`${api}/search?${new URLSearchParams({ q })}`)).ms);
    times[name].push((await ask(`${api}/search?${new URLSearchParams({ q, ...EXTRAS[name] })}`)).ms);
  }
  return names.map((name) => ({
    name: `search with ${name === "both" ? "facets and histogram" : name} / plain, p50, ${over}`,
    value: median(times[name]) / median(plain),
    bound: { atMost: 1.3 },
    detail: `${median(times[name]).toFixed(2)} / ${median(plain).toFixed(2)} ms, hybrid, its vector known`,
  }));
}

async function walk(api: string, over: string): Promise<Figure> {
  const ms: number[] = [];
  let cursor: string | null | undefined;
  for (let page = 0; page < PAGES && cursor !== null; page++) {
    const query = new URLSearchParams({ limit: "100", ...(cursor !== undefined && { cursor }) });
    const answer = await ask(`${api}/search?${query}`);
    cursor = answer.body.meta.next_cursor;
    ms.push(answer.ms);
  }
  const detail = `p99 ${quantile(ms, 0.99).toFixed(1)} ms, ${ms.length} pages`;
  return { name: `page of 100 by cursor, ms, ${over}`, value: median(ms), bound: { atMost: 60 }, detail };
}

/** Rows a second of an export of all articles. */
async function exported(api: string, over: string, format: "jsonl" | "csv"): Promise<Figure> {
  const start = performance.now();
  const response = await fetch(`${api}/search?format=${format}`);
  let rows = 0;
  for await (const chunk of response.body ?? []) for (const byte of chunk) if (byte === 10) rows++;
  const s = (performance.now() - start) / 1000;
  const detail = `${rows} rows in ${s.toFixed(1)} s`;
  return { name: `export as ${format}, rows/s, ${over}`, value: rows / s, bound: { atLeast: 5_000 }, detail };
}

async function ask(url: string) {
  const start = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  const ms = performance.now() - start;
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const body: SearchBody = JSON.parse(text);
  return { ms, body };
}

/** Words of a headline that are asked with. */
const WORDS = 2;
/** Letters that are left of a word that is only begun. */
const BEGUN_UNITS = 4;
/** Letters of a headline that are typed before suggestions are asked for. */
const TYPED_UNITS = [2, 3, 4, 6, 9, 12];

/**
 * Searches as people type them, by word and in turns: two words of a headline, one of them misspelt, the last only
 * begun; and suggestions for what was typed of it.
 */
export async function asTyped(retrieval: string, queries: readonly string[], over: string): Promise<Figure[]> {
  const times = { plain: [] as number[], misspelt: [] as number[], begun: [] as number[], suggested: [] as number[] };
  const random = seeded(1);
  const ask = async (path: string, params: Record<string, string>): Promise<number> => {
    const start = performance.now();
    const response = await fetch(`${retrieval}${path}?${new URLSearchParams(params)}`);
    await response.text();
    if (!response.ok) throw new Error(`${path} answered ${response.status}`);
    return performance.now() - start;
  };
  for (const [i, query] of queries.entries()) {
    const words = query
      .split(" ")
      .filter((word) => /^\p{L}{4,}$/u.test(word))
      .slice(0, WORDS);
    const last = words.at(-1);
    if (words.length < WORDS || last === undefined) continue;
    const before = words.slice(0, -1).join(" ");
    const mode = "bm25";
    times.plain.push(await ask("/search", { mode, q: words.join(" ") }));
    times.misspelt.push(await ask("/search", { mode, q: `${before} ${withSlip(last, random)}` }));
    times.begun.push(await ask("/search", { mode, q: `${before} ${last.slice(0, BEGUN_UNITS)}`, prefix: "true" }));
    times.suggested.push(await ask("/suggest", { q: query.slice(0, at(TYPED_UNITS, i % TYPED_UNITS.length)) }));
  }
  const plain = median(times.plain);
  const beside = (name: string, ms: readonly number[]): Figure => ({
    name: `${name} / plain search p50, ${over}`,
    value: median(ms) / plain,
    bound: { atMost: 1.5 },
    detail: `${median(ms).toFixed(2)} / ${plain.toFixed(2)} ms, p99 ${quantile(ms, 0.99).toFixed(1)} ms`,
  });
  return [
    beside("a typing error", times.misspelt),
    beside("a word begun", times.begun),
    {
      name: `suggestions p95, ms, ${over}`,
      value: quantile(times.suggested, 0.95),
      bound: { atMost: 5 },
      detail: `p50 ${median(times.suggested).toFixed(2)}, p99 ${quantile(times.suggested, 0.99).toFixed(1)} ms`,
    },
  ];
}
