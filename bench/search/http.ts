import type { SearchBody, SearchMode } from "@isnad/lib/contract";
import { at } from "@isnad/lib/std";
import { type Figure, median, quantile } from "../rounds.ts";
import type { NewsCorpus } from "./news-corpus.ts";
import { type SearchServices, startServices } from "./services.ts";

const MODES: readonly SearchMode[] = ["bm25", "vector", "hybrid"];
const CLIENTS = 8;
/** Searches of all clients together. */
const SEARCHES = 1_200;
/** Times that workers are stopped and go on, and searches each time. */
const TURNS = 8;
const SEARCHES_A_TURN = 50;
/** What workers that go on need to come to work, in milliseconds. */
const COME_TO_WORK_MS = 150;

/** Milliseconds of each search: through the API, of the retrieval service alone, and of its parts. */
type Times = Record<"whole" | "alone" | "knn_ms" | "highlight_ms", number[]>;

/**
 * Searches over HTTP: the whole request of one client and of several, its parts, and how much longer it takes while the
 * workers find entities.
 */
export async function overHttp(corpus: NewsCorpus): Promise<Figure[]> {
  const services = await startServices(corpus);
  const { queries } = corpus;
  const over = `${corpus.articles} articles`;
  try {
    // Code is compiled and what is asked for often is in memory.
    for (const mode of MODES) await oneClient(services, mode, queries);
    const figures: Figure[] = [];
    for (const mode of MODES) figures.push(...ofOneClient(mode, over, await oneClient(services, mode, queries)));
    const { rate, ms } = await severalClients(services, queries);
    figures.push({
      name: `${CLIENTS} clients, hybrid, searches/s, ${over}`,
      value: rate,
      bound: { atLeast: 400 },
      detail: `p50 ${median(ms).toFixed(1)}, p99 ${quantile(ms, 0.99).toFixed(1)} ms`,
    });
    figures.push(await besideWorkers(services, queries, over));
    return figures;
  } finally {
    await services.end();
  }
}

function ofOneClient(mode: SearchMode, over: string, times: Times): Figure[] {
  const p50 = (name: keyof Times) => median(times[name]);
  const row = (name: string, value: number, atMost: number, detail: string): Figure => {
    return { name: `${name}, ${mode}, ms, ${over}`, value, bound: { atMost }, detail };
  };
  return [
    row("whole request p50", p50("whole"), 6, `p99 ${quantile(times.whole, 0.99).toFixed(1)} ms, one client`),
    row(
      "way through the API",
      median(times.whole.map((ms, i) => ms - at(times.alone, i))),
      1,
      "p50 of the differences",
    ),
    row("highlighting ten hits", p50("highlight_ms"), 1, `p99 ${quantile(times.highlight_ms, 0.99).toFixed(1)} ms`),
    ...(mode === "vector"
      ? [row("knn with its query's vector", p50("knn_ms"), 1, `p99 ${quantile(times.knn_ms, 0.99).toFixed(1)} ms`)]
      : []),
  ];
}

/** Asks each query of the API and of the retrieval service, in turns as to who is asked first. */
async function oneClient(services: SearchServices, mode: SearchMode, queries: readonly string[]): Promise<Times> {
  const times: Times = { whole: [], alone: [], knn_ms: [], highlight_ms: [] };
  for (const [i, q] of queries.entries()) {
    const whole = async () => times.whole.push((await ask(services.api, mode, q)).ms);
    const alone = async () => {
      const { ms, diagnostics } = await ask(services.retrieval, mode, q);
      times.alone.push(ms);
      for (const part of ["knn_ms", "highlight_ms"] as const) times[part].push(Number(diagnostics[part]));
    };
    for (const each of i % 2 === 0 ? [whole, alone] : [alone, whole]) await each();
  }
  return times;
}

/** Searches a second of several clients, each of which asks one after another. */
async function severalClients(services: SearchServices, queries: readonly string[]) {
  const ms: number[] = [];
  let next = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (next < SEARCHES) ms.push((await ask(services.api, "hybrid", at(queries, next++ % queries.length))).ms);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { rate: (SEARCHES * 1000) / (performance.now() - start), ms };
}

/** Searches while the workers work, beside searches while they are stopped, in turns. */
async function besideWorkers(services: SearchServices, queries: readonly string[], over: string): Promise<Figure> {
  const { child } = await services.startWorkers();
  const times = { SIGSTOP: [] as number[], SIGCONT: [] as number[] };
  for (let turn = 0; turn < 2 * TURNS; turn++) {
    const signal = turn % 2 === 0 ? "SIGSTOP" : "SIGCONT";
    child.kill(signal);
    await Bun.sleep(COME_TO_WORK_MS);
    for (let i = 0; i < SEARCHES_A_TURN; i++) {
      const place = ((turn >> 1) * SEARCHES_A_TURN + i) % queries.length;
      times[signal].push((await ask(services.api, "hybrid", at(queries, place))).ms);
    }
  }
  const [idle, busy] = [median(times.SIGSTOP), median(times.SIGCONT)];
  return {
    name: `search p50 while entities are found / idle, ${over}`,
    value: busy / idle,
    bound: { atMost: 1.5 },
    detail: `${busy.toFixed(2)} / ${idle.toFixed(2)} ms, p99 ${quantile(times.SIGCONT, 0.99).toFixed(1)} / ${quantile(times.SIGSTOP, 0.99).toFixed(1)} ms`,
  };
}

async function ask(url: string, mode: SearchMode, q: string) {
  const start = performance.now();
  const response = await fetch(`${url}/search?${new URLSearchParams({ mode, q })}`);
  const text = await response.text();
  const ms = performance.now() - start;
  if (response.status !== 200) throw new Error(`${response.status} ${text}`);
  const { meta }: SearchBody = JSON.parse(text);
  return { ms, diagnostics: meta.diagnostics };
}
