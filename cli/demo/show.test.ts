import { expect, test } from "bun:test";
import type { SearchResult } from "@isnad/lib/contract";
import type { DemoClient } from "./client.ts";
import { readNewsroom } from "./newsroom.ts";
import { runSearches, untilFound } from "./show.ts";
import { foundHits, testHit } from "./testing.ts";

type Searching = Pick<DemoClient, "search">;

const articles = readNewsroom().slice(0, 3);
const ids = new Map(articles.map(({ slug }, i) => [slug, i + 1]));
const options = { source: "almarsa", signal: new AbortController().signal, everyMs: 1 };

function hit(id: number): SearchResult {
  return testHit({ article_id: id, title: articles[id - 1]?.title ?? "" });
}

/** A client that finds every article, unless told otherwise. */
function client(search: DemoClient["search"] = async () => foundHits([1, 2, 3].map(hit))): Searching {
  return { search };
}

/** What a promise that must reject is rejected with. */
function failure(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "nothing",
    (error: Error) => error.message,
  );
}

test("it waits until both branches find each article by its title, and tells the ids", async () => {
  const seen: string[] = [];
  const slow = client(async ({ mode = "", source }) => {
    seen.push(`${mode} ${source}`);
    return foundHits(seen.length > 3 ? [1, 2, 3].map(hit) : []);
  });
  expect(await untilFound(slow, articles, options)).toEqual(ids);
  expect(new Set(seen)).toEqual(new Set(["bm25 almarsa", "vector almarsa"]));
});

test("an article that only one branch finds is not found yet", async () => {
  const half = client(async ({ mode }) => foundHits(mode === "bm25" ? [1, 2, 3].map(hit) : []));
  expect(await failure(untilFound(half, articles, { ...options, timeoutMs: 20 }))).toContain("3 of 3 articles");
});

test("an article that is never found ends the waiting", async () => {
  const lost = client(async () => foundHits([hit(1), hit(2)]));
  const message = await failure(untilFound(lost, articles, { ...options, timeoutMs: 20 }));
  expect(message).toContain("1 of 3 articles could not be found");
});

test("an interruption ends the waiting", async () => {
  const abort = new AbortController();
  const none = client(async () => foundHits([]));
  const waiting = failure(untilFound(none, articles, { ...options, signal: abort.signal }));
  abort.abort();
  expect(await waiting).toContain("abort");
});

test("each search tells at which rank its answer stands, or that it is missing", async () => {
  const [first, second] = articles;
  const search = (answer = "") => ({ caption: "", query: "q", mode: "hybrid" as const, answer });
  const asked: string[] = [];
  const found = client(async ({ q = "", mode = "" }) => {
    asked.push(`${mode} ${q}`);
    return foundHits([hit(2), hit(1)]);
  });
  const shown = await runSearches(found, [search(first?.slug), search(second?.slug), search("absent")], ids);
  expect(shown.map(({ rank }) => rank)).toEqual([2, 1, null]);
  expect(asked).toEqual(["hybrid q", "hybrid q", "hybrid q"]);
});
