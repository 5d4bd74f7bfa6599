import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { bodyOf, item, SENTENCE, type TestApi, testApi } from "../testing.ts";

let api: TestApi;
let before: unknown;
beforeAll(async () => {
  api = await testApi();
  await api.post(item({ external_id: "known" }));
  before = await api.snapshot();
}, 300_000);
afterAll(() => api.close());

const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
const DATE_RULE = "published_at must be an ISO 8601 timestamp or null";

/** The slug of each wrong field, and what the detail says of it. */
const WRONG: [name: string, over: Record<string, unknown>, slug: string, detail: string][] = [
  ["no source_id", { source_id: undefined }, "missing-field", "source_id is required"],
  ["no external_id", { external_id: undefined }, "missing-field", "external_id is required"],
  ["no url", { url: undefined }, "missing-field", "url is required"],
  ["no title", { title: undefined }, "missing-field", "title is required"],
  ["no content", { content: undefined }, "missing-field", "content is required"],
  ["a missing field before a wrong one", { source_id: 5, content: undefined }, "missing-field", "content is required"],
  ["an empty source_id", { source_id: "" }, "invalid-field", "source_id must have 1 to 128 characters"],
  ["a long source_id", { source_id: "s".repeat(129) }, "invalid-field", "source_id must have 1 to 128 characters"],
  ["a source_id that is a number", { source_id: 5 }, "invalid-field", "source_id must be a string"],
  ["an external_id that is null", { external_id: null }, "invalid-field", "external_id must be a string"],
  ["an empty external_id", { external_id: "" }, "invalid-field", "external_id must have 1 to 255 characters"],
  [
    "a long external_id",
    { external_id: "e".repeat(256) },
    "invalid-field",
    "external_id must have 1 to 255 characters",
  ],
  ["an external_id with U+0000", { external_id: "a\u0000b" }, "invalid-field", "external_id must have"],
  [
    "an external_id with half a character",
    { external_id: "a\ud83d" },
    "invalid-field",
    "external_id must have 1 to 255 characters, none of them a control or half a character",
  ],
  ["an empty url", { url: "" }, "invalid-url", "url must be an absolute http or https URL"],
  ["a relative url", { url: "/news/1" }, "invalid-url", "url must be an absolute http or https URL"],
  ["a url of another scheme", { url: "ftp://news.test/1" }, "invalid-url", "url must be"],
  ["a javascript url", { url: "javascript:alert(1)" }, "invalid-url", "url must be"],
  ["a url without a host", { url: "https://" }, "invalid-url", "url must be"],
  ["a url with a bad port", { url: "https://news.test:99999/" }, "invalid-url", "url must be"],
  ["a url with U+0000", { url: "https://news.test/\u0000" }, "invalid-url", "url must be"],
  ["a url that is an object", { url: {} }, "invalid-url", "url must be a string"],
  ["a wrong canonical_url", { canonical_url: "news.test" }, "invalid-url", "canonical_url must be"],
  ["a canonical_url that is a number", { canonical_url: 1 }, "invalid-url", "canonical_url must be a string"],
  ["an empty title", { title: "" }, "invalid-title", "title must have 1 to 512 characters"],
  ["a title of white space", { title: " \n\t " }, "invalid-title", "title must have 1 to 512 characters"],
  ["a title of markup only", { title: "<b></b><br/>" }, "invalid-title", "title must have 1 to 512 characters"],
  ["a title of 513 characters", { title: "ع".repeat(513) }, "invalid-title", "title must have 1 to 512 characters"],
  ["a title that is a number", { title: 5 }, "invalid-title", "title must be a string"],
  ["an empty content", { content: "" }, "content-too-short", "content must have at least 200 characters"],
  ["a content of 199 characters", { content: "ع".repeat(199) }, "content-too-short", "content must have at least 200"],
  [
    "a content that is 200 characters with its markup only",
    { content: `<p>${"ع".repeat(195)}</p>` },
    "content-too-short",
    "content must have at least 200",
  ],
  ["a content of white space", { content: " ".repeat(500) }, "content-too-short", "content must have at least 200"],
  ["a content that is an array", { content: [SENTENCE] }, "invalid-field", "content must be a string"],
  ["another language", { lang: "fr" }, "unsupported-language", "lang must be ar, en or null"],
  ["a language in capitals", { lang: "AR" }, "unsupported-language", "lang must be ar, en or null"],
  ["an empty language", { lang: "" }, "unsupported-language", "lang must be ar, en or null"],
  ["a date in words", { published_at: "yesterday" }, "invalid-date", DATE_RULE],
  ["a day that is not", { published_at: "2024-02-30T00:00:00Z" }, "invalid-date", DATE_RULE],
  ["a month that is not", { published_at: "2024-13-01T00:00:00Z" }, "invalid-date", DATE_RULE],
  ["an RFC 2822 date", { published_at: "Mon, 06 May 2024 07:00:00 GMT" }, "invalid-date", DATE_RULE],
  ["a date that is a number", { published_at: 1715000000 }, "invalid-date", DATE_RULE],
  ["an empty date", { published_at: "" }, "invalid-date", DATE_RULE],
  ["26 authors", { authors: many(26, "أحمد") }, "too-many-authors", "authors must have at most 25 entries"],
  ["authors that are a string", { authors: "أحمد" }, "invalid-field", "authors must be an array of strings"],
  ["an author that is a number", { authors: ["أحمد", 5] }, "invalid-field", "authors[1] must be a string"],
  ["26 images", { images: many(26, "https://a.test/1.jpg") }, "too-many-images", "images must have at most 25 entries"],
  ["images that are a string", { images: "https://a.test/1.jpg" }, "invalid-field", "images must be an array of URLs"],
  ["an image that is no URL", { images: ["https://a.test/1.jpg", "1.jpg"] }, "invalid-url", "images[1] must be"],
  ["an image that is an object", { images: [{}] }, "invalid-url", "images[0] must be a string"],
  ["raw that is a string", { raw: "x" }, "invalid-field", "raw must be an object"],
  ["raw that is an array", { raw: [] }, "invalid-field", "raw must be an object"],
  ["raw that is nested too deep", { raw: nested(101) }, "invalid-field", "raw must be nested at most 100 levels"],
  ["a category_label that is a number", { category_label: 5 }, "invalid-field", "category_label must be a string"],
  ["a provider that is null", { provider: null }, "invalid-field", "provider must be a string"],
  [
    "a category_confidence in words",
    { category_confidence: "high" },
    "invalid-field",
    "category_confidence must be a number",
  ],
];

