import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { dataFolder } from "../eval/retrieval-sets.ts";
import { importNews, type NewsRow, newsRows, stagesEnd, withStack } from "./news-stack.ts";
import { type Figure, quantile } from "./rounds.ts";

/** Says where the services of a stack answer, and the keys that they take. */
type Target = { urls: Record<string, string>; ingestToken: string; edgeKey: string };

/** A request of a route. */
type MixedRequest = { url: string; init?: RequestInit };

/** A route of a service, and its n-th request. */
type MixedRoute = { name: string; request(n: number): MixedRequest };

/** Sentences that one check judges. */
const CHECKED_SENTENCES = 8;

/** One of the corpus that ships. */
const DIALECT_SENTENCE = "صار لي ساعة ناطرك قدام باب البيت، وينك؟";

/** Lists every route that somebody waits for, of all services; each request has another text of `rows`. */
export function mixedRoutes(target: Target, rows: readonly NewsRow[]): MixedRoute[] {
  const { urls, ingestToken, edgeKey } = target;
  const [api, retrieval, edge, nlp, scraper] = ["api", "retrieval", "edge", "nlp", "scraper"].map((name) => urls[name]);
  const arabic = rows.filter(({ lang }) => lang === "ar");
  const any = (n: number): NewsRow => rowAt(rows, n);
  const text = (n: number): string => rowAt(arabic, n).text.slice(0, 1_500);
  const words = (n: number): string => any(n).title.split(" ").slice(0, 5).join(" ");
  const param = (value: string): string => encodeURIComponent(value);
  const get = (url: string): MixedRequest => ({ url });
  const post = (url: string, body: unknown, headers: Record<string, string> = {}): MixedRequest => ({
    url,
    init: {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body),
    },
  });
  const withKey = { "x-api-key": edgeKey };
  const chat = (n: number) => ({ messages: [{ role: "user", content: any(n).title }], stream: false });
  return [
    { name: "api /v1/search both", request: (n) => get(`${api}/v1/search?q=${param(words(n))}`) },
    { name: "api /v1/search by word", request: (n) => get(`${api}/v1/search?mode=bm25&q=${param(words(n))}`) },
    { name: "api /v1/articles/{id}", request: (n) => get(`${api}/v1/articles/${1 + (n % rows.length)}`) },
    { name: "api /v1/articles/{id}/revisions", request: (n) => get(`${api}/v1/articles/${1 + (n % 50)}/revisions`) },
    { name: "api /v1/entities", request: () => get(`${api}/v1/entities`) },
    { name: "api /chat/completions", request: (n) => post(`${api}/chat/completions`, chat(n)) },
    { name: "api /api/ai/summarize", request: (n) => post(`${api}/api/ai/summarize`, { text: any(n).text }) },
    {
      name: "api /v1/ingest/articles",
      request: (n) => post(`${api}/v1/ingest/articles`, itemsOf(any(n), n), { authorization: `Bearer ${ingestToken}` }),
    },
    { name: "retrieval /search", request: (n) => get(`${retrieval}/search?q=${param(words(n))}`) },
    {
      name: "retrieval /retrieve reranked",
      request: (n) => post(`${retrieval}/retrieve`, { query: words(n), rerank: true }),
    },
    { name: "retrieval /passages", request: (n) => post(`${retrieval}/passages`, { query: any(n).title, k: 20 }) },
    {
      name: "retrieval /s1/check-worthiness",
      request: (n) =>
        post(`${retrieval}/s1/check-worthiness`, {
          sentences: Array.from({ length: CHECKED_SENTENCES }, (_, i) => any(n * CHECKED_SENTENCES + i).title),
        }),
    },
    { name: "edge /rag/query", request: (n) => post(`${edge}/rag/query`, { query: any(n).title }, withKey) },
    { name: "edge /llm/chat", request: (n) => post(`${edge}/llm/chat`, chat(n), withKey) },
    { name: "edge /llm/summarize", request: (n) => post(`${edge}/llm/summarize`, { text: any(n).text }, withKey) },
    { name: "nlp /morph", request: (n) => post(`${nlp}/morph`, { text: text(n) }) },
    {
      name: "nlp /morph all",
      request: (n) => post(`${nlp}/morph`, { text: text(n + 1), flag: "*", include_lemma: true }),
    },
    { name: "nlp /ner", request: (n) => post(`${nlp}/ner`, { text: text(n + 2) }) },
    { name: "nlp /re", request: (n) => post(`${nlp}/re`, { text: text(n + 3) }) },
    { name: "nlp /wsd", request: (n) => post(`${nlp}/wsd`, { text: text(n + 4) }) },
    { name: "nlp /dialect/nabra", request: () => get(`${nlp}/dialect/nabra?text=${param(DIALECT_SENTENCE)}`) },
    {
      name: "nlp /dialect/nabra/glossary",
      request: (n) => post(`${nlp}/dialect/nabra/glossary`, { text: text(n).slice(0, 300) }),
    },
    { name: "scraper /profiles", request: () => get(`${scraper}/profiles`) },
    { name: "scraper /runs", request: () => get(`${scraper}/runs`) },
  ];
}

function rowAt(rows: readonly NewsRow[], n: number): NewsRow {
  const row = rows[n % rows.length];
  if (row === undefined) throw new Error("no articles");
  return row;
}

function itemsOf({ title, text, lang }: NewsRow, n: number) {
  const id = `mixed-${n}`;
  const url = `https://mixed.example/${n}`;
  return {
    items: [{ source_id: "mixed", external_id: id, url, title: `${title} ${n}`, content: `${n} ${text}`, lang }],
  };
}

