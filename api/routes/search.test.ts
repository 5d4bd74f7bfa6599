import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

describe("search", () => {
  /** A retrieval service on loopback that answers with what the test puts here. */
  let answer: () => Response | Promise<Response>;
  let asked: { url: URL; requestId: string | null; encoding: string | null }[];
  let retrieval: ReturnType<typeof Bun.serve>;
  let api: TestApi;

  beforeAll(async () => {
    retrieval = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        const { headers } = request;
        const [requestId, encoding] = [headers.get("x-request-id"), headers.get("accept-encoding")];
        asked.push({ url: new URL(request.url), requestId, encoding });
        return answer();
      },
    });
    api = await testApi({ RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}` });
  }, 300_000);
  afterAll(async () => {
    await api.close();
    await retrieval.stop(true);
  });
  beforeEach(() => {
    asked = [];
    answer = () => Response.json(found());
  });

  const found = (meta: Record<string, unknown> = {}) => ({
    schema: "search.v1",
    query: "قطار",
    mode: "hybrid",
    total: 0,
    results: [],
    meta: { took_ms: 1, degraded: false, corrections: [], diagnostics: {}, ...meta },
  });
  const problemOf = (status: number, slug: string, errors?: Record<string, string[]>) => ({
    body: { type: `/errors/${slug}`, title: "T", status, detail: "Said upstream.", instance: "/search", errors },
    status,
    headers: { "content-type": "application/problem+json" },
  });
  const problem = (status: number, slug: string, errors?: Record<string, string[]>) => () => {
    const { body, ...rest } = problemOf(status, slug, errors);
    return Response.json(body, rest);
  };
  const search = (query: string, headers: Record<string, string> = {}) =>
    api.app.request(`/v1/search?${query}`, { headers });
  const metric = async (line: string): Promise<number> => {
    const text = await (await api.app.request("/metrics")).text();
    return Number(
      text
        .split("\n")
        .find((each) => each.startsWith(`${line} `))
        ?.split(" ")
        .at(-1) ?? 0,
    );
  };

  describe("GET /v1/search", () => {
    test("passes the parameters on, and the body back as it came", async () => {
      const body = JSON.stringify({ ...found(), extra: "kept" });
      answer = () => new Response(body);
      const res = await search("q=%D9%82%D8%B7%D8%A7%D8%B1&mode=hybrid&limit=5&source_tier=2&from=2024-01-01");
      expect(res.status).toBe(200);
      expect(res.headers.get("content-type")).toBe("application/json");
      expect(await res.text()).toBe(body);
      expect(asked[0]?.url.pathname).toBe("/search");
      expect(Object.fromEntries(asked[0]?.url.searchParams ?? [])).toEqual({
        q: "قطار",
        mode: "hybrid",
        limit: "5",
        source_tier: "2",
        from: "2024-01-01",
      });
    });

    test("passes a body on as it was compressed for the client, with its tag, and needs it no second time", async () => {
      const text = JSON.stringify({ ...found(), extra: "kept ".repeat(400) });
      const packed = Bun.gzipSync(text);
      answer = () =>
        new Response(packed, {
          headers: { "content-encoding": "gzip", etag: 'W/"a"', vary: "Accept-Encoding", "x-search-state": "whole" },
        });
      const coded = { "accept-encoding": "gzip" };
      const res = await search("q=x", coded);
      expect(new Uint8Array(await res.arrayBuffer())).toEqual(packed);
      expect(asked[0]?.encoding).toBe("gzip");
      expect(res.headers.get("content-encoding")).toBe("gzip");
      expect(res.headers.get("vary")).toBe("Accept, Accept-Encoding");
      expect(res.headers.get("etag")).toBe('W/"a"');
      const again = await search("q=x", { ...coded, "if-none-match": 'W/"a"' });
      expect(again.status).toBe(304);
      expect(await again.text()).toBe("");
    });

    test("reads a complaint that came compressed", async () => {
      const errors = { q: ["long ".repeat(400)] };
      answer = () => {
        const { body, ...rest } = problemOf(422, "validation-error", errors);
        if (asked.at(-1)?.encoding !== "gzip") return Response.json(body, rest);
        return new Response(Bun.gzipSync(JSON.stringify(body)), {
          ...rest,
          headers: { ...rest.headers, "content-encoding": "gzip" },
        });
      };
      const res = await search("q=x", { "accept-encoding": "gzip" });
      expect(res.status).toBe(422);
      expect(asked.map(({ encoding }) => encoding)).toEqual(["gzip", "identity"]);
    });

    test("passes the request id on", async () => {
      const res = await search("q=x", { "x-request-id": "r-42" });
      expect(asked[0]?.requestId ?? "").toBe("r-42");
      expect(res.headers.get("x-request-id")).toBe("r-42");
    });

    test("names wrong parameters without asking anybody", async () => {
      for (const [query, field] of [
        ["q=", "q"],
        ["q=x&limit=101", "limit"],
        ["q=x&mode=fuzzy", "mode"],
        ["q=x&limit=10&offset=991", "body"],
        ["q=x&from=yesterday", "from"],
      ] as const) {
        const res = await search(query);
        expect(res.status).toBe(422);
        expect(await bodyOf(res)).toMatchObject({
          type: "/errors/validation-error",
          instance: "/v1/search",
          errors: { [field]: [expect.any(String)] },
        });
      }
      expect(asked).toEqual([]);
    });

    test("counts a degraded answer, and shows it in the fusion mode", async () => {
      answer = () => Response.json(found({ degraded: true, diagnostics: { rrf_mode: "bm25" } }));
      const before = await metric('search_requests_total{mode="hybrid",outcome="degraded"}');
      expect((await search("q=x")).status).toBe(200);
      expect(await metric('search_requests_total{mode="hybrid",outcome="degraded"}')).toBe(before + 1);
      expect(await metric('inference_rrf_mode{mode="bm25"}')).toBe(1);
      expect(await metric('inference_rrf_mode{mode="rrf"}')).toBe(0);
      answer = () => Response.json(found());
      await search("q=x");
      expect(await metric('inference_rrf_mode{mode="rrf"}')).toBe(1);
    });

    test("how a search went is taken from its header, and the body is not looked into", async () => {
      answer = () => new Response("{…", { headers: { "X-Search-State": "keyword-only" } });
      const before = await metric('search_requests_total{mode="hybrid",outcome="degraded"}');
      const res = await search("q=x");
      expect([res.status, await res.text()]).toEqual([200, "{…"]);
      expect(await metric('search_requests_total{mode="hybrid",outcome="degraded"}')).toBe(before + 1);
      expect(await metric('inference_rrf_mode{mode="bm25"}')).toBe(1);
      answer = () => new Response("{…", { headers: { "X-Search-State": "another" } });
      expect((await search("q=x")).status).toBe(503);
    });

    test("passes on that the vector branch cannot answer", async () => {
      answer = problem(503, "service-unavailable");
      const res = await search("q=x&mode=vector");
      expect(res.status).toBe(503);
      expect(res.headers.has("retry-after")).toBe(true);
      expect(await bodyOf(res)).toMatchObject({
        type: "/errors/service-unavailable",
        detail: "Said upstream.",
        instance: "/v1/search",
      });
      expect(await metric('search_requests_total{mode="vector",outcome="unavailable"}')).toBe(1);
    });

    test("passes a complaint about the request on", async () => {
      answer = problem(422, "validation-error", { category: ["is not known"] });
      const res = await search("q=x&category=nope");
      expect(res.status).toBe(422);
      expect(await bodyOf(res)).toMatchObject({ errors: { category: ["is not known"] }, instance: "/v1/search" });
    });

    test("is 503 when the answer is none", async () => {
      for (const wrong of [
        () => new Response("<html>", { status: 200 }),
        () => new Response("oops", { status: 500 }),
        () => Response.json({ schema: "other" }),
        problem(404, "not-found"),
        problem(422, "no-such-slug"),
      ]) {
        answer = wrong;
        const res = await search("q=x");
        expect(res.status).toBe(503);
        expect(await bodyOf(res)).toMatchObject({ type: "/errors/service-unavailable", instance: "/v1/search" });
      }
    });

    test("needs a public key where there are some", async () => {
      const guarded = await testApi({ API_PUBLIC_KEYS: "k", RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}` });
      expect((await guarded.app.request("/v1/search?q=x")).status).toBe(401);
      expect((await guarded.app.request("/v1/search")).status).toBe(401);
      expect((await guarded.app.request("/v1/search?q=x", { headers: { "x-api-key": "k" } })).status).toBe(200);
      const text = await (await guarded.app.request("/metrics")).text();
      expect(text).toContain('search_requests_total{mode="hybrid",outcome="unauthorized"} 2');
      await guarded.close();
    });
  });

  describe("GET /v1/search in other forms", () => {
    const hit = {
      ...{
        article_id: 7,
        doc_id: "018f0000-0000-7000-8000-000000000000",
        title: 'Ships & "boats"',
        url: "https://a.test/7",
      },
      ...{ snippet: "The <mark>harbour</mark> &amp; its ships", source: "wire", lang: "en", category: null },
      ...{ published_at: null, score: 1, bm25_rank: 1, knn_rank: null, rrf_score: 1, highlights: {} },
    };

    test("rows are passed on as they are made", async () => {
      for (const [query, accept, format, type] of [
        ["q=x&format=csv", undefined, "csv", "text/csv; charset=utf-8"],
        ["q=x", "application/x-ndjson", "jsonl", "application/x-ndjson; charset=utf-8"],
      ] as const) {
        answer = () => new Response("rows");
        const res = await search(query, accept === undefined ? {} : { Accept: accept });
        expect(await res.text()).toBe("rows");
        expect(asked.at(-1)?.url.searchParams.get("format")).toBe(format);
        expect(res.headers.get("content-type")).toBe(type);
        expect(res.headers.get("vary")).toContain("Accept");
        expect(res.headers.get("etag")).toBeNull();
      }
    });

    test("each says how the search went, in a header before its first row", async () => {
      for (const state of ["keyword-only", "whole"]) {
        answer = () => new Response("rows", { headers: { "X-Search-State": state } });
        for (const format of ["csv", "jsonl"]) {
          expect((await search(`q=x&format=${format}`)).headers.get("x-search-state")).toBe(state);
        }
      }
      answer = () => Response.json(found({ degraded: true, diagnostics: { rrf_mode: "rrf" } }));
      for (const format of ["atom", "jsonfeed"]) {
        expect((await search(`q=x&format=${format}`)).headers.get("x-search-state")).toBe("degraded");
      }
      answer = () => Response.json(found());
      expect((await search("q=x")).headers.get("x-search-state")).toBe("whole");
    });

    test("a client that leaves ends what is asked for it", async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      answer = () =>
        new Response(
          new ReadableStream({
            pull: async (controller) => {
              await Bun.sleep(1);
              controller.enqueue(new TextEncoder().encode("row\n"));
            },
            cancel: () => resolve(),
          }),
        );
      const leaving = new AbortController();
      const res = await api.app.request("/v1/search?format=jsonl", { signal: leaving.signal });
      await res.body?.getReader().read();
      leaving.abort();
      await promise;
    });

    test("feeds have 50 articles, plain texts and the time when an article without a date came", async () => {
      answer = () => Response.json({ ...found({ query: "x" }), results: [hit], total: 1 });
      const atom = await search("q=x&format=atom");
      expect(asked[0]?.url.searchParams.get("limit")).toBe("50");
      expect(atom.headers.get("content-type")).toBe("application/atom+xml; charset=utf-8");
      const text = await atom.text();
      expect(text).toContain(`<id>urn:uuid:${hit.doc_id}</id>`);
      expect(text).toContain("The harbour & its ships");
      expect(text).toContain("<updated>2024-04-21T09:32:31.104Z</updated>");
      expect(text).toMatch(/<link href="[^"]*\/v1\/search\?q=x&amp;format=atom" rel="self"/);
      const json = await (await search("limit=3", { Accept: "application/feed+json" })).json();
      expect(json).toMatchObject({
        items: [{ id: `urn:uuid:${hit.doc_id}`, content_text: "The harbour & its ships" }],
      });
      expect(asked.at(-1)?.url.searchParams.get("limit")).toBe("3");
    });

    test("facets and histograms are no part of them", async () => {
      for (const query of ["facets=lang", "histogram=day"]) {
        const res = await search(query, { Accept: "text/csv" });
        expect(res.status).toBe(422);
      }
      expect(asked).toEqual([]);
    });
  });

  describe("GET /v1/articles", () => {
    const list = async (path: string) => {
      const res = await api.app.request(path);
      return { status: res.status, body: await bodyOf(res) };
    };
    const article = {
      ...{ article_id: 7, doc_id: "d", title: "T", snippet: "s", url: "u", source: "wire", lang: null, category: null },
      published_at: null,
    };
    const result = { ...article, score: 0, bm25_rank: null, knn_rank: null, rrf_score: 0, highlights: {} };

    test("lists what the filters leave", async () => {
      answer = () => Response.json({ ...found({ next_cursor: "next" }), results: [result], total: 3 });
      expect(await list("/v1/articles?source=wire&limit=1")).toEqual({
        status: 200,
        body: { articles: [article], total: 3, next_cursor: "next" },
      });
      expect(asked[0]?.url.search).toBe("?source=wire&limit=1");
      expect((await list("/v1/articles?q=x")).body.errors).toHaveProperty("q");
      expect((await list("/v1/articles?from=2024-02-02&to=2024-02-01")).status).toBe(422);
    });

    test("says of the last page that nothing comes behind it", async () => {
      answer = () => Response.json({ ...found({}), results: [], total: 0 });
      expect((await list("/v1/articles")).body).toEqual({ articles: [], total: 0, next_cursor: null });
    });

    test("says which are similar to one, and that there is none", async () => {
      const [id = 0] = await admitItems(api.store, [testItem({})]);
      const [stored] = await api.store.articles.byIds([id], ["docId"]);
      answer = () => Response.json({ article_id: id, results: [{ ...article, score: 0.5 }] });
      for (const name of [id, stored?.docId]) {
        expect(await list(`/v1/articles/${name}/similar?limit=5`)).toEqual({
          status: 200,
          body: { article_id: id, results: [{ ...article, score: 0.5 }] },
        });
        expect(asked.at(-1)?.url.pathname).toBe(`/similar/${id}`);
      }
      expect((await list(`/v1/articles/${id + 1}/similar`)).status).toBe(404);
      expect((await list("/v1/articles/none/similar")).status).toBe(404);
      expect((await list("/v1/articles/7/similar?limit=51")).status).toBe(422);
    });
  });

  describe("without a retrieval service", () => {
    test("search is 503, and everything else goes on", async () => {
      const alone = await testApi({ RETRIEVAL_URL: "http://127.0.0.1:1" });
      const res = await alone.app.request("/v1/search?q=x");
      expect(res.status).toBe(503);
      expect(await bodyOf(res)).toMatchObject({
        type: "/errors/service-unavailable",
        detail: "The search service does not answer.",
      });
      const health = await alone.app.request("/api/v1/health");
      expect(health.status).toBe(200);
      expect(await bodyOf(health)).toMatchObject({ status: "degraded", deps: { database: "ok", retrieval: "fail" } });
      const metrics = await (await alone.app.request("/metrics")).text();
      expect(metrics).toContain('inference_rrf_mode{mode="none"} 1');
      await alone.close();
    });

    test("a restart of it is not noticed", async () => {
      const { port } = retrieval;
      expect((await search("q=x")).status).toBe(200);
      await retrieval.stop(true);
      retrieval = Bun.serve({ hostname: "127.0.0.1", port: port ?? 0, fetch: () => Response.json(found()) });
      expect((await search("q=x")).status).toBe(200);
    });
  });
});

