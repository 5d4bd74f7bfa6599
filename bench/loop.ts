import { createReranker, createTagger, openRegistry } from "@isnad/lib/models";
import { readNewsroom } from "../cli/demo/newsroom.ts";
import { watchLoop } from "./event-loop.ts";
import { ingestLoop } from "./loop-ingest.ts";
import type { Figure } from "./rounds.ts";

/** Calls that are made at a time, how often, and passages of a reranking. */
const CALLS = 16;
const ROUNDS = 6;
const PASSAGES = 20;
const AIM_MS = 10;

/**
 * How long models at work keep the event loop of their service, by the longest that a timer is late, and the largest
 * ingest requests that of the API.
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
