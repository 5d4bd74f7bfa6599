import type { SearchBody, SearchMode } from "@isnad/lib/contract";
import { type ServiceProcess, spawnService } from "@isnad/lib/service/process/testing";
import { at } from "@isnad/lib/std";
import { services } from "../../cli/up/services.ts";
import { type Figure, median, quantile } from "../rounds.ts";
import type { NewsCorpus } from "./vectors.ts";
import { asTyped, surface } from "./surface.ts";

/** The API and the retrieval service over a corpus, each a process of its own: what comes before `/search` there. */
type SearchServices = {
  api: string;
  retrieval: string;
  /** Starts the workers, which find the entities of the corpus. */
  startWorkers(): Promise<ServiceProcess>;
  end(): Promise<void>;
};

/** Starts the search services with the settings of `env`; resolves when both branches answer. */
async function startServices({ env }: Pick<NewsCorpus, "env">): Promise<SearchServices> {
  const running: ServiceProcess[] = [];
  const start = async (main: string, says: string, own: Record<string, string> = {}) => {
    // As `up` starts them.
    const defaults = services.find(({ entry }) => entry === main)?.defaults;
    const all = { ...defaults, ...env, INGEST_TOKEN: "bench", ...own };
    const service = spawnService(new URL(`../../${main}`, import.meta.url), all);
    running.push(service);
    return { service, url: String((await service.said(says)).url) };
  };
  const { url: retrieval } = await start("nlp/retrieval/main.ts", "the retrieval service is listening", {
    RETRIEVAL_PORT: "0",
  });
  const { url: api } = await start("api/main.ts", "the API is listening", { API_PORT: "0", RETRIEVAL_URL: retrieval });
  while (!(await fetch(`${retrieval}/search?q=news&mode=vector`)).ok) await Bun.sleep(100);
  return {
    api: `${api}/v1`,
    retrieval,
    startWorkers: async () => (await start("workers/main.ts", "workers are running")).service,
    async end() {
      for (const { child } of running) child.kill("SIGCONT");
      await Promise.all(running.map((service) => service.end()));
    },
  };
}

const MODES: readonly SearchMode[] = ["bm25", "vector", "hybrid"];
/** Searches of one client in each mode. */
const SEARCHES_A_MODE = 300;
/**
 * Searches in each mode before anything is measured: with fewer much of the code is still interpreted, and compiled
 * beside what is measured.
 */
const WARMUP_A_MODE = 600;
const CLIENTS = 8;
/** Searches of all clients together. */
const SEARCHES = 1_200;
/**
 * Searches of all clients before those: what is called less often is compiled as late as after ten thousand, by threads
 * that take a tenth of the processors until then.
 */
const WARMUP_OF_CLIENTS = 10_000;
/** Neighbours that a search asks for. */
const NEIGHBOURS = 200;
/** Times that workers are stopped and go on, and searches each time. */
const TURNS = 8;
const SEARCHES_A_TURN = 50;
/** Holds what workers that go on need to come to work, in milliseconds. */
const COME_TO_WORK_MS = 150;

/** Milliseconds of each search: through the API, of the retrieval service alone, and of its parts. */
type Times = Record<"whole" | "alone" | (typeof PARTS)[number], number[]>;
const PARTS = ["bm25_ms", "knn_ms", "highlight_ms"] as const;

type Bench = {
  corpus: NewsCorpus;
  services: SearchServices;
  /** Returns the next queries that were not asked yet, as far as there are so many: what is asked again is known. */
  take(count: number): string[];
  over: string;
};

/** Lists the parts of what is measured over HTTP, each by itself. */
const MEASURES = {
  /** The whole request of one client in each mode, and its parts. */
  modes: async ({ corpus, services, take }) => {
    const figures: Figure[] = [];
    for (const mode of MODES) {
      figures.push(...ofOneClient(mode, corpus.articles, await oneClient(services, mode, take(SEARCHES_A_MODE))));
    }
    return [...figures, await neighbours(corpus, take(WARMUP_A_MODE + SEARCHES_A_MODE))];
  },
  typed: async ({ services, take, over }) => {
    // As for the modes: what suggests is compiled before it is measured.
    await asTyped(services.retrieval, take(WARMUP_A_MODE), over);
    return await asTyped(services.retrieval, take(SEARCHES_A_MODE), over);
  },
  surface: ({ services, take, over }) => surface(services.api, take(SEARCHES_A_MODE), over),
  clients: async ({ services, take, over }) => {
    await severalClients(services, take(WARMUP_OF_CLIENTS));
    const { rate, ms } = await severalClients(services, take(SEARCHES));
    const [p50, p99] = [median(ms), quantile(ms, 0.99)];
    return [
      {
        name: `${CLIENTS} clients, hybrid, searches/s, ${over}`,
        value: rate,
        bound: { atLeast: 400 },
        detail: `p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)} ms`,
      },
      {
        ...{ name: `${CLIENTS} clients, hybrid, p99 / p50, ${over}`, value: p99 / p50 },
        ...{ bound: { atMost: 10 }, detail: `${p99.toFixed(1)} / ${p50.toFixed(1)} ms` },
      },
    ];
  },
  /** Measures how much longer a search takes while the workers find entities. */
  workers: async ({ services, take, over }) => [await besideWorkers(services, take(TURNS * SEARCHES_A_TURN * 2), over)],
} satisfies Record<string, (bench: Bench) => Promise<Figure[]>>;