describe("suggest", () => {
  const BODY = JSON.stringify({ suggestions: [{ text: "Harbour", kind: "word", count: 3 }], extra: "kept" });
  let retrieval: ReturnType<typeof Bun.serve>;
  let api: TestApi;
  const asked: URL[] = [];

  beforeAll(async () => {
    retrieval = Bun.serve({
      hostname: "127.0.0.1",
      port: 0,
      fetch: (request) => {
        asked.push(new URL(request.url));
        return new Response(BODY);
      },
    });
    api = await testApi({ RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}`, API_PUBLIC_KEYS: "public" });
  }, 300_000);
  afterAll(async () => {
    await api.close();
    await retrieval.stop(true);
  });

  const suggest = (query: string, headers: Record<string, string> = { "x-api-key": "public" }) =>
    api.app.request(`/v1/suggest?${query}`, { headers });

  test("what was typed is passed on, and the suggestions come back as they are", async () => {
    const res = await suggest("q=harb&limit=5");
    expect([res.status, await res.text()]).toEqual([200, BODY]);
    expect(asked.at(-1)?.pathname).toBe("/suggest");
    expect(Object.fromEntries(asked.at(-1)?.searchParams ?? [])).toEqual({ q: "harb", limit: "5" });
  });

  test("a key is needed where there are some, and bad parameters are named without asking anybody", async () => {
    const before = asked.length;
    expect((await suggest("q=harb", {})).status).toBe(401);
    for (const [query, field] of [
      ["limit=5", "q"],
      ["q=a&limit=50", "limit"],
      ["q=a&size=5", "size"],
    ] as const) {
      const res = await suggest(query);
      expect([query, res.status, Object.keys(Object((await bodyOf(res)).errors))]).toEqual([query, 422, [field]]);
    }
    expect(asked).toHaveLength(before);
  });
});
