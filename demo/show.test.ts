import { expect, test } from "bun:test";
import type { DemoClient, Hit } from "./client.ts";
import { readNewsroom } from "./newsroom.ts";
import { bringIn, runSearches, untilFound } from "./show.ts";

const articles = readNewsroom().slice(0, 3);
const ids = new Map(articles.map((article, i) => [article.external_id, i + 1]));
const signal = new AbortController().signal;

function hit(articleId: number): Hit {
  const facts = { title: "", snippet: "", url: "", source: "", lang: "", category: null, publishedAt: null };
  return { articleId, ...facts, score: 1, byWord: null, byMeaning: null };
}

/** A client whose articles are indexed, and found by every search, unless told otherwise. */
function client(more: Partial<DemoClient> = {}): DemoClient {
  return {
    post: async () => ({ counts: { accepted: 2, duplicate: 1 }, ids }),
    state: async () => "indexed",
    search: async () => ({ hits: [1, 2, 3].map(hit), tookMs: 1 }),
    ...more,
  };
}

test("the new articles are counted, and all are known by their ids", async () => {
  expect(await bringIn(client(), articles)).toEqual({ ids, accepted: 2 });
});

test("it waits until each article is indexed and both branches find it", async () => {
  const seen: string[] = [];
  let asked = 0;
  const slow = client({
    state: async () => (++asked > 2 ? "indexed" : "accepted"),
    async search({ mode = "" }) {
      seen.push(mode);
      return { hits: seen.length > 3 ? [1, 2, 3].map(hit) : [], tookMs: 1 };
    },
  });
  await untilFound(slow, articles, ids, { signal, everyMs: 1 });
  expect(new Set(seen)).toEqual(new Set(["bm25", "vector"]));
  expect(asked).toBeGreaterThan(4);
});

test("an article that failed, and one that is never found, end the waiting", async () => {
  const failed = client({ state: async () => "failed" });
  expect(untilFound(failed, articles, ids, { signal })).rejects.toThrow("could not be indexed");
  const lost = client({ search: async () => ({ hits: [], tookMs: 1 }) });
  const options = { signal, everyMs: 1, timeoutMs: 20 };
  expect(untilFound(lost, articles, ids, options)).rejects.toThrow("3 of 3 articles could not be found");
  await Bun.sleep(60);
});

test("an interruption ends the waiting", async () => {
  const abort = new AbortController();
  const waiting = untilFound(client({ state: async () => "accepted" }), articles, ids, { signal: abort.signal });
  abort.abort();
  expect(waiting).rejects.toThrow();
});

test("each search tells at which rank its answer stands, or that it is missing", async () => {
  const [first, second] = articles;
  const search = (answer = "") => ({ caption: "", query: "q", mode: "hybrid" as const, answer });
  const asked: string[] = [];
  const found = client({
    async search({ q = "", mode = "" }) {
      asked.push(`${mode} ${q}`);
      return { hits: [hit(2), hit(1)], tookMs: 1 };
    },
  });
  const shown = await runSearches(
    found,
    [search(first?.external_id), search(second?.external_id), search("absent")],
    ids,
  );
  expect(shown.map(({ rank }) => rank)).toEqual([2, 1, null]);
  expect(asked).toEqual(["hybrid q", "hybrid q", "hybrid q"]);
});
