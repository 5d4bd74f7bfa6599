import { Agent, request } from "node:http";
import { createReranker, createTagger, openRegistry } from "@isnad/lib/models";
import { spawnService } from "@isnad/lib/service/process/testing";
import { item, testApi } from "../api/testing.ts";
import { readNewsroom } from "../cli/demo/site.ts";
import { prepareData } from "../nlp/retrieval/testing-process.ts";
import { type Figure, longestTurn, median, watchLoop } from "./rounds.ts";

/** One request of a burst: GET, or POST of a JSON body. */
type Ask = { url: string; body?: string };

/** Says how a request ended: its status (0: no answer), `Retry-After` in seconds, and its time in milliseconds. */
type Answer = { status: number; retryAfter: number | undefined; ms: number };

/** Sends all requests at once, each over a connection of its own. */
async function burst(asks: readonly Ask[]): Promise<Answer[]> {
  const agent = new Agent({ keepAlive: false, maxSockets: Number.POSITIVE_INFINITY });
  return await Promise.all(asks.map((ask) => send(ask, agent)));
}

function send({ url, body }: Ask, agent: Agent): Promise<Answer> {
  const start = performance.now();
  const took = (): number => performance.now() - start;
  const post = { method: "POST", headers: { "content-type": "application/json" } };
  return new Promise((resolve) => {
    const sent = request(url, { agent, ...(body !== undefined && post) }, (response) => {
      const retryAfter = response.headers["retry-after"];
      response.resume().on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          retryAfter: retryAfter === undefined ? undefined : Number(retryAfter),
          ms: took(),
        }),
      );
    });
    sent.on("error", () => resolve({ status: 0, retryAfter: undefined, ms: took() }));
    sent.end(body);
  });
}

const ARTICLES = 500;
const SEARCHES = 1_000;
const CHECKS = 300;
const SENTENCES = 64;

const WORDS = "harbour storm minister budget talks قطار المدينة وزير الميناء اقتصاد".split(" ");
const word = (n: number): string => WORDS[n % WORDS.length] ?? "";

/**
 * Returns what becomes of more than can be done, with the settings as they are: {@link SEARCHES} searches at once
 * through API and retrieval service, and {@link CHECKS} requests of {@link SENTENCES} sentences at once; each a second
 * time, for the first finds the processes cold.
 */
export async function overload(): Promise<Figure[]> {
  const data = await prepareData(Array.from({ length: ARTICLES }, (_, n) => `${word(n)} ${word(n * 7 + 3)} ${n}`));
  const env = { ...data.env, INGEST_TOKEN: "bench" };
  const start = async (main: string, listening: string, own: Record<string, string>) => {
    const service = spawnService(new URL(main, import.meta.url), { ...env, ...own });
    return { service, url: String((await service.said(listening)).url) };
  };
  const retrieval = await start("../../nlp/retrieval/main.ts", "the retrieval service is listening", {
    RETRIEVAL_PORT: "0",
  });
  const api = await start("../../api/main.ts", "the API is listening", { API_PORT: "0", RETRIEVAL_URL: retrieval.url });
  const searches = (round: number): Ask[] =>
    Array.from({ length: SEARCHES }, (_, n) => {
      const q = encodeURIComponent(`${word(n)} ${word(n * 3 + round)} ${n}`);
      return { url: `${api.url}/v1/search?q=${q}` };
    });
  const checks = (round: number): Ask[] =>
    Array.from({ length: CHECKS }, (_, n) => {
      const sentences = Array.from({ length: SENTENCES }, (_, k) => `Prices rose by ${k} percent in ${n + round}.`);
      return { url: `${retrieval.url}/s1/check-worthiness`, body: JSON.stringify({ sentences }) };
    });
  try {
    await burst(searches(0));
    const searched = await burst(searches(1));
    await burst(checks(0));
    const checked = await burst(checks(1));
    return [
      ...figures(`${SEARCHES} searches at once`, searched),
      ...figures(`${CHECKS} times ${SENTENCES} sentences at once`, checked),
    ];
  } finally {
    await Promise.all([api.service.end(), retrieval.service.end()]);
    await data.remove();
  }
}