const ARTICLES = 2_000;
const REQUESTS_PER_S = 20;
const MIXED_S = 45;
const ALONE_REQUESTS = 10;
/** Processes that spin meanwhile, one a core. */
const BUSY_CORES = 2;
const STAGES_MAX_MS = 240_000;
/** Longest time that an answer is waited for. */
const TIMEOUT_MS = 60_000;
/** An answer that somebody at a screen still waits for, in milliseconds. */
const MEDIAN_MS = 1_000;
const P99_MS = 5_000;

/** Milliseconds of the answers of a route; those that were refused are counted apart. */
type Times = { ms: number[]; refused: Map<number, number> };

/**
 * Measures every route of all services under a mixed load on busy cores, beside the same routes one request at a time
 * on cores as they are.
 */
export async function mixed(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("mixed: skipped, no shared data (ISNAD_SHARED)\n");
    return [];
  }
  const rows = newsRows(folder, Number(process.env.BENCH_ARTICLES ?? ARTICLES));
  const edgeKey = "bench-mixed";
  const env = { EDGE_API_KEY: edgeKey, SUMMARIZE_RATE_PER_MIN: "100000" };
  return await withStack(env, async (stack) => {
    await importNews(stack, rows);
    const left = await stagesEnd(stack, STAGES_MAX_MS);
    process.stderr.write(`${rows.length} articles imported, ${left} wait for a stage\n`);
    const { urls, tokens } = stack.info();
    const routes = mixedRoutes({ urls, ingestToken: tokens.ingest, edgeKey }, rows);
    const alone = await oneAtATime(routes);
    const together = await withBusyCores(() => atOnce(routes, MIXED_S));
    return figures(routes, alone, together);
  });
}

async function oneAtATime(routes: readonly MixedRoute[]): Promise<Map<string, Times>> {
  const times = timesOf(routes);
  for (let n = 0; n <= ALONE_REQUESTS; n++) {
    for (const { name, request } of routes) {
      // The first finds everything cold.
      const into = n === 0 ? undefined : times.get(name);
      await send(request(n), into);
    }
  }
  return times;
}

/** Sends 20 requests a second whether or not those before are answered, the routes in turn. */
export async function atOnce(routes: readonly MixedRoute[], seconds: number): Promise<Map<string, Times>> {
  const times = timesOf(routes);
  const startedAt = performance.now();
  const answers: Promise<void>[] = [];
  for (let n = 0; n < REQUESTS_PER_S * seconds; n++) {
    await sleep(Math.max(0, startedAt + (n * 1000) / REQUESTS_PER_S - performance.now()));
    const route = routes[n % routes.length];
    if (route !== undefined) answers.push(send(route.request(ALONE_REQUESTS + 1 + n), times.get(route.name)));
  }
  await Promise.all(answers);
  return times;
}

const timesOf = (routes: readonly MixedRoute[]): Map<string, Times> =>
  new Map(routes.map(({ name }) => [name, { ms: [], refused: new Map() }]));

/** Sends a request; one that is refused or not answered counts as refused, with its status, 0 for none. */
async function send({ url, init }: MixedRequest, times: Times | undefined): Promise<void> {
  const startedAt = performance.now();
  let status = 0;
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
    await response.arrayBuffer();
    status = response.status;
  } catch (error) {
    if (!(error instanceof Error)) throw error;
  }
  if (status >= 200 && status < 300) times?.ms.push(performance.now() - startedAt);
  else times?.refused.set(status, (times.refused.get(status) ?? 0) + 1);
}

async function withBusyCores<T>(work: () => Promise<T>): Promise<T> {
  const spinners = Array.from({ length: BUSY_CORES }, () => spawn(process.execPath, ["-e", "for (;;);"]));
  try {
    return await work();
  } finally {
    await Promise.all(spinners.map((child) => (child.kill("SIGKILL") ? once(child, "exit") : undefined)));
  }
}

function figures(routes: readonly MixedRoute[], alone: Map<string, Times>, together: Map<string, Times>): Figure[] {
  const ms = (value: number): string => value.toFixed(0).padStart(7);
  process.stderr.write(`${"ms".padEnd(34)}alone p50    p99  mixed p50    p99  refused\n`);
  for (const { name } of routes) {
    const [one, many] = [alone.get(name), together.get(name)];
    if (one === undefined || many === undefined) continue;
    const refused = JSON.stringify(Object.fromEntries([...one.refused, ...many.refused]));
    const columns = [one, many].map((times) => `${ms(quantile(times.ms, 0.5))}${ms(quantile(times.ms, 0.99))}`);
    process.stderr.write(`${name.padEnd(34)}${columns.join("    ")}  ${refused}\n`);
  }
  const all = [...together.values()];
  const slowest = (q: number): number => Math.max(...all.map((times) => quantile(times.ms, q)));
  const sent = REQUESTS_PER_S * MIXED_S;
  const answered = all.reduce((sum, times) => sum + times.ms.length, 0);
  const detail = `${REQUESTS_PER_S} requests/s over ${routes.length} routes for ${MIXED_S} s, ${BUSY_CORES} cores busy`;
  return [
    { name: "mixed: median of the slowest route, ms", value: slowest(0.5), bound: { atMost: MEDIAN_MS }, detail },
    { name: "mixed: p99 of the slowest route, ms", value: slowest(0.99), bound: { atMost: P99_MS }, detail },
    { name: "mixed: answered", value: answered / sent, bound: { atLeast: 1 }, detail: `${answered} of ${sent}` },
  ];
}
