import { createReranker, createTagger, openRegistry } from "@isnad/lib/models";
import { item, testApi } from "../api/testing.ts";
import { readNewsroom } from "../cli/demo/newsroom.ts";
import { type Figure, longestTurn, median, watchLoop } from "./rounds.ts";

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
