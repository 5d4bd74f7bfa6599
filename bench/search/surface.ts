import type { SearchBody } from "@isnad/lib/contract";
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
