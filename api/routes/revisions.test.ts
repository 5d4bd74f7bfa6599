import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, item, SENTENCE, type TestApi, TOKEN, testApi } from "../testing.ts";

let api: TestApi;
beforeAll(async () => {
  api = await testApi({ API_PUBLIC_KEYS: "reader" });
}, 300_000);
afterAll(() => api.close());

const INGEST = { authorization: `Bearer ${TOKEN}` };
const READER = { "x-api-key": "reader" };
const list = (path: string | number, headers: Record<string, string> = READER) =>
  api.app.request(`/v1/articles/${path}`, { headers });
const report = (body: unknown, headers: Record<string, string> = INGEST) =>
  api.app.request("/v1/ingest/revisions", {
    method: "POST",
    body: JSON.stringify(body),
    headers: { "content-type": "application/json", ...headers },
  });

const NEWS = `${SENTENCE.repeat(6)}أعلن الوزير عن ثلاثة قتلى.`;
const CORRECTED = `${SENTENCE.repeat(6)}أعلن الوزير عن خمسة قتلى.`;

/** Submits an article and returns it with its number. */
async function submitted(over: Record<string, unknown> = {}) {
  const article = item({
    external_id: crypto.randomUUID(),
    content: `${NEWS} رقم الخبر ${crypto.randomUUID()}.`,
    ...over,
  });
  const { results } = Object(await bodyOf(await api.post(article)));
  return { id: Number(results[0].article_id), article };
}

describe("a corrected article", () => {
  test("stays 409 at the ingest route; reported, it is kept beside the stored one with what differs", async () => {
    const { id, article } = await submitted();
    const content = String(article.content).replace(NEWS, CORRECTED);
    const corrected = { ...article, title: "خبر مصحح", content };
    const before = await api.snapshot();
    expect((await api.post({ articles: [corrected, item({ external_id: crypto.randomUUID() })] })).status).toBe(409);
    expect(await api.snapshot()).toEqual(before);

    const response = await report(corrected, { ...INGEST, "x-request-id": "desk-7" });
    expect(response.status).toBe(200);
    expect(await bodyOf(response)).toEqual({
      schema: "revisions.v1",
      summary: { request_id: expect.any(String), received: 1, recorded: 1, known: 0, failed: 0 },
      results: [{ external_id: article.external_id, status: "recorded", article_id: id, revision: 2 }],
    });
    const reporter = { source_id: "s-1", external_id: article.external_id };
    expect(await bodyOf(await list(`${id}/revisions`))).toEqual({
      article_id: id,
      doc_id: expect.any(String),
      gone_at: null,
      sources: [{ ...reporter, url: article.url, revision: 2, gone_at: null }],
      revisions: [
        {
          revision: 2,
          kind: "changed",
          at: expect.stringMatching(/^\d{4}-.*Z$/),
          title: "خبر مصحح",
          content,
          content_hash: expect.stringMatching(/^[0-9a-f]{64}$/),
          url: article.url,
          reported_by: { ...reporter, request_id: "desk-7" },
          difference: {
            title: { before: article.title, after: "خبر مصحح" },
            sentences: [
              { change: "removed", text: "أعلن الوزير عن ثلاثة قتلى." },
              { change: "added", text: "أعلن الوزير عن خمسة قتلى." },
            ],
            unchanged: 7,
          },
        },
        expect.objectContaining({ revision: 1, kind: "stored", content: article.content, difference: null }),
      ],
      next_cursor: null,
    });
    expect(await bodyOf(await list(id))).toMatchObject({
      title: article.title,
      content: article.content,
      gone_at: null,
    });
  });

  test("goes out as an event with what the source says now", async () => {
    const { id, article } = await submitted();
    await report({ ...article, content: CORRECTED });
    const events = await api.store.outbox.claim("test", { owner: "o", leaseS: 3_600, limit: 1000 });
    expect(events.filter(({ articleId }) => articleId === id)).toMatchObject([
      {
        type: "article.revised",
        article: { article_id: id, title: article.title },
        data: { revision: { revision: 2, kind: "changed", reported_by: { source_id: "s-1" } } },
      },
    ]);
  });

  test("reported twice, it is known; the batch answers for each report on its own", async () => {
    const [one, two] = [await submitted(), await submitted()];
    const changed = { ...one.article, content: `${CORRECTED} 1` };
    const gone = { kind: "deleted_at_source", source_id: "s-1", external_id: two.article.external_id };
    const short = { ...one.article, content: "short" };
    const unknown = { ...one.article, external_id: "never-seen" };
    const odd = { ...gone, kind: "moved" };
    const answer = Object(await bodyOf(await report({ articles: [changed, gone, changed, short, unknown, odd, 7] })));
    expect(answer.summary).toMatchObject({ received: 7, recorded: 2, known: 1, failed: 4 });
    expect(answer.results.map((result: object) => [Object(result).status, Object(result).error?.type])).toEqual([
      ["recorded", undefined],
      ["recorded", undefined],
      ["known", undefined],
      ["failed", "/errors/content-too-short"],
      ["failed", "/errors/unknown-article"],
      ["failed", "/errors/invalid-field"],
      ["failed", "/errors/invalid-field"],
    ]);
    expect(await bodyOf(await list(two.id))).toMatchObject({
      content: two.article.content,
      gone_at: expect.any(String),
    });
    const { revisions } = Object(await bodyOf(await list(`${two.id}/revisions`)));
    expect(revisions[0]).toMatchObject({ kind: "deleted_at_source", title: null, content: null, difference: null });
    const metrics = await (await api.app.request("/metrics")).text();
    expect(metrics).toMatch(/revision_reports_total\{status="known"\} [1-9]/);
  });
});

