import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath, URL } from "node:url";
import {
  BACKGROUND_IDLE_MS,
  createClassifier,
  createEmbedder,
  createReranker,
  createTagger,
  openRegistry,
} from "@isnad/lib/models";
import { dataFolder } from "../eval/retrieval-sets.ts";
import { withNlp } from "./linguistic.ts";
import { atOnce, mixedRoutes } from "./mixed.ts";
import { importNews, newsRows, stagesEnd, withStack } from "./news-stack.ts";
import { footprintOf, pssMb } from "./processes.ts";
import { type Figure, watchLoop } from "./rounds.ts";

const LINGUISTIC_ARTICLES = fileURLToPath(new URL("../cli/demo/articles/ar/", import.meta.url));

/** Requests in all, and between two looks at the memory. */
const REQUESTS = 10_000;
const LOOK_EVERY = 500;
/** Requests after which every cache is full. */
const WARM = REQUESTS / 2;
const AT_A_TIME = 4;
const PARAGRAPHS = 3;
/** Growth that counts as none: what a runtime's own heaps come and go by. */
const LINGUISTIC_FLAT_MB = 64;
const CEILING_MB = 600;

const LETTERS = [..."ابتثجحخدذرزسشصضطظعغفقكلمنهوي"];

/** The routes that read texts. */
const ROUTES: readonly ((text: string) => { path: string; body: unknown })[] = [
  (text) => ({ path: "/morph", body: { text, flag: "*", include_lemma: true } }),
  (text) => ({ path: "/morph", body: { text } }),
  (text) => ({ path: "/ner", body: { text } }),
  (text) => ({ path: "/re", body: { text } }),
  (text) => ({ path: "/wsd", body: { text } }),
];

/**
 * Measures how much memory the linguistic service takes over 10,000 requests to all routes that read texts, every
 * request with words that were never sent before, as the share of it in the machine's memory (PSS).
 */
async function linguisticFootprint(): Promise<Figure[]> {
  const paragraphs = readdirSync(LINGUISTIC_ARTICLES).flatMap((file) =>
    readFileSync(join(LINGUISTIC_ARTICLES, file), "utf8").split("\n\n").slice(1),
  );
  return await withNlp(async ({ url, pid }) => {
    const looks = [{ requests: 0, mb: pssMb(pid) }];
    const refused = new Map<string, number>();
    for (let requests = 0; requests < REQUESTS; requests += AT_A_TIME) {
      await Promise.all(Array.from({ length: AT_A_TIME }, (_, i) => send(url, requests + i, paragraphs, refused)));
      if ((requests + AT_A_TIME) % LOOK_EVERY !== 0) continue;
      looks.push({ requests: requests + AT_A_TIME, mb: pssMb(pid) });
      process.stderr.write(`${requests + AT_A_TIME} requests: ${looks.at(-1)?.mb.toFixed(0)} MB\n`);
    }
    const most = (from: number, to: number): number =>
      Math.max(...looks.flatMap(({ requests, mb }) => (requests > from && requests <= to ? [mb] : [])));
    const [first, last] = [most(WARM / 2, WARM), most(REQUESTS - WARM / 2, REQUESTS)];
    const detail = `${looks[0]?.mb.toFixed(0)} MB at the start; refused: ${JSON.stringify(Object.fromEntries(refused))}`;
    return [
      {
        name: "footprint: linguistic, growth in MB",
        value: last - first,
        bound: { atMost: LINGUISTIC_FLAT_MB },
        detail,
      },
      { name: "footprint: linguistic, MB at most", value: most(0, REQUESTS), bound: { atMost: CEILING_MB }, detail },
    ];
  });
}

