import { afterAll, beforeAll, expect, test } from "bun:test";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { type TestDesk, testDesk } from "../testing/desk.ts";

/** The retrieval service, to which nothing is near. */
let retrieval: ReturnType<typeof Bun.serve>;
let desk: TestDesk;
let claim = 0;
const CONTENT = "The <b>price</b> of bread fell by 5 percent.";
beforeAll(async () => {
  retrieval = Bun.serve({
    port: 0,
    fetch: () =>
      Response.json({
        results: [
          {
            text: "x",
            reviews: [
              {
                ...{ review_id: 9, claim_text: "<script>alert(1)</script>", rating: 1, rating_text: null },
                ...{ publisher: "Checkers", url: "javascript:alert(1)", similarity: 0.97, same: true },
              },
            ],
            claims: [],
          },
        ],
      }),
  });
  desk = await testDesk({ RETRIEVAL_URL: `http://127.0.0.1:${retrieval.port}` });
  const [articleId = 0] = await admitItems(desk.store, [testItem({ content: CONTENT, lang: "en" })]);
  const mention = { start: 0, end: CONTENT.length, score: 0.9, lang: "en", speaker: undefined, claim: { place: 0 } };
  await desk.store.claims.put(
    {
      articles: [{ articleId, mentions: [mention] }],
      claims: [
        { text: CONTENT, lang: "en", terms: ["price"], names: [], vector: new Int8Array(64).fill(1), reviews: [] },
      ],
    },
    { embedder: "test@1", classifier: "check@1", after: Number.MAX_SAFE_INTEGER },
  );
  claim = (await desk.store.claims.list({ sort: "score", limit: 1 }))[0]?.claimId ?? 0;
}, 300_000);
afterAll(async () => {
  await desk.close();
  await retrieval.stop(true);
});

test("claims are listed and narrowed; a wrong date is told on the page", async () => {
  const { document } = await desk.page("/claims?reviewed=false&sort=newest");
  expect(document.querySelector(".entry h3")?.textContent).toBe(CONTENT);
  expect((await desk.page("/claims?reviewed=true")).document.querySelectorAll("li.entry")).toHaveLength(0);
  const wrong = await desk.page("/claims?from=yesterday");
  expect([wrong.response.status, wrong.document.querySelector(".problem")?.textContent]).toEqual([
    422,
    expect.stringContaining("From: must be an ISO 8601"),
  ]);
});

test("a review is previewed, stored and deleted by the forms of its claim", async () => {
  const at = `/claims/${claim}`;
  const { document } = await desk.page(at);
  expect(document.querySelector("h1")?.textContent).toBe(CONTENT);
  // What others wrote is text, and an address that runs a script is none.
  expect(document.querySelectorAll("main script, main b, main a[href^=javascript]")).toHaveLength(0);
  expect(document.querySelector("main")?.textContent).toContain("<script>alert(1)</script>");

  const fields = { publisher: "Harbour Facts", rating: "2", rating_text: "misleading </pre><script>", url: "" };
  const previewed = await (await desk.form(at, { ...fields, do: "preview" })).text();
  expect(previewed).toContain("&quot;@type&quot;: &quot;ClaimReview&quot;");
  expect(previewed).not.toContain("</pre><script>");
  expect(await desk.store.reviews.list({ limit: 9 })).toHaveLength(0);

  const wrong = await desk.form(at, { ...fields, url: "ftp://x", do: "save" });
  const kept = await wrong.text();
  expect([
    wrong.status,
    kept.includes("Harbour Facts"),
    /Address of the review<\/strong>: <bdi[^>]*>must be/.test(kept),
  ]).toEqual([422, true, true]);
  const stored = await desk.form(at, { ...fields, do: "save" });
  expect([stored.status, stored.headers.get("location")]).toEqual([303, `${at}?done=stored`]);
  const [review] = await desk.store.reviews.list({ limit: 9 });
  expect(review).toMatchObject({ claimId: claim, rating: 2, publisher: "Harbour Facts", origin: "desk" });
  await desk.form(at, { do: "remove", review: String(review?.reviewId) });
  expect(await desk.store.reviews.list({ limit: 9 })).toHaveLength(0);
});

test("a text is matched, and a claim that there is not is a page of its own", async () => {
  const matched = await desk.form("/claims/match", { text: "Bread is dearer." });
  expect(await matched.text()).toContain("the same claim");
  expect((await desk.form("/claims/match", { text: "" })).status).toBe(422);
  expect((await desk.page("/claims/99999")).response.status).toBe(404);
});