describe("GET /v1/articles/{article_id}/revisions", () => {
  test("of an article that nobody corrected is the article; its doc_id will do as well", async () => {
    const { id, article } = await submitted();
    const { doc_id } = Object(await bodyOf(await list(id)));
    const body = await bodyOf(await list(`${doc_id}/revisions`));
    expect(body).toMatchObject({
      article_id: id,
      revisions: [{ revision: 1, title: article.title }],
      next_cursor: null,
    });
  });

  test("goes page by page", async () => {
    const { id, article } = await submitted();
    for (const n of [1, 2, 3]) await report({ ...article, content: `${CORRECTED} ${n}` });
    const numbers: number[] = [];
    let cursor = "";
    for (let pages = 0; pages < 9; pages++) {
      const body = Object(await bodyOf(await list(`${id}/revisions?limit=1${cursor}`)));
      numbers.push(...body.revisions.map(({ revision }: { revision: number }) => revision));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(numbers).toEqual([4, 3, 2, 1]);
  });

  test.each([
    ["9999999/revisions", 404],
    ["nonsense/revisions", 404],
    ["1/revisions?limit=0", 422],
    ["1/revisions?cursor=x", 422],
  ])("%s is %i", async (path, status) => {
    expect((await list(path)).status).toBe(status);
  });

  test("is guarded as articles are, and reporting as submitting is", async () => {
    const { id, article } = await submitted();
    expect((await list(`${id}/revisions`, {})).status).toBe(401);
    const changed = { ...article, content: CORRECTED };
    expect((await report(changed, {})).status).toBe(401);
    expect((await report(changed, { ...INGEST, "x-contract-version": "2" })).status).toBe(400);
    expect((await report({ articles: [] })).status).toBe(422);
    const misspelt = await report({ article: [changed] });
    expect([misspelt.status, Object(await bodyOf(misspelt)).errors]).toEqual([
      422,
      { body: ["must have `articles`, or be one item, with source_id and external_id"] },
    ]);
    expect((await report({ articles: Array.from({ length: 101 }, () => changed) })).status).toBe(413);
    expect((await list(`${id}/revisions`)).status).toBe(200);
    expect(Object(await bodyOf(await list(`${id}/revisions`))).revisions.length).toBe(1);
  });
});

test("both routes are in the OpenAPI document", async () => {
  const { paths, components } = Object(await bodyOf(await api.app.request("/openapi.json")));
  expect(paths["/v1/ingest/revisions"].post.responses["200"]).toBeDefined();
  const { get } = paths["/v1/articles/{article_id}/revisions"];
  expect(get.responses["200"]).toBeDefined();
  const cursor = get.parameters.find(({ name }: { name: string }) => name === "cursor");
  expect(
    ["1", "999999999", "", "0", "1.5", "x"].filter((each) => new RegExp(cursor.schema.pattern).test(each)),
  ).toEqual(["1", "999999999"]);
  expect(Object.keys(components.schemas)).toEqual(
    expect.arrayContaining(["Revisions", "RevisionResponse", "DeletionReport"]),
  );
});
