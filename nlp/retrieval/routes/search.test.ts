import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { SearchBody } from "@isnad/lib/contract";
import { nameKey } from "@isnad/lib/text";
import { type TestRetrieval, testRetrieval } from "../testing.ts";
import { csvLine } from "./search.ts";

const filler = "The council met on the first floor and nobody raised a hand. ".repeat(4);
let service: TestRetrieval;

beforeAll(async () => {
  service = await testRetrieval([
    { title: "Harbour reopens", content: `Fishing boats left at dawn. ${filler}`, axis: 1, categoryId: "economy" },
    {
      title: "ميناء المدينة",
      content: `عادت المراكب إلى مراكش <b>. ${filler}`,
      axis: 1,
      lang: "ar",
      sourceId: "other",
    },
    { title: "Football final", content: `The harbour club won. ${filler}`, axis: 2, domain: "sport.news.example" },
    { title: "Weather", content: `Rain by evening. ${filler}`, axis: 3, publishedAt: "2023-01-31T12:00:00.000Z" },
  ]);
});
afterAll(() => service.close());

const found = async (query: string) => {
  const { status, body } = await service.get(`/search?${query}`);
  expect(status).toBe(200);
  return SearchBody.parse(body);
};
const ids = (body: SearchBody) => body.results.map((result) => service.ids.indexOf(result.article_id));

