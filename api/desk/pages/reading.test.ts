import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { listen } from "@isnad/lib/service/http";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { matchCopies, reportOf } from "@isnad/lib/stories";
import { item, TOKEN } from "../../testing.ts";
import { type TestDesk, testDesk } from "../testing/desk.ts";

const HOSTILE = `<script>alert(1)</script><img src=x onerror=alert(2)> \u202eturned\u202c \u2067in\u2069 ${"w".repeat(300)}`;

/** The search service answers with one hit whose every text is hostile, marked as it marks. */
const marked = `&lt;script&gt;alert(1)&lt;/script&gt; <mark>hit</mark> \u202e${"w".repeat(10_000)}`;
let hits: unknown[] = [];
let asked: URL[] = [];
let gate = Promise.resolve();
const answer = async (request: Request): Promise<Response> => {
  const url = new URL(request.url);
  asked.push(url);
  await gate;
  if (url.pathname === "/suggest")
    return Response.json({ suggestions: [{ text: HOSTILE, kind: "title", article_id: 1, count: 1 }] });
  return Response.json({
    ...{ schema: "search.v1", query: "x", mode: "hybrid", total: 47, results: hits },
    facets: {
      source: [
        { value: "s-1", label: HOSTILE, count: 30 },
        { value: "b", count: 17 },
      ],
    },
    histogram: [
      { from: "2026-11-01T00:00:00Z", count: 30 },
      { from: "2026-11-03T00:00:00Z", count: 17 },
    ],
    meta: {
      ...{ query: "x", took_ms: 1, degraded: false, diagnostics: {} },
      corrections: [{ word: "<b>harbuor</b>", read_as: ["harbour"] }],
    },
  });
};

let desk: TestDesk;
let retrieval: Awaited<ReturnType<typeof listen>>;
let id: number;
beforeAll(async () => {
  retrieval = await listen(answer, { host: "127.0.0.1", port: 0 });
  desk = await testDesk({ RETRIEVAL_URL: retrieval.url });
  const content = `The rate of 4 per cent rose to 9. ${HOSTILE} ${"ب".repeat(10_000)} ${"x ".repeat(100)}`;
  const posted = item({
    title: HOSTILE.slice(0, 500),
    content,
    authors: [HOSTILE.slice(0, 250)],
    category: "<b>x</b>",
  });
  const { results } = Object(await (await desk.post({ articles: [posted] })).json());
  id = results[0].article_id;
  const revised = { ...posted, title: `Other ${HOSTILE.slice(0, 400)}`, content: content.replace("9", "8") };
  await fetch(`${desk.site}/v1/ingest/revisions`, {
    method: "POST",
    headers: { authorization: `Bearer ${TOKEN}`, "content-type": "application/json" },
    body: JSON.stringify(revised),
  });
  hits = [
    {
      ...{
        article_id: id,
        doc_id: "d",
        title: HOSTILE,
        snippet: marked,
        url: "https://x.test/",
        source: "s-1",
        lang: null,
      },
      ...{ category: "<b>x</b>", published_at: null, score: 1, bm25_rank: 1, knn_rank: 2, rrf_score: 1 },
      highlights: { title: [marked] },
    },
  ];
}, 300_000);
afterAll(async () => {
  await desk.close();
  await retrieval.stop(0);
});

/** Asserts that a page shows hostile texts as texts, and holds none of what would turn it. */
async function expectHarmless(
  path: string,
  text = "turned",
): Promise<Awaited<ReturnType<TestDesk["page"]>>["document"]> {
  const { response, document } = await desk.page(path);
  expect(response.status).toBe(200);
  expect(document.querySelectorAll("main script, main img, main b, [onerror]")).toHaveLength(0);
  expect(/[\u202a-\u202e\u2066-\u2069]/.test(await response.clone().text())).toBe(false);
  expect(String(document.querySelector("main")?.textContent).includes(text)).toBe(true);
  return document;
}

