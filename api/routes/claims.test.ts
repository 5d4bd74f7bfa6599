import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { NewMention } from "@isnad/lib/store";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { type TestApi, testApi } from "../testing.ts";

let api: TestApi;
let ids: number[];
let asked: unknown;
const retrieval = Bun.serve({
  port: 0,
  async fetch(request) {
    asked = await request.json();
    return Response.json({ results: [{ text: "It fell", reviews: [], claims: [] }] });
  },
});

beforeAll(async () => {
  api = await testApi({ RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}` });
  const speaker = { name: "سارة", start: 0, end: 4, entityId: 3 };
  for (const [place, content] of ["قالت سارة إن السعر تراجع.", "The price fell to 5."].entries()) {
    const [id = 0] = await admitItems(api.store, [testItem({ content, lang: place === 0 ? "ar" : "en" })]);
    const terms = place === 0 ? ["سعر"] : ["price", "fell"];
    await putClaim(id, content, { lang: place === 0 ? "ar" : "en", terms, speaker: place === 0 ? speaker : undefined });
    ids = [...(ids ?? []), id];
  }
}, 300_000);

/** Stores the first ten characters of an article as a claim of its own. */
async function putClaim(
  articleId: number,
  text: string,
  { lang, terms, speaker }: { lang: string; terms: string[]; speaker?: NewMention["speaker"] | undefined },
) {
  const mention = { start: 0, end: 10, score: lang === "ar" ? 0.5 : 0.75, lang, speaker, claim: { place: 0 } };
  await api.store.claims.put(
    {
      articles: [{ articleId, mentions: [mention] }],
      claims: [{ text, lang, terms, names: [], vector: new Int8Array(64).fill(1), reviews: [] }],
    },
    { embedder: "test@1", classifier: "check@1", after: Number.MAX_SAFE_INTEGER },
  );
}

afterAll(async () => {
  await api.close();
  await retrieval.stop(true);
});

async function get(path: string) {
  const response = await api.app.request(path);
  return { status: response.status, body: Object(await response.json()) };
}

async function match(body: unknown) {
  const init = { method: "POST", body: JSON.stringify(body), headers: { "content-type": "application/json" } };
  const response = await api.app.request("/v1/claims/match", init);
  return { status: response.status, body: Object(await response.json()) };
}

describe("GET /v1/claims", () => {
  test("lists claims, the likeliest first, with where they stand and who said them", async () => {
    const { status, body } = await get("/v1/claims");
    expect(status).toBe(200);
    expect(body.next_cursor).toBeNull();
    expect(body.claims).toMatchObject([
      { text: "The price ", score: 0.75, offsets: { start: 0, end: 10 }, speaker: null, reviews: [] },
      { lang: "ar", speaker: { name: "سارة", entity_id: 3, offsets: { start: 0, end: 4 } } },
    ]);
    expect(body.claims[0]).toMatchObject({
      article: {
        article_id: ids[1],
        source_id: "test-source",
        withdrawn: false,
        published_at: "2024-05-06T07:08:09.000Z",
      },
      repeats: { count: 1, sources: 1, first_at: "2024-05-06T07:08:09.000Z" },
    });
  });

  test("goes through all by its cursor, in every order", async () => {
    for (const sort of ["score", "newest", "repeats"]) {
      const first = (await get(`/v1/claims?limit=1&sort=${sort}`)).body;
      const second = (await get(`/v1/claims?limit=1&sort=${sort}&cursor=${first.next_cursor}`)).body;
      expect(second.next_cursor).toBeNull();
      const seen = [first, second].map(({ claims }) => claims[0].claim_id);
      expect(new Set(seen).size).toBe(2);
      const other = sort === "score" ? "newest" : "score";
      const wrong = await get(`/v1/claims?sort=${other}&cursor=${first.next_cursor}`);
      expect(wrong).toMatchObject({ status: 422, body: { errors: { cursor: [expect.any(String)] } } });
    }
  });

  test("takes words in any form, languages, sources, times and names", async () => {
    const count = async (query: string) => (await get(`/v1/claims?${query}`)).body.claims.length;
    expect(await count("q=prices")).toBe(1);
    expect(await count("q=prices+unheard")).toBe(0);
    expect(await count("q=%3F")).toBe(0);
    expect(await count("lang=ar")).toBe(1);
    expect(await count("source=test-source&from=2024-05-06&to=2024-05-06")).toBe(2);
    expect(await count("source=other")).toBe(0);
    expect(await count("from=2024-05-07")).toBe(0);
    expect(await count("entity=nobody")).toBe(0);
    expect(await count("reviewed=true")).toBe(0);
    expect(await count("reviewed=false")).toBe(2);
  });

  test.each([
    ["sort=best", "sort"],
    ["reviewed=yes", "reviewed"],
    ["lang=fr", "lang"],
    ["limit=0", "limit"],
    ["cursor=abc", "cursor"],
    ["from=2024-05-07&to=2024-05-06", "from"],
    ["sources=a", "sources"],
  ])("refuses %s by its field", async (query, field) => {
    const { status, body } = await get(`/v1/claims?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors).join()).toContain(field === "from" ? "" : field);
  });

  test("of an article are in their order, and unknown articles have none", async () => {
    expect((await get(`/v1/articles/${ids[0]}/claims`)).body).toMatchObject({
      claims: [{ article: { article_id: ids[0] } }],
      next_cursor: null,
    });
    expect((await get("/v1/articles/999999/claims")).status).toBe(404);
    expect((await get("/v1/articles/x/claims")).status).toBe(404);
  });
});