type HttpPart = keyof typeof MEASURES;
export const HTTP_PARTS: readonly HttpPart[] = ["modes", "typed", "surface", "clients", "workers"];

/** Measures searches over HTTP, the parts that are asked for. */
export async function overHttp(corpus: NewsCorpus, parts: ReadonlySet<string>): Promise<Figure[]> {
  const services = await startServices(corpus);
  let next = 0;
  const take = (count: number) =>
    Array.from({ length: count }, () => at(corpus.queries, next++ % corpus.queries.length));
  const bench: Bench = { corpus, services, take, over: `${corpus.articles} articles` };
  try {
    // Code is compiled and what is read often is in memory.
    for (const mode of MODES) await oneClient(services, mode, take(WARMUP_A_MODE));
    const figures: Figure[] = [];
    for (const part of HTTP_PARTS) if (parts.has(part)) figures.push(...(await MEASURES[part](bench)));
    return figures;
  } finally {
    await services.end();
  }
}

function ofOneClient(mode: SearchMode, articles: number, times: Times): Figure[] {
  const over = `${articles} articles`;
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
    ...(mode === "bm25"
      ? [
          row(
            "keyword branch",
            p50("bm25_ms"),
            articles > 10_000 ? 3 : 2,
            `p99 ${quantile(times.bm25_ms, 0.99).toFixed(1)} ms`,
          ),
        ]
      : []),
    ...(mode === "vector"
      ? [row("knn with its query's vector", p50("knn_ms"), 1, `p99 ${quantile(times.knn_ms, 0.99).toFixed(1)} ms`)]
      : []),
  ];
}

/**
 * Asks each query of the API and of the retrieval service, in turns as to who is asked first. The parts are those of
 * the first: the second one finds the query's vector cached.
 */
async function oneClient(services: SearchServices, mode: SearchMode, queries: readonly string[]): Promise<Times> {
  const times: Times = { whole: [], alone: [], bm25_ms: [], knn_ms: [], highlight_ms: [] };
  for (const [i, q] of queries.entries()) {
    const asks = [
      { url: services.api, ms: times.whole },
      { url: services.retrieval, ms: times.alone },
    ];
    for (const [turn, { url, ms }] of (i % 2 === 0 ? asks : asks.toReversed()).entries()) {
      const answer = await ask(url, mode, q);
      ms.push(answer.ms);
      if (turn > 0) continue;
      for (const part of PARTS) times[part].push(Number(answer.diagnostics[part]));
    }
  }
  return times;
}

/** The vector index by itself, in its thread, asked for the neighbours of queries whose vectors are there. */
async function neighbours({ vectors, embedder, articles }: NewsCorpus, queries: readonly string[]): Promise<Figure> {
  const ms: number[] = [];
  for (const vector of await embedder.embed(queries, "query")) {
    const start = performance.now();
    await vectors.search(vector, NEIGHBOURS, {});
    ms.push(performance.now() - start);
  }
  return {
    name: `knn, the index alone, ms, ${articles} articles`,
    value: median(ms.slice(WARMUP_A_MODE)),
    bound: { atMost: 1 },
    detail: `p99 ${quantile(ms.slice(WARMUP_A_MODE), 0.99).toFixed(1)} ms, ${NEIGHBOURS} neighbours`,
  };
}

/** Searches a second of several clients, each of which asks one after another. */
async function severalClients(services: SearchServices, queries: readonly string[]) {
  const ms: number[] = [];
  let next = 0;
  const start = performance.now();
  const client = async (): Promise<void> => {
    while (next < queries.length) ms.push((await ask(services.api, "hybrid", at(queries, next++))).ms);
  };
  await Promise.all(Array.from({ length: CLIENTS }, client));
  return { rate: (queries.length * 1000) / (performance.now() - start), ms };
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
      times[signal].push((await ask(services.api, "hybrid", at(queries, turn * SEARCHES_A_TURN + i))).ms);
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
