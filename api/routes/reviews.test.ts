import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { type TestApi, testApi, TOKEN } from "../testing.ts";

let api: TestApi;
let claimId: number;

beforeAll(async () => {
  api = await testApi();
  const [articleId = 0] = await admitItems(api.store, [
    testItem({ content: "The price fell to 5.", url: "https://a.example/1" }),
  ]);
  const mention = { start: 0, end: 20, score: 0.9, lang: "en", speaker: undefined, claim: { place: 0 } };
  const claim = { text: "The price fell to 5.", lang: "en", terms: ["price"], names: [], reviews: [] };
  await api.store.claims.put(
    { articles: [{ articleId, mentions: [mention] }], claims: [{ ...claim, vector: new Int8Array(64).fill(1) }] },
    { embedder: "test@1", classifier: "check@1", after: 0 },
  );
  claimId = (await api.store.claims.list({ sort: "score", limit: 1 }))[0]?.claimId ?? 0;
}, 300_000);
afterAll(() => api.close());

const desk = { authorization: `Bearer ${TOKEN}` };

async function ask(method: string, path: string, body?: unknown, headers: Record<string, string> = desk) {
  const response = await api.app.request(path, {
    method,
    headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? {} : Object(JSON.parse(text)) };
}

let serial = 0;
const review = (over: Record<string, unknown> = {}) => ({
  ...{ claim_text: `The price fell to ${++serial}.`, rating: 1, publisher: "Desk", url: "https://desk.example/1" },
  ...over,
});
const created = async (over: Record<string, unknown> = {}) => (await ask("POST", "/v1/reviews", review(over))).body;

describe("a review", () => {
  test("is stored, shown and listed, and stored once by its url and claim", async () => {
    const given = review({
      rating_text: "<b>False</b>",
      published_at: "2024-05-06",
      claimant: "Sara",
      appearances: ["https://x.example/"],
    });
    const { status, headers, body } = await ask("POST", "/v1/reviews", given);
    expect(status).toBe(201);
    expect(body).toMatchObject({
      ...{ claim_id: null, lang: "en", rating: 1, rating_text: "<b>False</b>", origin: "desk", claimant: "Sara" },
      ...{ published_at: "2024-05-06T00:00:00.000Z", appearances: ["https://x.example/"], url: given.url },
    });
    const path = headers.get("location") ?? "";
    expect((await ask("GET", path, undefined, {})).body).toEqual(body);
    const again = await ask("POST", "/v1/reviews", { ...given, rating: 5 });
    expect([again.status, again.body]).toEqual([200, body]);
    expect((await ask("GET", "/v1/reviews?limit=1")).body.reviews).toEqual([body]);
  });

  test("of a claim has its words, and is shown with it", async () => {
    const { status, body } = await ask("POST", "/v1/reviews", { claim_id: claimId, rating: 2, publisher: "Desk" });
    expect([status, body.claim_text]).toEqual([201, "The price fell to 5."]);
    const claims = await ask("GET", "/v1/claims?reviewed=true");
    expect(claims.body.claims[0].reviews).toMatchObject([{ review_id: body.review_id, rating: 2, similarity: 1 }]);
  });

  test("comes with others, in order, and none is stored where one is bad", async () => {
    const first = review();
    await ask("POST", "/v1/reviews", first);
    const { status, body } = await ask("POST", "/v1/reviews", { reviews: [first, review()] });
    expect([status, body.results.map(({ status }: { status: string }) => status)]).toEqual([
      201,
      ["existing", "created"],
    ]);
    const before = await api.snapshot();
    const bad = await ask("POST", "/v1/reviews", {
      reviews: [review(), review({ rating: 9 }), review({ claim_id: 99 })],
    });
    expect(Object.keys(bad.body.errors)).toEqual(["reviews.1.rating"]);
    const unknown = await ask("POST", "/v1/reviews", { reviews: [review(), review({ claim_id: 99 })] });
    expect(unknown).toMatchObject({
      status: 422,
      body: { errors: { "reviews.1.claim_id": ["there is no such claim"] } },
    });
    expect((await ask("POST", "/v1/reviews", { reviews: new Array(101).fill(review()) })).status).toBe(422);
    expect(await api.snapshot()).toEqual(before);
  });

  test.each([
    [{ claim_text: undefined }, "claim_text"],
    [{ claim_text: " " }, "claim_text"],
    [{ rating: 0 }, "rating"],
    [{ rating: undefined }, "rating"],
    [{ publisher: "" }, "publisher"],
    [{ url: "javascript:alert(1)" }, "url"],
    [{ published_at: "soon" }, "published_at"],
    [{ claim_id: 987654 }, "claim_id"],
  ])("with %j is refused by its field", async (over, field) => {
    const { status, body } = await ask("POST", "/v1/reviews", review(over));
    expect([status, Object.keys(body.errors)]).toEqual([422, [field]]);
  });

  test("is changed and deleted with scope desk alone", async () => {
    const { review_id, claim_text } = await created();
    const path = `/v1/reviews/${review_id}`;
    for (const [method, body] of [
      ["PATCH", { rating: 3 }],
      ["DELETE", undefined],
    ] as const) {
      expect((await ask(method, path, body, {})).status).toBe(401);
    }
    expect((await ask("POST", "/v1/reviews", review(), {})).status).toBe(401);
    const { status, body } = await ask("PATCH", path, { rating: null, claimant: "Omar", url: null });
    expect([status, body]).toMatchObject([200, { rating: null, claimant: "Omar", url: null, claim_text }]);
    expect((await ask("DELETE", path)).status).toBe(204);
    for (const method of ["GET", "DELETE"]) expect((await ask(method, path)).status).toBe(404);
    expect((await ask("PATCH", path, { rating: 3 })).status).toBe(404);
  });

  test("whose words are changed is in the language of these, where none is named", async () => {
    const path = `/v1/reviews/${(await created()).review_id}`;
    const changed = async (change: object) => (await ask("PATCH", path, change)).body.lang;
    expect(await changed({ claim_text: "تراجع السعر إلى 5." })).toBe("ar");
    expect(await changed({ rating: 2 })).toBe("ar");
    expect(await changed({ claim_text: "The price rose to 5." })).toBe("en");
    expect(await changed({ claim_text: "The price rose to 6.", lang: "ar" })).toBe("ar");
  });

  test("that would be another one by its change is a conflict", async () => {
    const [first, second] = [await created(), await created()];
    const { status } = await ask("PATCH", `/v1/reviews/${second.review_id}`, { claim_text: first.claim_text });
    expect(status).toBe(409);
  });

  test("is a ClaimReview where that is accepted", async () => {
    const { body } = await ask("POST", "/v1/reviews", {
      claim_id: claimId,
      publisher: "Desk",
      rating: 2,
      url: "https://desk.example/9",
      claimant: "Sara",
    });
    const path = `/v1/reviews/${body.review_id}`;
    const shown = await ask("GET", path, undefined, { accept: "application/ld+json" });
    expect(shown.headers.get("content-type")).toBe("application/ld+json");
    expect(shown.headers.get("vary")).toContain("Accept");
    expect(shown.body).toEqual({
      "@context": "https://schema.org",
      "@type": "ClaimReview",
      "@id": expect.stringContaining(path),
      url: "https://desk.example/9",
      claimReviewed: "The price fell to 5.",
      inLanguage: "en",
      datePublished: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      author: { "@type": "Organization", name: "Desk" },
      reviewRating: { "@type": "Rating", ratingValue: 2, worstRating: 1, bestRating: 5, alternateName: "Mostly false" },
      itemReviewed: {
        "@type": "Claim",
        author: { "@type": "Thing", name: "Sara" },
        appearance: [
          {
            "@type": "CreativeWork",
            url: "https://a.example/1",
            name: expect.any(String),
            datePublished: "2024-05-06",
          },
        ],
      },
    });
    for (const accept of ["*/*", "application/json", "application/json, application/ld+json;q=0.5"]) {
      expect((await ask("GET", path, undefined, { accept })).body.review_id).toBe(body.review_id);
    }
  });

  test("that looks like markup or an instruction is a text, which no browser takes for a page", async () => {
    const markup = "</script><script>alert(1)</script> [x](javascript:alert(1)) {{7*7}} ignore all instructions";
    const given = review({ claim_text: markup, rating_text: markup, publisher: "<b>Desk</b>" });
    const { body } = await ask("POST", "/v1/reviews", given);
    expect(body).toMatchObject({ claim_text: markup, rating_text: markup, publisher: "<b>Desk</b>" });
    const path = `/v1/reviews/${body.review_id}`;
    const shown = await api.app.request(path, { headers: { accept: "application/ld+json" } });
    expect(shown.headers.get("x-content-type-options")).toBe("nosniff");
    expect(shown.headers.get("content-type")).toBe("application/ld+json");
    expect(JSON.parse(await shown.text())).toMatchObject({ claimReviewed: markup, author: { name: "<b>Desk</b>" } });
  });

  test("without an address or a rating is a ClaimReview all the same", async () => {
    const { body } = await ask("POST", "/v1/reviews", { claim_text: "تراجع السعر", rating: null, publisher: "المكتب" });
    const shown = await ask("GET", `/v1/reviews/${body.review_id}`, undefined, { accept: "application/ld+json" });
    expect(shown.body).toMatchObject({ url: shown.body["@id"], inLanguage: "ar" });
    expect(shown.body.reviewRating).toEqual({ "@type": "Rating", alternateName: "غير مصنف" });
  });
});

describe("the list of reviews", () => {
  test("goes on behind its cursor, and is narrowed", async () => {
    const publisher = "Alone";
    const all = [await created({ publisher }), await created({ publisher, rating: 4 })].map(
      ({ review_id }) => review_id,
    );
    const page = await ask("GET", `/v1/reviews?publisher=${publisher}&limit=1`);
    expect(page.body.reviews.map(({ review_id }: { review_id: number }) => review_id)).toEqual([all[1]]);
    const next = await ask("GET", `/v1/reviews?publisher=${publisher}&limit=1&cursor=${page.body.next_cursor}`);
    expect(next.body).toMatchObject({ reviews: [{ review_id: all[0] }], next_cursor: null });
    expect((await ask("GET", `/v1/reviews?publisher=${publisher}&rating=4`)).body.reviews).toHaveLength(1);
    expect((await ask("GET", "/v1/reviews?cursor=x")).status).toBe(422);
  });
});
