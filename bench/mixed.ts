import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { dataFolder } from "../eval/retrieval-sets.ts";
import { importNews, newsRows, stagesEnd, withStack } from "./news-stack.ts";
import { mixedRoutes, type MixedRequest, type MixedRoute } from "./mixed-routes.ts";
import { type Figure, quantile } from "./rounds.ts";

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