describe("a wrong field fails its item:", () => {
  for (const [name, over, slug, detail] of WRONG) {
    test(name, async () => {
      const wrong = item({ external_id: "wrong", ...over });
      const res = await api.post({ articles: [wrong] });
      expect(res.status).toBe(202);
      const { summary, results } = await bodyOf(res);
      expect(summary).toMatchObject({ received: 1, accepted: 0, failed: 1, conflicts: 0 });
      expect(results).toEqual([
        {
          external_id: typeof wrong.external_id === "string" ? wrong.external_id : null,
          status: "failed",
          error: expect.objectContaining({
            type: `/errors/${slug}`,
            title: "Invalid Payload",
            detail: expect.stringContaining(detail),
          }),
        },
      ]);
    });
  }

  test("more than one wrong field are all named, twenty at most", async () => {
    const wrong = item({ external_id: "wrong", title: "", url: undefined, authors: many(25, 5) });
    const { results } = await bodyOf(await api.post({ articles: [wrong] }));
    const [{ error }] = Array.isArray(results) ? results : [];
    expect(error).toMatchObject({ type: "/errors/missing-field", detail: "url is required" });
    expect(error.errors).toMatchObject({
      url: ["is required"],
      title: [expect.stringContaining("must have 1 to 512")],
      "authors[0]": ["must be a string"],
    });
    expect(Object.keys(error.errors)).toHaveLength(20);
  });

  test("entries that are no objects", async () => {
    const res = await api.post({ articles: [null, 5, "x", [item()], true] });
    expect(res.status).toBe(202);
    const { results, summary } = await bodyOf(res);
    expect(summary).toMatchObject({ received: 5, failed: 5 });
    expect(results).toEqual(
      many(5, {
        external_id: null,
        status: "failed",
        error: { type: "/errors/invalid-field", title: "Invalid Payload", detail: "the item must be an object" },
      }),
    );
  });

  test("a body that is an empty object is one item without fields", async () => {
    const res = await api.post({});
    expect(res.status).toBe(202);
    expect(await bodyOf(res)).toMatchObject({
      results: [{ status: "failed", error: { type: "/errors/missing-field" } }],
    });
  });

  test("none of them left anything in the database", async () => {
    expect(await api.snapshot()).toEqual(before);
  });

  test("a wrong item does not keep its neighbours out", async () => {
    const good = item({ external_id: "neighbour" });
    const { results } = await bodyOf(await api.post({ articles: [item({ title: "" }), good, { title: 5 }] }));
    expect(Object(results).map(({ status }: { status: string }) => status)).toEqual(["failed", "accepted", "failed"]);
  });
});