describe("GET /search", () => {
  test("bm25 finds words, with ranks, highlights and no vector rank", async () => {
    const body = await found("q=harbour&mode=bm25");
    expect(ids(body).toSorted()).toEqual([0, 2]);
    expect(body.total).toBe(2);
    const [first] = body.results;
    expect(first).toMatchObject({ bm25_rank: 1, knn_rank: null, rrf_score: 1 / 61 });
    expect(JSON.stringify(first?.highlights).toLowerCase()).toContain("<mark>harbour</mark>");
  });

  test("vector finds meaning without a word in common", async () => {
    const body = await found("q=axis:1&mode=vector");
    expect(ids(body)).toEqual([0, 1]);
    expect(body.results[0]).toMatchObject({ bm25_rank: null, knn_rank: 1, score: 1 });
    expect(body.results[0]?.snippet).not.toBe("");
  });

  test("hybrid fuses both, and pages fit together", async () => {
    const whole = await found("q=axis:1%20harbour");
    expect(ids(whole)[0]).toBe(0);
    expect(whole.results[0]?.rrf_score).toBeGreaterThan(1 / 61);
    const pages = await Promise.all([0, 1, 2].map((offset) => found(`q=axis:1%20harbour&limit=1&offset=${offset}`)));
    expect(pages.flatMap(ids)).toEqual(ids(whole));
    expect(pages.every((page) => page.total === whole.total)).toBe(true);
  });

  test("`total` is one number for all pages, in every mode", async () => {
    const many = await testRetrieval(
      Array.from({ length: 215 }, (_, i) => ({
        title: `Harbour ${i}`,
        content: `Boat ${i}. ${filler}`,
        axis: i % 43 ? 1 : 2,
      })),
    );
    for (const [mode, total] of [
      ["vector", 210],
      ["bm25", 215],
      ["hybrid", 215],
    ]) {
      const pages = [0, 10, 195, 200, 205, 300, 900].map(
        (offset) => `q=axis:1%20harbour&mode=${mode}&offset=${offset}`,
      );
      for (const page of pages) expect([page, (await many.get(`/search?${page}`)).body.total]).toEqual([page, total]);
    }
    const filtered = await many.get("/search?q=axis:1&mode=vector&offset=195&domain=other.example");
    expect(filtered.body.total).toBe(0);
    await many.close();
  });

  test("by scores, the combined score orders and is `score`; the ranks and their score stay", async () => {
    const [ranks, scores] = await Promise.all(["rrf", "score"].map((by) => found(`q=axis:1%20harbour&fusion=${by}`)));
    const list = scores?.results.map(({ score }) => score) ?? [];
    expect(list).toEqual(list.toSorted((a, b) => b - a));
    for (const result of scores?.results ?? []) {
      const same = ranks?.results.find(({ article_id }) => article_id === result.article_id);
      expect(result).toMatchObject({ ...same, score: expect.any(Number) });
      expect(result.score).not.toBe(result.rrf_score);
      expect(same?.score).toBe(result.rrf_score);
    }
    expect(scores?.total).toBe(ranks?.total ?? 0);
    expect(scores?.meta.diagnostics.rrf_mode).toBe("score");
  });

  test("a rerank without a reranker is 503 that says what to do", async () => {
    const { status, body } = await service.get("/search?q=harbour&rerank=true");
    expect([status, body.type]).toEqual([503, "/errors/model-not-installed"]);
    expect((await service.get("/search?q=harbour&rerank=false")).status).toBe(200);
  });

  test("finds a host in any spelling", async () => {
    for (const domain of ["Sport.NEWS.example", "sport.news.example.", "ｓport.news.example"]) {
      expect(ids(await found(`q=axis:2&mode=vector&domain=${encodeURIComponent(domain)}`))).toEqual([2]);
      expect(ids(await found(`q=harbour&mode=bm25&domain=${encodeURIComponent(domain)}`))).toEqual([2]);
    }
  });

  test("escapes the text of articles in what it marks", async () => {
    const body = await found(`q=${encodeURIComponent("مراكش")}&mode=bm25`);
    expect(ids(body)).toEqual([1]);
    expect(JSON.stringify(body.results[0]?.highlights)).toContain("&lt;b&gt;");
  });

  test("filters hold for both branches", async () => {
    const both = (filter: string) => found(`q=axis:1%20axis:2%20harbour&${filter}`).then(ids);
    expect(await both("source=other")).toEqual([1]);
    expect(await both("category=economy")).toEqual([0]);
    expect(await both("lang=ar")).toEqual([1]);
    expect(await both("domain=sport.news.example")).toEqual([2]);
    expect(await found("q=rain&from=2023-01-31&to=2023-01-31").then(ids)).toEqual([3]);
    expect(await found("q=rain&from=2023-02-01").then(ids)).toEqual([]);
  });

  test("an entity, by number or by name in any spelling, narrows both branches to the articles that name it", async () => {
    const named = (name: string, key: string) => ({ name, key, type: "LOC", mentions: 1, confidence: 1, spans: [] });
    const [first = 0, , third = 0] = service.ids;
    await service.store.entities.put(
      [
        { articleId: first, entities: [named("المملكة السعودية", nameKey("المملكة السعودية"))] },
        { articleId: third, entities: [named("المملكة السعودية", nameKey("المملكة السعودية")), named("2019", "2019")] },
      ],
      { modelId: "test@1" },
    );
    const by = (entity: string, mode = "hybrid") =>
      found(`q=axis:1%20axis:2%20harbour&mode=${mode}&entity=${encodeURIComponent(entity)}`);
    for (const mode of ["hybrid", "bm25"]) expect(ids(await by("مملكه السعوديه", mode)).toSorted()).toEqual([0, 2]);
    const vector = await found(`q=axis:1&mode=vector&entity=${encodeURIComponent("المملكة السعودية")}`);
    expect([ids(vector), vector.total]).toEqual([[0], 1]);
    const { entities } = (await service.store.articles.get(first)) ?? { entities: [] };
    expect(ids(await by(String(entities[0]?.entityId), "bm25")).toSorted()).toEqual([0, 2]);
    expect(ids(await by("2019"))).toEqual([2]);
    for (const nobody of ["nobody", "999999", "9".repeat(20), "…"]) expect((await by(nobody)).total).toBe(0);
    expect((await service.get("/search?q=x&entity=")).status).toBe(422);
    expect((await service.get("/search?q=x&entity=%00")).status).toBe(422);
  });

  test("when the vector branch is away, hybrid serves keyword results and says so; vector answers 503", async () => {
    service.breakVectors(true);
    try {
      const body = await found("q=axis:1%20harbour");
      expect(body.meta.degraded).toBe(true);
      expect(body.meta.diagnostics.rrf_mode).toBe("bm25");
      expect(ids(body).toSorted()).toEqual([0, 2]);
      const { headers } = await service.app.request("/search?q=harbour");
      expect(headers.get("X-Search-State")).toBe("keyword-only");
      const vector = await service.get("/search?q=harbour&mode=vector");
      expect(vector.status).toBe(503);
      expect(vector.body.type).toBe("/errors/service-unavailable");
      const health = await service.get("/health");
      expect(health).toMatchObject({
        status: 200,
        body: { status: "degraded", version: "0.1", deps: { vectors: "fail" } },
      });
    } finally {
      service.breakVectors(false);
    }
  });

  test("an article that was deleted an instant ago makes room for the next", async () => {
    const extra = await testRetrieval([
      { title: "Bridge one", content: filler, axis: 1 },
      { title: "Bridge two", content: `${filler} again`, axis: 1 },
    ]);
    await extra.store.articles.remove(extra.ids[0] ?? 0);
    const { body } = await extra.get("/search?q=bridge&limit=1");
    const [only] = SearchBody.parse(body).results;
    expect(only?.article_id).toBe(extra.ids[1]);
    await extra.close();
  });

  test.each(["bm25", "hybrid"])(
    "a typing error is read as the word that was meant, named, and marked in what is found (%s)",
    async (mode) => {
      const body = await found(`q=harbuor&mode=${mode}`);
      expect(body.meta.corrections).toEqual([{ word: "harbuor", read_as: ["harbour"] }]);
      expect(ids(body).toSorted()).toEqual([0, 2]);
      expect(JSON.stringify(body.results.map(({ highlights }) => highlights))).toMatch(/<mark>harbour<\/mark>/i);
      expect(await found(`q=harbuor&mode=${mode}&typos=off`)).toMatchObject({ total: 0, meta: { corrections: [] } });
    },
  );

  test("a last word that is only begun stands for all words that begin with it, which are marked", async () => {
    const body = await found("q=footb&mode=bm25&prefix=true");
    expect(ids(body)).toEqual([2]);
    expect(body.results[0]?.highlights.title).toEqual(["<mark>Football</mark> final"]);
    expect((await found("q=footb&mode=bm25")).total).toBe(0);
  });

  test.each(["bm25", "vector", "hybrid"])("a query without meaning has no hits (%s)", async (mode) => {
    expect(await found(`q=zzzqqqxx&mode=${mode}`)).toMatchObject({ total: 0, results: [] });
  });

  test("no hit is an empty list", async () => {
    expect(await found("q=zzzz")).toMatchObject({
      total: 0,
      results: [],
      meta: { degraded: false, taxonomy_version: "test.1" },
    });
  });

  test("a wrong parameter is 422 and named", async () => {
    const { status, body } = await service.get("/search?q=x&mode=fuzzy");
    expect(status).toBe(422);
    expect(Object.keys(Object(body.errors))).toEqual(["mode"]);
  });

  test("the metrics carry the names that operators know", async () => {
    await found("q=harbour");
    const text = await (await service.app.request("/metrics")).text();
    expect(text).toMatch(/inference_requests_total\{route="\/search",method="GET",code="200"\} [1-9]/);
    expect(text).toContain('inference_request_duration_seconds_count{route="/search"}');
    expect(text).toMatch(/inference_retrieval_rrf_ms_count [1-9]/);
  });
});

test("texts with separators, quotes and line ends are quoted, numbers and missing values are not", () => {
  expect(csvLine(["a", 'b "c"', "d,e", "f\ng", null, 1.5, -2])).toBe('a,"b ""c""","d,e","f\ng",,1.5,-2\r\n');
});

test("no text begins a formula", () => {
  const formulas = ["=cmd|' /C calc'!A0", "+1", "-1+1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", "  =1", "＝1", '="a"'];
  for (const formula of formulas) {
    expect(csvLine([formula])).toBe(`"'${formula.replaceAll('"', '""')}"\r\n`);
  }
  expect(csvLine(["a=b", "a-b", "1=1", "ميناء - مدينة"])).toBe("a=b,a-b,1=1,ميناء - مدينة\r\n");
});