describe("the reading view", () => {
  test("shows what a source wrote as text, with its direction", async () => {
    const document = await expectHarmless(`/articles/${id}`);
    expect(document.querySelector("header:has(h1)")?.getAttribute("dir")).toBe("ltr");
    expect(document.querySelector(".article-text")?.getAttribute("dir")).toBe("ltr");
    expect(document.querySelector(`a[href="/articles/${id}/revisions"]`)?.textContent).toContain("1 earlier text");
  });

  test("is sent to its headline before what stands beside the article is known", async () => {
    const sql = new Bun.SQL(desk.url, { max: 1 });
    const held = Promise.withResolvers<void>();
    const released = sql.begin(async (tx) => {
      await tx`lock table claims in access exclusive mode`;
      held.resolve();
      await shown.promise;
    });
    const shown = Promise.withResolvers<void>();
    await held.promise;
    const response = await fetch(`${desk.site}/articles/${id}`, { headers: { accept: "text/html" } });
    let html = "";
    for await (const piece of response.body ?? []) {
      html += new TextDecoder().decode(piece);
      if (html.includes("</h1>")) shown.resolve();
    }
    await released;
    await sql.end();
    expect(html).toContain('class="article-text"');
  });

  test("says in the reader's language why a text was not taken, and nothing in another one", async () => {
    await fetch(`${desk.site}/articles/999999`, { headers: { accept: "text/html", "accept-language": "ar" } })
      .then((response) => response.text())
      .then((html) => expect(html).not.toContain("There is no article"));
    const [refused = 0] = await admitItems(desk.store, [testItem()]);
    const sql = new Bun.SQL(desk.url, { max: 1 });
    await sql`update articles set state = 'failed', state_reason = 'unsupported-language' where article_id = ${refused}`;
    await sql.end();
    const { document } = await desk.page(`/articles/${refused}`, { headers: { "accept-language": "ar" } });
    expect(document.querySelector(".notice")?.textContent).toBe("تعذّرت قراءته: ليس بالعربية ولا بالإنجليزية");
  });

  test("shows revisions side by side with the changed sentences", async () => {
    const document = await expectHarmless(`/articles/${id}/revisions`);
    expect(document.querySelector("ins")?.textContent).toContain("Other");
    expect(
      Array.from(document.querySelectorAll("ins"), (each: { textContent: unknown }) => String(each.textContent)).join(),
    ).toContain("rose to 8");
    expect(
      Array.from(document.querySelectorAll("del"), (each: { textContent: unknown }) => String(each.textContent)).join(),
    ).toContain("rose to 9");
  });

  test("calls the first text of a chain alone the first, not another that took from none", async () => {
    const ago = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();
    const passage = (word: string) => Array.from({ length: 60 }, (_, i) => `${word}${i}`).join(" ");
    const contents = [passage("one"), passage("two"), `${passage("one")} ${passage("two")}`];
    const ids = await admitItems(
      desk.store,
      contents.map((content, i) => testItem({ content, sourceId: `chained-${i}`, publishedAt: ago(9 - i) })),
    );
    await desk.store.copies.put(await matchCopies(desk.store, await desk.store.copies.texts(ids)));
    const { document } = await desk.page(`/articles/${ids[2]}`);
    const kinds = Array.from(document.querySelectorAll(".chain .kind"), ({ textContent }) => String(textContent));
    expect(kinds).toEqual(["first here", "a text of its own", "copy"]);
  });

  test("answers an article that is not there with a page", async () => {
    const { response, document } = await desk.page("/articles/999999");
    expect(response.status).toBe(404);
    expect(document.querySelector("h1")?.textContent).toBe("There is nothing here");
  });
});

