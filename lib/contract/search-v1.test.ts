import { describe, expect, test } from "bun:test";
import { createRoute } from "../service/http/mod.ts";
import { testService } from "../service/http/testing.ts";
import { SearchBody, SearchParams } from "./search-v1.ts";

function search() {
  const { app } = testService();
  const route = createRoute({
    method: "get",
    path: "/search",
    request: { query: SearchParams },
    responses: { 200: { description: "Found.", content: { "application/json": { schema: SearchBody } } } },
  });
  app.openapi(route, (c): never => {
    throw Object.assign(new Error("params"), { params: c.req.valid("query") });
  });
  let params: unknown;
  app.onError((error, c) => {
    if ("params" in error) params = error.params;
    return c.json("errors" in error ? error.errors : {}, "params" in error ? 200 : 422);
  });
  return async (query: string) => {
    const res = await app.request(`/search?${query}`);
    return res.status === 200 ? params : await res.json();
  };
}

describe("the parameters of a search", () => {
  test("have defaults", async () => {
    expect(await search()("q=x")).toEqual({
      q: "x",
      mode: "hybrid",
      match: "any",
      offset: 0,
      facet_limit: 20,
      tz: "UTC",
      typos: "auto",
      prefix: false,
      k_rrf: 60,
      rerank: false,
    });
  });

  test("become numbers and times", async () => {
    const query = "q=%D8%AE%D8%A8%D8%B1&mode=bm25&limit=100&offset=900&source_tier=2&k_rrf=1&lang=ar";
    expect(await search()(`${query}&from=2024-01-01&to=2024-01-31&domain=a.test&category=sport&source=s`)).toEqual({
      q: "خبر",
      mode: "bm25",
      match: "any",
      limit: 100,
      offset: 900,
      facet_limit: 20,
      tz: "UTC",
      lang: "ar",
      source: "s",
      category: "sport",
      domain: "a.test",
      source_tier: 2,
      from: Date.parse("2024-01-01T00:00:00Z"),
      to: Date.parse("2024-01-31T23:59:59.999Z"),
      typos: "auto",
      prefix: false,
      k_rrf: 1,
      rerank: false,
    });
    expect(await search()("q=x&fusion=score&rerank=true")).toMatchObject({ fusion: "score", rerank: true });
    expect(await search()("q=x&typos=off&prefix=true")).toMatchObject({ typos: "off", prefix: true });
    expect(await search()("q=x&rerank=1")).toMatchObject({ rerank: true });
    expect(await search()("facets=source,lang,%20source&tz=Asia/Beirut")).toMatchObject({
      facets: ["source", "lang"],
      tz: "Asia/Beirut",
    });
    expect(await search()("sort=oldest&match=all&format=csv")).not.toHaveProperty("q");
  });

  test("take a host in any spelling", async () => {
    for (const domain of ["موقع.وزارة-الاتصالات.مصر", "XN--4GBRIM.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c."]) {
      const params = await search()(`q=x&domain=${encodeURIComponent(domain)}`);
      expect(params).toMatchObject({ domain: "xn--4gbrim.xn----ymcbaaajlc6dj7bxne2c.xn--wgbh1c" });
    }
  });

  test("name each wrong one", async () => {
    const wrong: Record<string, string> = {
      "q=": "q",
      [`q=${"x".repeat(513)}`]: "q",
      "q=x&mode=fuzzy": "mode",
      "q=x&limit=0": "limit",
      "q=x&limit=101": "limit",
      "q=x&limit=1e1": "limit",
      "q=x&limit=-1": "limit",
      "q=x&limit=ten": "limit",
      "q=x&limit=": "limit",
      "q=x&offset=1001": "offset",
      "q=x&lang=fr": "lang",
      "q=x&source_tier=4": "source_tier",
      "q=x&from=yesterday": "from",
      "q=x&to=2024-02-30": "to",
      "q=x&k_rrf=0": "k_rrf",
      "q=x&fusion=mean": "fusion",
      "q=x&rerank=yes": "rerank",
      "q=x&domain=": "domain",
      "q=x&domain=a%20b": "domain",
      "q=x&domain=http://a.test/": "domain",
      "q=x&q=y": "q",
      "q=x&sort=best": "sort",
      "sort=relevance": "sort",
      "q=x&match=some": "match",
      "q=x&facets=colour": "facets",
      "q=x&facets=": "facets",
      "q=x&story=abc": "story",
      "q=x&facet_limit=101": "facet_limit",
      "q=x&facet_limit=0": "facet_limit",
      "q=x&histogram=year": "histogram",
      "q=x&tz=Mars/Phobos": "tz",
      "q=x&tz=%2B03:00": "tz",
      "q=x&format=xml": "format",
      "q=x&format=csv&facets=lang": "facets",
      "q=x&format=atom&histogram=day": "histogram",
      "q=x&group=source": "group",
      "q=x&cursor=": "cursor",
      [`q=x&cursor=${"x".repeat(4_097)}`]: "cursor",
      "q=x&cursor=abc&offset=10": "offset",
      "rerank=true": "rerank",
      "q=x&rerank=true&sort=newest": "rerank",
      "q=x&limit=100&offset=901": "body",
      "q=x&from=2024-02-02&to=2024-02-01": "body",
    };
    const ask = search();
    for (const [query, field] of Object.entries(wrong)) expect(Object.keys(Object(await ask(query)))).toEqual([field]);
  });

  test("count code points", async () => {
    const ask = search();
    expect(await ask(`q=${encodeURIComponent("😀".repeat(512))}`)).toMatchObject({ offset: 0 });
    expect(await ask(`q=${encodeURIComponent("😀".repeat(513))}`)).toEqual({ q: ["must have 1 to 512 characters"] });
  });

  test("are documented with their bounds", async () => {
    const { app } = testService();
    app.openAPIRegistry.registerPath({ method: "get", path: "/s", request: { query: SearchParams }, responses: {} });
    const doc: unknown = await (await app.request("/openapi.json")).json();
    const params = JSON.stringify(Object(doc).paths["/s"].get.parameters);
    expect(params).toContain(
      '{"schema":{"type":"integer","minimum":1,"maximum":100,"description":"10 where missing; 50 in feeds; all in jsonl and csv."},"required":false,"description":"10 where missing; 50 in feeds; all in jsonl and csv.","name":"limit","in":"query"}',
    );
    expect(params).toContain('"maxLength":512');
    expect(params).toContain('"format":"date-time"');
  });
});