describe("POST /v1/claims/match", () => {
  test("asks the retrieval service", async () => {
    const { status, body } = await match({ text: "It fell", lang: "en" });
    expect([status, asked]).toEqual([200, { text: "It fell", lang: "en", k: 5 }]);
    expect(body.results).toEqual([{ text: "It fell", reviews: [], claims: [] }]);
  });

  test.each([
    [{}],
    [{ text: "a", texts: ["b"] }],
    [{ texts: [] }],
    [{ text: " " }],
    [{ texts: new Array(65).fill("a") }],
    [{ text: "a", k: 21 }],
  ])("refuses %j", async (body) => {
    expect((await match(body)).status).toBe(422);
  });
});

test("a claim is shown with every sentence that makes it; one that there is not is 404", async () => {
  const [listed] = (await get("/v1/claims")).body.claims;
  const { status, body } = await get(`/v1/claims/${listed.claim_id}`);
  expect(status).toBe(200);
  const { mentions, ...claim } = body;
  expect(claim).toEqual(listed);
  expect(mentions).toMatchObject([
    { text: "The price ", offsets: { start: 0, end: 10 }, speaker: null, article: { article_id: ids[1] } },
  ]);
  expect((await get("/v1/claims/999999")).status).toBe(404);
  expect((await get("/v1/claims/x")).status).toBe(404);
});

describe("cursors of claims", () => {
  const byTime = ["9999-12-31T23:59:59.999Z", "1969-07-20T20:17:40.000Z", "0001-01-01T00:00:00.000Z"];
  const list = (cursor: string) => get(`/v1/claims?sort=newest&source=annals&limit=1${cursor}`);

  test("lead through times long before 1970 and far ahead", async () => {
    for (const publishedAt of byTime) {
      const content = `Told at ${publishedAt}.`;
      const [id = 0] = await admitItems(api.store, [testItem({ content, publishedAt, sourceId: "annals" })]);
      await putClaim(id, content, { lang: "en", terms: ["told"] });
    }
    const times: string[] = [];
    for (let cursor = ""; times.length <= byTime.length; ) {
      const { status, body } = await list(cursor);
      expect(status).toBe(200);
      times.push(...body.claims.map(({ article }: { article: { published_at: string } }) => article.published_at));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(times).toEqual(byTime);
  });

  test.each([
    ["newest", "newest~1e30~5"],
    ["newest", "newest~1.5~5"],
    ["newest", "newest~-70000000000000000~5"],
    ["newest", "newest~1000000000000000000~5"],
    ["repeats", "repeats~1.5~5"],
    ["repeats", "repeats~9999999999~5"],
    ["score", "score~10~5"],
    ["score", "score~.5~5"],
    ["score", "score~0.5~0"],
    ["score", "score~0.5~5~5"],
    ["score", "newest~5~5"],
  ])("that no list by %s gives out are refused: %s", async (sort, text) => {
    const cursor = Buffer.from(text).toString("base64url");
    const { status, body } = await get(`/v1/claims?sort=${sort}&cursor=${cursor}`);
    expect([status, body.errors]).toEqual([422, { cursor: ["is not one that this list has given out"] }]);
  });
});