describe("the page of searches", () => {
  test("shows hits, facets and corrections as texts, and marks what matches", async () => {
    const document = await expectHarmless("/search?q=x", "<script>alert(1)</script>");
    expect(document.querySelector("h2 mark")?.textContent).toBe("hit");
    expect(document.querySelector(".entry .why")?.textContent).toContain("place 1 by word");
    expect(document.querySelector(".notice")?.textContent).toContain("<b>harbuor</b>");
  });

  test("holds its state in the address, and passes on only what it knows", async () => {
    asked = [];
    const { document } = await desk.page("/search?q=x&lang=ar&from=2026-11-01&mode=bm25&offset=20&evil=1&facets=story");
    const query = asked.find(({ pathname }) => pathname === "/search")?.searchParams;
    expect(query?.get("lang")).toBe("ar");
    expect(query?.get("offset")).toBe("20");
    expect(query?.has("evil")).toBe(false);
    expect(query?.get("facets")).toBe("source,category,lang,entity");
    const links = Array.from(document.querySelectorAll("main a"), (each: { getAttribute(name: string): unknown }) =>
      String(each.getAttribute("href")),
    );
    expect(links).toContain("/search?q=x&mode=bm25&lang=ar&from=2026-11-01&source=b");
    expect(links).toContain("/search?q=x&mode=bm25&lang=ar&from=2026-11-01&offset=40");
    expect(links.some((href) => href.startsWith("/search?q=x&mode=bm25&lang=ar&from=2026-11-03&to=2026-11-03"))).toBe(
      true,
    );
  });

  test("sends its head before what is found, which stands in its place", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    gate = promise;
    const response = await fetch(`${desk.site}/search?q=x`, { headers: { accept: "text/html" } });
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    const { value: first = "" } = (await reader?.read()) ?? {};
    expect(first).toContain('id="q"');
    expect(first).not.toContain("</main>");
    resolve();
    let rest = "";
    for (let read = await reader?.read(); read?.done === false; read = await reader?.read()) rest += read.value;
    expect(rest).toMatch(/<mark>hit<\/mark>.*<\/main>.*<\/html>$/s);
    expect(first + rest).not.toContain("<!--later");
  });

  test("says what found nothing, the words or an archive without articles", async () => {
    const before = hits;
    hits = [];
    const told = async (path: string) => String((await desk.page(path)).document.querySelector("main")?.textContent);
    expect(await told("/search?q=none")).toContain("Nothing in the archive fits this");
    expect(await told("/search")).not.toContain("Nothing in the archive fits this");
    expect(await told("/search")).toContain("The archive is empty");
    hits = before;
  });

  test("says in its place which field of a search is wrong, and by which rule", async () => {
    const { response, document } = await desk.page("/search?q=x&from=never&sort=best");
    expect(response.status).toBe(200);
    const rules = Array.from(document.querySelectorAll("[role=alert] li"), ({ textContent }) => String(textContent));
    expect(rules.toSorted()).toEqual([
      expect.stringMatching(/^From: .*ISO 8601/),
      expect.stringMatching(/^Order: .*newest/),
    ]);
    expect(document.querySelector("input[name=q]")?.getAttribute("value")).toBe("x");
  });

  test("suggests plain texts, and exports a file", async () => {
    const suggestions = Object(await (await fetch(`${desk.site}/search/suggest?q=x`)).json());
    expect(suggestions[0].text).not.toMatch(/[\u202a-\u202e]/);
    const file = await fetch(`${desk.site}/search/export?q=x&format=json`);
    expect(file.headers.get("content-disposition")).toContain("attachment");
  });

  test("keeps a search, pauses it and deletes it by forms", async () => {
    const kept = await desk.form("/searches", {
      search: "q=port&lang=ar&evil=1",
      name: HOSTILE.slice(0, 150),
      digest: "daily",
    });
    expect(kept.status).toBe(303);
    const number = /search-(\d+)/.exec(kept.headers.get("location") ?? "")?.[1];
    const document = await expectHarmless("/searches", "<script>alert(1)</script>");
    expect(
      document.querySelector(`#search-${number} a[href="/search?q=port&mode=hybrid&match=all&lang=ar"]`),
    ).not.toBeNull();
    await desk.form(`/searches/${number}`, { act: "pause" });
    expect((await desk.page("/searches")).document.querySelector(`#search-${number}`)?.textContent).toContain("paused");
    const foreign = await desk.form(`/searches/${number}`, { act: "delete" }, { origin: "https://evil.example" });
    expect(foreign.status).toBe(403);
    await desk.form(`/searches/${number}`, { act: "delete" });
    expect((await desk.page("/searches")).document.querySelector(`#search-${number}`)).toBeNull();
  });
});

describe("the front page", () => {
  test("is shown while the search service is away, and says what an empty archive needs", async () => {
    const { response, document } = await desk.page("/");
    expect(response.status).toBe(200);
    expect(document.querySelector("main")?.textContent).toContain("No event has been told");
  });

  test("shows the last stories of an archive that gets no news, each with who told it first", async () => {
    const ago = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString();
    const passage = Array.from({ length: 60 }, (_, i) => `shared${i}`).join(" ");
    const items = ["first", "second"].map((sourceId, i) =>
      testItem({ title: HOSTILE.slice(0, 200), sourceId, publishedAt: ago(40 - i), content: `${passage} part ${i}` }),
    );
    const ids = await admitItems(desk.store, items);
    await desk.store.articles.markNormalized(ids.map((articleId) => ({ articleId, lang: "en", categoryId: null })));
    await desk.store.indexing.commit(
      ids.map((articleId) => ({ articleId, chunks: [] })),
      { modelId: undefined },
    );
    const reports = (await desk.store.stories.texts(ids)).map(reportOf);
    await desk.store.stories.place(reports, { version: 1, weigh: () => [], part: (members) => [[...members]] });
    hits = hits.map((hit) => ({ ...Object(hit), published_at: ago(39) }));
    const document = await expectHarmless("/", "<script>alert(1)</script>");
    expect(document.querySelector("main .notice")?.textContent).toContain("last stories before");
    expect(document.querySelector(".lead-story a")?.getAttribute("href")).toMatch(/^\/stories\/\d+$/);
    expect(document.querySelector(".lead-story")?.textContent).toContain("First told by first");
    const story = String(document.querySelector(".lead-story a")?.getAttribute("href"));
    const page = await expectHarmless(story, "<script>alert(1)</script>");
    const order = Array.from(page.querySelectorAll(".order li a"), ({ textContent }) => String(textContent));
    expect(order).toEqual(["first", "second"]);
    // What the first took from a text that is not of the story makes it no copy there; the second is one of the first.
    const [older = 0] = await admitItems(desk.store, [
      testItem({ content: passage, sourceId: "third", publishedAt: ago(60) }),
    ]);
    await desk.store.copies.put(await matchCopies(desk.store, await desk.store.copies.texts([older, ...ids])));
    const { document: again } = await desk.page(story);
    expect(again.querySelectorAll("li.entry.own")).toHaveLength(1);
    expect(again.querySelector("li.entry.own h3 a")?.getAttribute("href")).toBe(`/articles/${ids[0]}`);
  });
});
