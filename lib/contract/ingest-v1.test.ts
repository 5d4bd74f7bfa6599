import { describe, expect, test } from "bun:test";
import "../service/http/mod.ts";
import { DeletionReport, IngestItem, IngestResponse } from "./ingest-v1.ts";
import { LIMITS } from "./fields.ts";
import { itemError } from "./problem.ts";

const CONTENT = "Three schools open today in the suburbs of the capital. ".repeat(10);

const item = (over: Record<string, unknown> = {}) => ({
  source_id: "alwatan",
  external_id: "a-1",
  url: "https://a.test/1",
  title: "Schools open",
  content: CONTENT,
  ...over,
});

/** Returns what is said of an item, by the path of the field. */
function complaints(value: unknown, schema: typeof IngestItem | typeof DeletionReport = IngestItem) {
  const issues = schema.safeParse(value).error?.issues ?? [];
  return issues.map(({ path, message }) => [path.join("."), message]);
}

/** Returns the slugs that the broken rules carry. */
function slugs(value: unknown) {
  const issues = IngestItem.safeParse(value).error?.issues ?? [];
  return issues.map((issue) => (issue.code === "custom" ? issue.params?.slug : undefined));
}

describe("an item", () => {
  test("needs five fields and takes no more than it knows", () => {
    expect(IngestItem.parse({ ...item(), state: "indexed", foo: 1 })).toEqual({ ...item(), content: CONTENT.trim() });
    for (const field of ["source_id", "external_id", "url", "title", "content"]) {
      const { [field]: _, ...rest }: Record<string, unknown> = item();
      expect(complaints(rest).map(([path]) => path)).toEqual([field]);
    }
  });

  test.each(["source_id", "external_id", "url", "title", "content"])("refuses a %s that is no string", (field) => {
    for (const value of [null, 1, {}, []])
      expect(complaints(item({ [field]: value }))).toEqual([[field, "must be a string"]]);
  });

  test.each(["", "not an address", "ftp://a.test/"])(
    "refuses an address that is too long for that alone: %j…",
    (start) => {
      for (const field of ["url", "canonical_url"]) {
        const said = complaints(item({ [field]: start + "x".repeat(2_049) }));
        expect(said).toEqual([[field, "must have at most 2048 characters"]]);
      }
    },
  );

  test("cleans its title and content, and takes credentials off its addresses", () => {
    const parsed = IngestItem.parse(
      item({ title: " <b>Schools</b>  open ", content: `<p>${CONTENT}</p>`, url: " https://u:p@a.test/1 " }),
    );
    expect(parsed).toMatchObject({ title: "Schools open", content: CONTENT.trim(), url: "https://a.test/1" });
  });

  test("cuts its content to the limit, and refuses one that is short once it is clean", () => {
    const long = IngestItem.parse(item({ content: "ab ".repeat(LIMITS.contentMax) }));
    expect(long.content.length).toBeLessThanOrEqual(LIMITS.contentMax);
    const short = item({ content: `<p>${"x".repeat(LIMITS.contentMin - 1)}</p>` });
    expect(complaints(short)).toEqual([["content", `must have at least ${LIMITS.contentMin} characters of text`]]);
    expect(slugs(short)).toEqual(["content-too-short"]);
    expect(complaints(item({ content: "x".repeat(LIMITS.contentMin) }))).toEqual([]);
  });

  test("has a title of some text, no longer than the limit", () => {
    const rule = `must have 1 to ${LIMITS.title} characters of text`;
    for (const title of ["", " ", "<b></b>", "\u200f\u200e", "\u200d", "x".repeat(LIMITS.title + 1)]) {
      expect([complaints(item({ title })), slugs(item({ title }))]).toEqual([[["title", rule]], ["invalid-title"]]);
    }
    for (const title of ["x".repeat(LIMITS.title), "😀", "؟", "5"]) expect(complaints(item({ title }))).toEqual([]);
  });

  test("is named by identifiers without control characters and without halves of characters", () => {
    const rule = (max: number) => `must have 1 to ${max} characters, none of them a control or half a character`;
    for (const id of ["", "a\u0000", "a\n", "\u007f", "\ud800"]) {
      expect(complaints(item({ external_id: id }))).toEqual([["external_id", rule(LIMITS.externalId)]]);
      expect(complaints(item({ source_id: id }))).toEqual([["source_id", rule(LIMITS.sourceId)]]);
    }
    expect(complaints(item({ external_id: "😀".repeat(LIMITS.externalId) }))).toEqual([]);
    expect(complaints(item({ external_id: "x".repeat(LIMITS.externalId + 1) }))).toHaveLength(1);
  });

  test.each(["url", "canonical_url"])("has a %s that is absolute, of the web, and of bounded length", (field) => {
    for (const address of ["", " ", "/1", "a.test/1", "ftp://a.test/1", "https://", "mailto:a@a.test"]) {
      expect(complaints(item({ [field]: address }))).toEqual([[field, "must be an absolute http or https URL"]]);
      expect(slugs(item({ [field]: address }))).toEqual(["invalid-url"]);
    }
    const long = `https://a.test/${"x".repeat(LIMITS.url)}`;
    expect(complaints(item({ [field]: long }))).toEqual([[field, `must have at most ${LIMITS.url} characters`]]);
  });

  test("may say null for its canonical address, its language and its time alone", () => {
    expect(complaints(item({ canonical_url: null, lang: null, published_at: null }))).toEqual([]);
    expect(complaints(item({ authors: null, images: null, raw: null }))).toEqual([
      ["authors", "must be an array of strings"],
      ["images", "must be an array of URLs"],
      ["raw", "must be an object"],
    ]);
  });

  test("is in Arabic or English", () => {
    for (const lang of ["ar", "en"] as const) expect(IngestItem.parse(item({ lang })).lang).toBe(lang);
    for (const lang of ["fr", "AR", "", 1])
      expect(complaints(item({ lang }))).toEqual([["lang", "must be ar, en or null"]]);
  });

  test("has a time that becomes UTC", () => {
    const timeOf = (published_at: string) => IngestItem.parse(item({ published_at })).published_at;
    expect(timeOf("2026-01-02T03:04:05+02:00")).toBe("2026-01-02T01:04:05.000Z");
    expect(timeOf("2026-01-02")).toBe("2026-01-02T00:00:00.000Z");
    for (const published_at of ["yesterday", "", "2026-13-01", "2026-02-30T00:00:00Z", 5]) {
      expect(complaints(item({ published_at }))).toEqual([["published_at", "must be an ISO 8601 timestamp or null"]]);
    }
  });

  test("has a bounded number of authors and images, each within its rule", () => {
    expect(complaints(item({ authors: Array(LIMITS.authors).fill("A") }))).toEqual([]);
    expect(slugs(item({ authors: Array(LIMITS.authors + 1).fill("A") }))).toEqual(["too-many-authors"]);
    expect(slugs(item({ images: Array(LIMITS.images + 1).fill("https://a.test/i") }))).toEqual(["too-many-images"]);
    expect(complaints(item({ authors: ["A", "x".repeat(LIMITS.author + 1), 3] }))).toEqual([
      ["authors.1", `must have at most ${LIMITS.author} characters`],
      ["authors.2", "must be a string"],
    ]);
    expect(complaints(item({ images: ["https://a.test/i", "i.jpg"] }))).toEqual([
      ["images.1", "must be an absolute http or https URL"],
    ]);
  });

  test("keeps raw as it is, to a depth", () => {
    const nested = (depth: number): object => (depth === 1 ? {} : { a: nested(depth - 1) });
    expect(IngestItem.parse(item({ raw: { a: [1, { b: null }] } })).raw).toEqual({ a: [1, { b: null }] });
    expect(complaints(item({ raw: nested(LIMITS.rawDepth) }))).toEqual([]);
    expect(complaints(item({ raw: nested(LIMITS.rawDepth + 1) }))).toEqual([
      ["raw", `must be nested at most ${LIMITS.rawDepth} levels deep`],
    ]);
    for (const raw of ["{}", 1, []]) expect(complaints(item({ raw }))).toEqual([["raw", "must be an object"]]);
  });
});

