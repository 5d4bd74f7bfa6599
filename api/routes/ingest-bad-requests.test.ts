import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { gzipSync } from "node:zlib";
import { bodyOf, item, type TestApi, TOKEN, testApi } from "../testing.ts";

let api: TestApi;
let before: unknown;
beforeAll(async () => {
  api = await testApi();
  await api.post(item({ external_id: "known" }));
  before = await api.snapshot();
}, 300_000);
afterAll(() => api.close());

const PATH = "/v1/ingest/articles";
const AUTH = { authorization: `Bearer ${TOKEN}` };
const JSON_TYPE = { "content-type": "application/json" };
const VALID = JSON.stringify(item({ external_id: "never" }));

type Wrong = {
  name: string;
  send: () => Response | Promise<Response>;
  status: number;
  slug: string;
  headers?: Record<string, string>;
  errors?: Record<string, string[]>;
};

const request = (headers: Record<string, string>, body: string | Uint8Array | null = VALID, method = "POST") =>
  api.app.request(PATH, { method, headers, body });
const shape = (body: unknown) => () => api.post(JSON.stringify(body));

const WRONG: Wrong[] = [
  {
    name: "no credential",
    send: () => request(JSON_TYPE),
    status: 401,
    slug: "unauthorized",
    headers: { "www-authenticate": "Bearer" },
  },
  {
    name: "a wrong token",
    send: () => request({ ...JSON_TYPE, authorization: "Bearer wrong" }),
    status: 401,
    slug: "unauthorized",
  },
  {
    name: "a token under another scheme",
    send: () => request({ ...JSON_TYPE, authorization: `Basic ${TOKEN}` }),
    status: 401,
    slug: "unauthorized",
  },
  {
    name: "a token in x-api-key",
    send: () => request({ ...JSON_TYPE, "x-api-key": TOKEN }),
    status: 401,
    slug: "unauthorized",
  },
  { name: "malformed JSON", send: () => api.post('{"articles":['), status: 400, slug: "malformed-json" },
  { name: "an empty body", send: () => api.post(""), status: 400, slug: "malformed-json" },
  { name: "two JSON values", send: () => api.post(`${VALID}${VALID}`), status: 400, slug: "malformed-json" },
  {
    name: "no UTF-8",
    send: () => request({ ...AUTH, ...JSON_TYPE }, Uint8Array.from([0x22, 0xc7, 0x22])),
    status: 400,
    slug: "malformed-json",
  },
  {
    name: "broken gzip",
    send: () => request({ ...AUTH, ...JSON_TYPE, "content-encoding": "gzip" }),
    status: 400,
    slug: "malformed-json",
  },
  {
    name: "another contract version",
    send: () => api.post(VALID, { "x-contract-version": "2" }),
    status: 400,
    slug: "unsupported-contract-version",
  },
  {
    name: "an empty contract version",
    send: () => api.post(VALID, { "x-contract-version": "" }),
    status: 400,
    slug: "unsupported-contract-version",
  },
  { name: "no media type", send: () => request(AUTH), status: 415, slug: "unsupported-media-type" },
  {
    name: "another media type",
    send: () => api.post(VALID, { "content-type": "text/plain" }),
    status: 415,
    slug: "unsupported-media-type",
  },
  {
    name: "another content encoding",
    send: () => api.post(VALID, { "content-encoding": "br" }),
    status: 415,
    slug: "unsupported-media-type",
  },
  {
    name: "another method",
    send: () => request(AUTH, null, "GET"),
    status: 405,
    slug: "method-not-allowed",
    headers: { allow: "POST" },
  },
  {
    name: "PUT",
    send: () => request({ ...AUTH, ...JSON_TYPE }, VALID, "PUT"),
    status: 405,
    slug: "method-not-allowed",
  },
  {
    name: "an unknown path",
    send: () => api.app.request(`${PATH}/x`, { method: "POST", headers: { ...AUTH, ...JSON_TYPE }, body: VALID }),
    status: 404,
    slug: "not-found",
  },
  {
    name: "an array",
    send: shape([item()]),
    status: 422,
    slug: "validation-error",
    errors: { body: ["must be an article or an object with `articles`"] },
  },
  { name: "a string", send: shape("x"), status: 422, slug: "validation-error" },
  { name: "null", send: shape(null), status: 422, slug: "validation-error" },
  {
    name: "articles that are no array",
    send: shape({ articles: item() }),
    status: 422,
    slug: "validation-error",
    errors: { articles: ["must be an array"] },
  },
  { name: "articles that are null", send: shape({ articles: null }), status: 422, slug: "validation-error" },
  {
    name: "an empty batch",
    send: shape({ articles: [] }),
    status: 422,
    slug: "validation-error",
    errors: { articles: ["must hold at least one article"] },
  },
  {
    name: "101 articles",
    send: shape({ articles: Array.from({ length: 101 }, (_, n) => item({ external_id: `b-${n}` })) }),
    status: 413,
    slug: "batch-too-large",
    headers: { "retry-after": "30" },
  },
  {
    name: "a body over the limit",
    send: () => api.post(" ".repeat(1_500_001)),
    status: 413,
    slug: "payload-too-large",
    headers: { "retry-after": "30" },
  },
  {
    name: "a gzip body that unpacks to more than the limit",
    send: () => request({ ...AUTH, ...JSON_TYPE, "content-encoding": "gzip" }, gzipSync(" ".repeat(1_500_001))),
    status: 413,
    slug: "payload-too-large",
    headers: { "retry-after": "30" },
  },
  {
    name: "an endless Idempotency-Key",
    send: () => api.post(VALID, { "idempotency-key": "k".repeat(1_001) }),
    status: 422,
    slug: "validation-error",
    errors: { "Idempotency-Key": ["must have at most 1000 characters"] },
  },
];