async function send(url: string, n: number, paragraphs: readonly string[], refused: Map<string, number>) {
  const route = ROUTES[n % ROUTES.length];
  const text = Array.from({ length: PARAGRAPHS }, (_, i) => paragraphs[(n * 7 + i) % paragraphs.length]).join("\n\n");
  const request = route?.(`${newWords(n)} ${text}`);
  if (request === undefined) return;
  const response = await fetch(`${url}${request.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(request.body),
  });
  await response.arrayBuffer();
  const key = `${request.path} ${response.status}`;
  if (!response.ok) refused.set(key, (refused.get(key) ?? 0) + 1);
}

/** Twenty words of five letters, other ones for each number. */
function newWords(n: number): string {
  return Array.from({ length: 20 }, (_, i) => {
    let rest = n * 20 + i;
    return Array.from({ length: 5 }, () => {
      const letter = LETTERS[rest % LETTERS.length];
      rest = Math.floor(rest / LETTERS.length);
      return letter;
    }).join("");
  }).join(" ");
}

/** Articles of the archive; BENCH_ARTICLES sets another number. */
const ARTICLES = 10_000;
const LOAD_S = 60;
const STAGES_MAX_MS = 600_000;
/** Time after which a runtime has given back what it does not need, in milliseconds; models of stages rest with it. */
const QUIET_MS = BACKGROUND_IDLE_MS + 20_000;
/** Ceilings of the whole stack, in MB (PSS). */
const AT_REST_MB = 600;
const WITH_ARTICLES_MB = 1_000;
/** Growth that counts as none: what six runtimes' heaps come and go by. */
const FLAT_MB = 150;

/**
 * Measures how much memory each process of the stack takes (PSS): at rest with an empty archive, with 10,000 articles,
 * after a mixed load, and after another one, from which on it is to be flat; then the linguistic service alone over
 * 10,000 requests.
 */
export async function footprint(): Promise<Figure[]> {
  const folder = dataFolder(process.env);
  if (folder === undefined) {
    process.stderr.write("footprint of the stack: skipped, no shared data (ISNAD_SHARED)\n");
    return await linguisticFootprint();
  }
  const stack = await stackFootprint(folder, Number(process.env.BENCH_ARTICLES ?? ARTICLES));
  return process.env.BENCH_ARTICLES === undefined ? [...stack, ...(await linguisticFootprint())] : stack;
}

async function stackFootprint(folder: string, count: number): Promise<Figure[]> {
  const edgeKey = "bench-footprint";
  return await withStack({ EDGE_API_KEY: edgeKey, SUMMARIZE_RATE_PER_MIN: "100000" }, async (stack) => {
    const looks: { when: string; mb: Record<string, number> }[] = [];
    const look = async (when: string): Promise<void> => {
      await sleep(QUIET_MS);
      looks.push({ when, mb: footprintOf(stack) });
    };
    await look("at rest");
    const rows = newsRows(folder, count);
    if (rows.length > 0) {
      await importNews(stack, rows);
      const left = await stagesEnd(stack, STAGES_MAX_MS);
      await look(`${rows.length} articles`);
      process.stderr.write(`${left} articles wait for a stage\n`);
      const { urls, tokens } = stack.info();
      const routes = mixedRoutes({ urls, ingestToken: tokens.ingest, edgeKey }, rows);
      for (const when of ["after load", "after more"]) {
        await atOnce(routes, LOAD_S);
        await look(when);
      }
    }
    show(looks);
    const [rest = 0, filled = 0, loaded = 0, last = 0] = looks.map(({ mb }) => totalOf(mb));
    const detail = `PSS of all processes, ${rows.length} articles`;
    const atRest = { name: "footprint: at rest, MB", value: rest, bound: { atMost: AT_REST_MB }, detail };
    if (rows.length === 0) return [atRest];
    return [
      atRest,
      { name: "footprint: with articles, MB", value: filled, bound: { atMost: WITH_ARTICLES_MB }, detail },
      { name: "footprint: growth by a second load, MB", value: last - loaded, bound: { atMost: FLAT_MB }, detail },
    ];
  });
}

const totalOf = (mb: Record<string, number>): number => Object.values(mb).reduce((sum, each) => sum + each, 0);

function show(looks: readonly { when: string; mb: Record<string, number> }[]): void {
  const row = (name: string, values: readonly (string | number)[]): string =>
    `${name.padEnd(14)}${values.map((value) => (typeof value === "number" ? value.toFixed(0) : value).padStart(16)).join("")}\n`;
  process.stderr.write(
    row(
      "MB (PSS)",
      looks.map(({ when }) => when),
    ),
  );
  for (const name of Object.keys(looks[0]?.mb ?? {})) {
    process.stderr.write(
      row(
        name,
        looks.map(({ mb }) => mb[name] ?? 0),
      ),
    );
  }
  process.stderr.write(
    row(
      "together",
      looks.map(({ mb }) => totalOf(mb)),
    ),
  );
}

/** Calls, and how many there are between two looks at the memory. */
const LAST = 10_000;
const CALLS_A_LOOK = 160;

/**
 * A quarter of the calls: the least memory seen in the second, when every buffer has grown to its size, is compared
 * with the least in the last. The most says nothing: the heap of a model's thread grows and shrinks by a hundred
 * megabytes as its collector likes.
 */
const QUARTER = LAST / 4;

/** Calls before anything is read: code is compiled and the model's thread is warm. */
const WARMUP = 50;

/** Growth that counts as none: what a runtime's own heaps come and go by. */
const CALLS_FLAT_MB = 16;

/** Calls that are under way at a time. */
const CALLS_AT_A_TIME = 16;

const EN = "Unemployment fell to 3.9 percent in May, the lowest rate in eighteen years, said Angela Merkel in Berlin";
const AR = "قالت وزارة الصحة إن عدد الإصابات بلغ تسعين إصابة خلال يوم واحد في القاهرة";

/** A text of the i-th call: lengths and words differ, so that nothing is cached. */
const textOf = (i: number): string => `${i} ${i % 2 === 0 ? EN : AR} `.repeat(1 + (i % 4)) + i * 7919;

type Task = { name: string; call(i: number): Promise<unknown>; close(): Promise<void> };

/**
 * Tells how much more memory each model's task takes at the end of 10,000 calls than in their second quarter, as the
 * resident set of this process; and how long the event loop was held meanwhile.
 */
export async function memory(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const open of [embed, classify, rerank, tag]) figures.push(...(await measure(await open())));
  return figures;
}

const registry = openRegistry();

async function embed(): Promise<Task> {
  const embedder = await createEmbedder({ registry });
  const call = (i: number) => embedder.embed([textOf(i), textOf(i + 1)], "passage");
  return { name: "embedding", call, close: () => embedder.close() };
}

async function classify(): Promise<Task> {
  const classifier = await createClassifier({ registry });
  return { name: "check-worthiness", call: (i) => classifier.classify([textOf(i)]), close: () => classifier.close() };
}

async function rerank(): Promise<Task> {
  const reranker = await createReranker({ registry });
  const passages = (i: number) => Array.from({ length: 3 }, (_, n) => ({ title: `${i}`, text: textOf(i + n) }));
  return { name: "rerank", call: (i) => reranker.rerank(textOf(i), passages(i)), close: () => reranker.close() };
}

async function tag(): Promise<Task> {
  const tagger = await createTagger({ registry });
  return { name: "entities", call: (i) => tagger.tag([textOf(i)]), close: () => tagger.close() };
}

async function measure({ name, call, close }: Task): Promise<Figure[]> {
  const seen: { calls: number; mb: number }[] = [];
  for (let i = 0; i < WARMUP; i++) await call(i);
  const watch = watchLoop();
  for (let calls = CALLS_AT_A_TIME; calls <= LAST; calls += CALLS_AT_A_TIME) {
    await Promise.all(Array.from({ length: CALLS_AT_A_TIME }, (_, n) => call(calls + n)));
    if (calls % CALLS_A_LOOK !== 0) continue;
    watch.pause();
    seen.push({ calls, mb: resident() });
    watch.resume();
  }
  watch.pause();
  await close();
  const least = (from: number): number =>
    Math.min(...seen.flatMap(({ calls, mb }) => (calls > from && calls <= from + QUARTER ? [mb] : [])));
  const [first, last] = [least(QUARTER), least(3 * QUARTER)];
  const grown: Figure = {
    name: `memory, ${name}, growth in MB`,
    value: last - first,
    bound: { atMost: CALLS_FLAT_MB },
    detail: `least of calls ${QUARTER} to ${2 * QUARTER}: ${first.toFixed(0)} MB, of the last ${QUARTER}: ${last.toFixed(0)} MB`,
  };
  const gap: Figure = {
    name: `${name}, gap of the event loop, ms`,
    value: watch.longest(),
    bound: { atMost: 10 },
    detail: `the longest in ${LAST} calls, ${CALLS_AT_A_TIME} at a time`,
  };
  return [grown, gap];
}

/** Resident set of this process in MB, with nothing left that is not needed. */
function resident(): number {
  Bun.gc(true);
  return process.memoryUsage().rss / 2 ** 20;
}