describe("an unknown source", () => {
  test("fails its items alone where sources must be known", async () => {
    const strict = await testApi({ INGEST_REQUIRE_KNOWN_SOURCE: "true" });
    await strict.store.sources.upsert([{ key: "known", provider: "rss", name: "Known" }]);
    const unchanged = await strict.snapshot();
    const stranger = item({ external_id: "x", source_id: "stranger" });
    const refused = await bodyOf(await strict.post(stranger));
    expect(refused.results).toEqual([
      {
        external_id: "x",
        status: "failed",
        error: {
          type: "/errors/unknown-source",
          title: "Invalid Payload",
          detail: "source_id stranger is not registered",
        },
      },
    ]);
    expect(await strict.snapshot()).toEqual(unchanged);
    const mixed = await bodyOf(await strict.post({ articles: [stranger, item({ source_id: "known" })] }));
    expect(mixed).toMatchObject({
      summary: { accepted: 1, failed: 1 },
      results: [{ status: "failed" }, { status: "accepted" }],
    });
    await strict.close();
  });
});

describe("what is not wrong", () => {
  const RIGHT: [name: string, over: Record<string, unknown>][] = [
    ["nulls where the contract has them", { canonical_url: null, lang: null, published_at: null }],
    ["a date without an offset", { published_at: "2024-05-06T07:08:09" }],
    ["empty lists and objects", { authors: [], images: [], raw: {} }],
    ["raw nested to the limit", { raw: nested(100) }],
    ["raw with U+0000, half characters and huge numbers", { raw: { "a\u0000": "b\u0000\ud83d", n: 1e308 } }],
    ["confidence beyond the range", { category_confidence: 1e9 }],
    ["white space around the url", { url: " https://news.test/a \n" }],
    ["a url in Arabic", { url: "https://أخبار.test/مقال/١?س=ج" }],
    [
      "text with U+0000 and half characters",
      { title: "عنوان\u0000 \ud83d", content: `${SENTENCE.repeat(6)}\u0000\udc00` },
    ],
    ["ids in Arabic", { source_id: "الوطن", external_id: "مقال-١" }],
    ["members that an object should not have", { __proto__: undefined, constructor: 5, toString: "x" }],
  ];
  for (const [name, over] of RIGHT) {
    test(name, async () => {
      const id = `right-${name}`;
      const content = over.content ?? `${SENTENCE.repeat(6)} ${name}`;
      const res = await api.post(item({ external_id: id, ...over, content }));
      expect(await bodyOf(res)).toMatchObject({ summary: { accepted: 1, failed: 0 } });
    });
  }
});