test("a report of a deletion names the item, and where it was looked for", () => {
  const report = { kind: "deleted_at_source", source_id: "s", external_id: "e" };
  expect(DeletionReport.parse({ ...report, url: null })).toEqual({
    kind: "deleted_at_source",
    source_id: "s",
    external_id: "e",
    url: null,
  });
  expect(complaints({ ...report, kind: "gone" }, DeletionReport)).toEqual([
    ["kind", "must be changed or deleted_at_source"],
  ]);
  expect(complaints({ ...report, url: "a.test" }, DeletionReport)).toEqual([
    ["url", "must be an absolute http or https URL"],
  ]);
});

test("an answer carries a verdict for each item, and the error of one that failed", () => {
  const error = itemError("invalid-url", "url must be an absolute http or https URL");
  expect(error).toEqual({ type: "/errors/invalid-url", title: "Invalid Payload", detail: error.detail });
  const summary = { request_id: crypto.randomUUID(), received: 2, accepted: 1, failed: 1, conflicts: 0 };
  const results = [
    { external_id: "a", status: "accepted", article_id: 1 },
    { external_id: null, status: "failed", error },
  ];
  expect(IngestResponse.safeParse({ schema: "ingest.v1", summary, results }).success).toBe(true);
  expect(IngestResponse.safeParse({ schema: "ingest.v2", summary, results }).success).toBe(false);
  expect(
    IngestResponse.safeParse({ schema: "ingest.v1", summary, results: [{ ...results[0], status: "new" }] }).success,
  ).toBe(false);
});