describe("a wrong request gets its answer and leaves the database as it was:", () => {
  for (const { name, send, status, slug, headers = {}, errors } of WRONG) {
    test(name, async () => {
      const res = await send();
      expect(res.status).toBe(status);
      expect(res.headers.get("content-type")).toBe("application/problem+json");
      expect(res.headers.get("x-request-id")).toMatch(/^[\x21-\x7e]{1,128}$/);
      for (const [header, value] of Object.entries(headers)) expect(res.headers.get(header)).toBe(value);
      const body = await bodyOf(res);
      expect(body).toMatchObject({
        type: `/errors/${slug}`,
        status,
        title: expect.any(String),
        detail: expect.any(String),
      });
      expect(body.instance).toStartWith(PATH);
      if (errors) expect(body.errors).toEqual(errors);
      else if (status !== 422) expect(body).not.toHaveProperty("errors");
      expect(await api.snapshot()).toEqual(before);
      expect(api.jobs).toHaveLength(1);
    });
  }

  test("the order of checks is credential, version, media type, size, syntax, shape", async () => {
    const all = { "content-type": "text/plain", "x-contract-version": "9" };
    expect((await request(all, "{")).status).toBe(401);
    expect((await api.post("{", all)).status).toBe(400);
    expect((await api.post("{", { "content-type": "text/plain" })).status).toBe(415);
    expect((await api.post("{".repeat(1_500_001))).status).toBe(413);
  });

  test("more than 50,000 values are 413, wherever they stand", async () => {
    const article: object = Object(item({ external_id: "never" }));
    const names = Object.fromEntries(Array.from({ length: 30_000 }, (_, i) => [`k${i}`, 1]));
    const list = Array.from({ length: 30_000 }, () => 1);
    for (const body of [
      { ...article, ...names, raw: names },
      { articles: [article], list, names },
    ]) {
      const res = await api.post(body);
      expect(res.status).toBe(413);
      expect(await bodyOf(res)).toMatchObject({ detail: expect.stringContaining("more than 50000 values") });
    }
    expect(await api.snapshot()).toEqual(before);
  });

  test("deeply nested JSON is refused or accepted, never a crash", async () => {
    const deep = `${"[".repeat(700_000)}${"]".repeat(700_000)}`;
    expect([400, 422]).toContain((await api.post(deep)).status);
    const res = await api.post(`{"articles":[${deep.slice(0, 900)}${deep.slice(-900)}]}`);
    expect(await bodyOf(res)).toMatchObject({ results: [{ status: "failed" }] });
    expect(await api.snapshot()).toEqual(before);
  });

  test("the log names what operators look for", async () => {
    api.lines.length = 0;
    await api.post(" ".repeat(1_500_001), { "x-request-id": "r-1" });
    await api.post({ articles: Array.from({ length: 101 }, () => ({})) }, { "x-request-id": "r-2" });
    expect(api.lines).toMatchObject([
      { msg: "payload too large", request_id: "r-1", status: 413 },
      { msg: "batch too large", request_id: "r-2", status: 413 },
    ]);
  });
});

test("the next token of the rotation list is as good as the first", async () => {
  const res = await api.post(VALID, { authorization: "Bearer next-token" });
  expect(res.status).toBe(202);
});
