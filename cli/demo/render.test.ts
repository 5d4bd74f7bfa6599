import { describe, expect, test } from "bun:test";
import type { SearchResult } from "@isnad/lib/contract";
import { readNewsroom } from "./site.ts";
import {
  type DemoClient,
  type DemoSearch,
  displayWidth,
  renderAnswer,
  renderChain,
  renderCrawl,
  renderSearch,
  renderSummary,
  runSearches,
  untilChained,
  untilFound,
  wrap,
} from "./render.ts";
import { foundHits, testHit } from "./testing.ts";

describe("render", () => {
  const search: DemoSearch = { caption: "By word", query: "سعر الفائدة", mode: "bm25", answer: "x" };
  const hit = testHit({
    article_id: 7,
    title: "المصرف يثبّت سعر الفائدة",
    snippet: "أبقى المصرف <mark>سعر</mark> <mark>الفائدة</mark> عند 4.75 &lt;في المئة&gt; &amp; أكثر",
    url: "https://almarsa.example/7",
    source: "almarsa",
    lang: "ar",
    category: "economy",
    published_at: "2026-02-19T10:00:00.000Z",
    score: 12.345678,
    bm25_rank: 1,
  });
  const plain = { terminal: false, columns: 80 };

  test("a search is shown with its caption, query, mode and the facts of each hit", () => {
    expect(renderSearch(1, search, foundHits([hit], 7.6), plain)).toBe(
      [
        "1. By word",
        "     سعر الفائدة",
        "     mode bm25, 1 hits, 8 ms",
        "",
        "  1. almarsa · ar · 2026-02-19 · economy · by word no. 1",
        "     المصرف يثبّت سعر الفائدة",
        "     أبقى المصرف *سعر* *الفائدة* عند 4.75 <في المئة> & أكثر",
        "",
      ].join("\n"),
    );
  });

  test("on a terminal marks are coloured, and colours never run on", () => {
    const text = renderSearch(1, search, foundHits([hit]), { terminal: true, columns: 80 });
    expect(text).toContain("\u001B[1;33mسعر\u001B[0m");
    const codes = text.split("\u001B[").length - 1;
    expect(text.split("\u001B[0m").length - 1).toBe(codes / 2);
    expect(text).not.toContain("mark");
  });

  test("Arabic text and Latin facts never share a line", () => {
    const text = renderSearch(1, search, foundHits([{ ...hit, snippet: "نص عربي" }]), plain);
    for (const line of text.split("\n")) expect(/\p{Script=Arabic}/u.test(line) && /[a-z]/i.test(line)).toBe(false);
  });

  test("a mark that a line break splits is closed and opened again", () => {
    const long = { ...hit, snippet: `<mark>${"كلمة ".repeat(20)}</mark>` };
    const lines = renderSearch(1, search, foundHits([long]), { ...plain, columns: 40 }).split("\n");
    const marked = lines.filter((line) => line.includes("*"));
    expect(marked.length).toBeGreaterThan(1);
    for (const line of marked) expect(line.split("*").length % 2).toBe(1);
  });

  test("only the first hits are shown, and long snippets end in an ellipsis", () => {
    const hits = Array.from({ length: 9 }, () => ({ ...hit, snippet: "كلمة ".repeat(100) }));
    const text = renderSearch(2, search, foundHits(hits), plain, { note: "a note" });
    expect(text.match(/almarsa/g)?.length).toBe(3);
    expect(text.match(/…/g)?.length).toBe(3);
    expect(text).toContain("9 hits");
    expect(text).toEndWith("     a note\n");
  });

  test("no line is wider than the columns given, diacritics taking none", () => {
    expect(displayWidth("مَرْسَى")).toBe(4);
    for (const line of wrap("مَرْسَى نور وتلّ عنبر ووادي سنا ".repeat(9), 30)) {
      expect(displayWidth(line)).toBeLessThanOrEqual(30);
    }
    expect(wrap("a verylongwordindeed b", 5)).toEqual(["a", "verylongwordindeed", "b"]);
  });

  test("an answer stands above the articles that it cites, and no others; a summary is in points", () => {
    const style = { terminal: false, columns: 60 };
    const source = (n: number) => ({ n, article_id: n, title: `Title ${n}`, url: "https://n.test/1", passages: [] });
    const message = { role: "assistant" as const, content: "It cost 3 dinars. [2]" };
    const answer = renderAnswer(4, "How much?", { model: "m", sources: [source(1), source(2)], message }, style);
    expect(answer).toContain("4. Ask");
    expect(answer).toContain("     It cost 3 dinars. [2]\n     [2] Title 2\n");
    expect(answer).not.toContain("Title 1");
    const summary = renderSummary(5, "Port", { summary: "- One.\n- Two.", model: "m" }, style);
    expect(summary).toContain("     - One.\n     - Two.\n");
  });

  test("a crawl that finds nothing new says so, and does not look like one that failed", () => {
    expect(renderCrawl({ counts: { discovered: 12, fetched: 12, sent: 12, duplicate: 2 } })).toBe(
      "12 articles discovered, 12 pages fetched, 10 of them new to the platform",
    );
    expect(renderCrawl({ counts: {} })).toContain("nothing new");
    expect(renderCrawl({ counts: { discovered: 3, fetched: 3, sent: 3, duplicate: 3 } })).toContain("none of them new");
  });
});

describe("show", () => {
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
});

describe("chain", () => {
  const link = {
    article_id: 1,
    source_id: "agency",
    source_name: "The Agency",
    title: "T",
    url: "https://agency.example/1",
    published_at: "2026-01-12T05:40:00.000Z",
    kind: "origin" as const,
    overlap: 0,
    overlap_of_source: 0,
    from: null,
    credits: [],
    confidence: 1,
  };
  const copy = {
    ...link,
    article_id: 2,
    source_id: "weekly",
    source_name: "weekly",
    url: "https://weekly.example/2",
    published_at: null,
    kind: "copy" as const,
    overlap: 0.954,
    from: { article_id: 1, url: link.url },
    credits: [{ name: "The Agency", text: "The Agency", offsets: { start: 0, end: 10 } }],
  };
  const { article_id, source_id, title, url, published_at } = link;
  const report = { article_id, source_id, source_name: "المرسى", title, url, published_at };
  const chain = { article_id: 1, story_id: 3, links: [link, copy], reports: [report] };

  test("a chain is shown with who had it first, who took how much from whom, and the story's other reports", () => {
    expect(renderChain(6, chain, { terminal: false, columns: 80 })).toBe(
      [
        "6. The chain: who had it first, who took it over, who else tells the story",
        "     05:40 · The Agency · origin, the first here",
        "     time unknown · weekly · copy, 95 % from The Agency · credits The Agency",
        "     05:40 · المرسى · a report of its own · T",
        "",
      ].join("\n"),
    );
  });

  test("a chain is waited for until it has its links and a report, and taken as it is after a time", async () => {
    const { signal } = new AbortController();
    let asked = 0;
    const client: Pick<DemoClient, "chain"> = {
      chain: async () => (++asked < 3 ? { ...chain, reports: [] } : chain),
    };
    expect((await untilChained(client, 1, { links: 2, signal, everyMs: 0 })).reports.length).toBe(1);
    expect(asked).toBe(3);
    expect((await untilChained(client, 1, { links: 9, signal, everyMs: 0, timeoutMs: 0 })).links.length).toBe(2);
  });
});