function figures(name: string, answers: readonly Answer[]): Figure[] {
  const served = answers.filter(({ status }) => status === 200);
  const refused = answers.filter(({ status, retryAfter }) => status === 503 && retryAfter !== undefined);
  const slowest = Math.max(...answers.map(({ ms }) => ms)) / 1000;
  const refusal = refused.length === 0 ? 0 : median(refused.map(({ ms }) => ms)) / 1000;
  return [
    {
      name: `${name}: served or refused`,
      value: (served.length + refused.length) / answers.length,
      bound: { atLeast: 1 },
      detail: `${served.length} served, ${refused.length} refused with Retry-After`,
    },
    {
      name: `${name}: slowest answer, s`,
      value: slowest,
      bound: { atMost: 12 },
      detail: "8 s of waiting, and the work",
    },
    { name: `${name}: refusal, s`, value: refusal, bound: { atMost: 3 }, detail: "median" },
  ];
}

const INGEST_ROUNDS = 9;
const INGEST_AIM_MS = 10;

/** Bodies near the limit of a request; each call makes articles that were never sent. */
const BODIES: Record<string, () => Record<string, unknown>[]> = {
  "a full batch of long articles": () => many(100, (n) => `${n} ${"ع ".repeat(3_500)}`),
  "a full batch of markup": () => many(100, (n) => `${n} ${'<p class="x">كلمة<br/>جملة &amp; أخرى</p>'.repeat(190)}`),
  "one article of 1.4 MB": () => many(1, () => "ع ".repeat(450_000)),
  "one article of 1.4 MB of markup": () => many(1, () => "<p>كلمة <b>x</b></p>".repeat(55_000)),
};

/**
 * Tells how long the largest ingest requests keep the event loop of the API: the most processor time that its thread
 * spends on one thing, the median of some requests of each kind.
 */
async function ingestLoop(): Promise<Figure[]> {
  const api = await testApi();
  try {
    const figures: Figure[] = [];
    for (const [name, articles] of Object.entries(BODIES)) {
      await api.post({ articles: articles() });
      const longest: number[] = [];
      for (let round = 0; round < INGEST_ROUNDS; round++) {
        const body = JSON.stringify({ articles: articles() });
        longest.push((await longestTurn(() => api.post(body))).ms);
      }
      figures.push({
        name: `loop: ms that ${name} keeps it`,
        value: median(longest),
        bound: { atMost: INGEST_AIM_MS },
        detail: `longest ${Math.max(...longest).toFixed(1)} of ${INGEST_ROUNDS}`,
      });
    }
    return figures;
  } finally {
    await api.close();
  }
}

let sent = 0;

function many(count: number, content: (n: number) => string): Record<string, unknown>[] {
  return Array.from({ length: count }, (_, n) => {
    const id = `loop-${++sent}`;
    return item({ external_id: id, content: `${id} ${content(n)}` });
  });
}

/** Calls that are made at a time, how often, and passages of a reranking. */
const CALLS = 16;
const ROUNDS = 6;
const PASSAGES = 20;
const AIM_MS = 10;

/**
 * Tells how long models at work keep the event loop of their service, by the longest that a timer is late, and the
 * largest ingest requests that of the API.
 */
export async function loop(): Promise<Figure[]> {
  const registry = openRegistry();
  const articles = readNewsroom();
  await using opened = new AsyncDisposableStack();
  const reranker = await createReranker({ registry, timeoutMs: 60_000 });
  opened.defer(() => reranker.close());
  const tagger = await createTagger({ registry, timeoutMs: 60_000 });
  opened.defer(() => tagger.close());
  const passages = Array.from({ length: PASSAGES }, (_, i) => articles[i % articles.length]).flatMap((article) =>
    article === undefined ? [] : [{ title: article.title, text: article.content }],
  );
  return [
    await measured("16 rerankings", (i) => reranker.rerank(articles[i]?.title ?? "", passages)),
    await measured("16 taggings", (i) => tagger.tag([articles[i % articles.length]?.content ?? ""])),
    ...(await ingestLoop()),
  ];
}

async function measured(what: string, call: (i: number) => Promise<unknown>): Promise<Figure> {
  const all = () => Promise.all(Array.from({ length: CALLS }, (_, i) => call(i)));
  await all();
  const watch = watchLoop();
  for (let round = 0; round < ROUNDS; round++) await all();
  watch.pause();
  return {
    name: `loop: ms that ${what} at a time keep it`,
    value: watch.longest(),
    bound: { atMost: AIM_MS },
    detail: "",
  };
}
