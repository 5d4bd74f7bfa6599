import { describe, expect, test } from "bun:test";
import type { z } from "../service/http/mod.ts";
import { EdgeSummary, SummaryRequest } from "./answers.ts";
import { ClaimParams, MatchRequest, NewReview, NewReviews, ReviewParams } from "./claims-v1.ts";
import { WebhookEvent } from "./events-v1.ts";
import { DEFAULT_NOTICE_KINDS, NOTICE_KINDS } from "./notices.ts";
import { flagParam, hasLength, nameField, numberParam, pageParams, textField, timeParam, wholeText } from "./fields.ts";
import { chunkConditions, ChunkFilters } from "./filters.ts";
import { DeletionReport, IngestItem } from "./ingest-v1.ts";
import { OpenAiChatRequest, OpenAiEmbeddingsRequest } from "./openai.ts";
import { RelationsPackage } from "./relations.ts";
import { ListedProfile, NormalizedItem } from "./scraper-v1.ts";
import { ArticleListParams, PassagesRequest, SearchParams, searchState, SimilarParams } from "./search-v1.ts";
import { KeysRequest, KeyUse } from "./state-v1.ts";
import { SuggestParams } from "./suggest-v1.ts";

/** A rule of a schema: what is right, and over that what is taken and what is not. */
type Rule = [name: string, schema: z.ZodType, right: object, taken: object[], refused: object[]];

const long = (length: number) => "x".repeat(length);
const address = (length: number) => `https://a.test/${long(length - 15)}`;
const ITEM = { source_id: "s", external_id: "1", url: "https://a.test/1", title: "T", content: long(200) };
const REVIEW = { claim_text: "It cost 40 million.", rating: 1, publisher: "Desk" };
const GONE = { kind: "deleted_at_source", source_id: "s", external_id: "1" };
const PACKAGE = { doc_id: "1", enrichment_status: "ok", relations: [] };
const CHAT = { model: "isnad", messages: [{ role: "user", content: "Why?" }] };
const RELATION = { type: "visit", args: { agent: "x" }, confidence: 0.5, offsets: { start: 0, end: 1 } };
const related = (over: object) => ({ relations: [{ ...RELATION, ...over }] });
const many = <T>(count: number, value: T): T[] => Array.from({ length: count }, () => value);

const RULES: Rule[] = [
  ["an item", IngestItem, ITEM, [{ url: address(2_048) }, { url: " https://a.test/1 " }], [{ url: address(2_049) }]],
  ["an item", IngestItem, ITEM, [{ source_id: long(128) }], [{ source_id: long(129) }, { source_id: "" }]],
  ["an item", IngestItem, ITEM, [{ external_id: long(255) }], [{ external_id: long(256) }, { external_id: "\n" }]],
  ["an item", IngestItem, ITEM, [{ authors: many(25, "A") }], [{ authors: many(26, "A") }, { authors: [1] }]],
  ["an item", IngestItem, ITEM, [{ authors: [long(256)] }, { authors: [""] }], [{ authors: [long(257)] }]],
  ["an item", IngestItem, ITEM, [{ images: many(25, ITEM.url) }], [{ images: many(26, ITEM.url) }]],
  ["an item", IngestItem, ITEM, [{ lang: null }, { lang: "ar" }], [{ lang: "fr" }]],
  ["an item", IngestItem, ITEM, [{ published_at: null }, { published_at: "2024-02-29" }], [{ published_at: "today" }]],
  ["a deletion", DeletionReport, GONE, [{ url: null }, { url: ITEM.url }], [{ url: "a" }, { kind: "deleted" }]],
  ["a review", NewReview, REVIEW, [{ rating: null }, { rating: 5 }], [{ rating: 0 }, { rating: 6 }, { rating: 1.5 }]],
  ["a review", NewReview, REVIEW, [{ claim_text: long(2_000) }], [{ claim_text: long(2_001) }, { claim_text: " " }]],
  ["a review", NewReview, REVIEW, [{ publisher: long(255) }], [{ publisher: long(256) }, { publisher: "" }]],
  ["a review", NewReview, REVIEW, [{ rating_text: null }, { rating_text: long(255) }], [{ rating_text: long(256) }]],
  ["a review", NewReview, REVIEW, [{ appearances: many(25, ITEM.url) }], [{ appearances: many(26, ITEM.url) }]],
  ["a review", NewReview, REVIEW, [{ claim_id: 1 }], [{ claim_id: 0 }, { claim_text: undefined, claim_id: null }]],
  ["a review", NewReview, REVIEW, [{ published_at: "2024-01-01" }], [{ published_at: "1 May" }, { claimed_at: "?" }]],
  ["reviews", NewReviews, {}, [{ reviews: many(100, REVIEW) }], [{ reviews: many(101, REVIEW) }, { reviews: [] }]],
  ["a match", MatchRequest, {}, [{ text: "a" }, { texts: many(64, "a") }], [{}, { text: "a", texts: ["a"] }]],
  ["a match", MatchRequest, { text: "a" }, [{ k: 1 }, { k: 20 }], [{ k: 0 }, { k: 21 }]],
  ["a match", MatchRequest, {}, [{ texts: ["a"] }], [{ texts: [] }, { texts: many(65, "a") }]],
  [
    "relations",
    RelationsPackage,
    PACKAGE,
    [{ doc_id: 1 }, { doc_id: long(64) }],
    [{ doc_id: 0 }, { doc_id: long(65) }],
  ],
  ["relations", RelationsPackage, PACKAGE, [related({})], [related({ confidence: 1.1 }), related({ type: "" })]],
  [
    "relations",
    RelationsPackage,
    PACKAGE,
    [related({ offsets: { start: 1, end: 1 } })],
    [related({ offsets: { start: 1, end: 0 } })],
  ],
  ["a summary", SummaryRequest, { text: "a" }, [{ text: long(50_000) }], [{ text: long(50_001) }, { text: " \n" }]],
  ["points", EdgeSummary, { ok: true, model: "m", target_lang: "ar" }, [{ points: ["a"] }], [{ points: [] }, {}]],
  ["a chat", OpenAiChatRequest, CHAT, [{ n: 1 }, { n: null }], [{ n: 2 }]],
  ["a chat", OpenAiChatRequest, CHAT, [{ temperature: 2 }], [{ temperature: 2.1 }, { temperature: -0.1 }]],
  ["a chat", OpenAiChatRequest, CHAT, [{ article_id: 1 }, { story_id: 1 }], [{ article_id: 0 }, { story_id: 0 }]],
  [
    "vectors",
    OpenAiEmbeddingsRequest,
    { model: "m" },
    [{ input: many(256, "a") }],
    [{ input: many(257, "a") }, { input: [] }],
  ],
  ["vectors", OpenAiEmbeddingsRequest, { model: "m" }, [{ input: long(100_000) }], [{ input: long(100_001) }]],
  ["vectors", OpenAiEmbeddingsRequest, { model: "m", input: "a" }, [{ dimensions: 1 }], [{ dimensions: 0 }]],
  ["passages", PassagesRequest, { query: "a" }, [{ k: 100 }, { filters: null }], [{ k: 101 }, { k: 0 }]],
  ["passages", PassagesRequest, {}, [{ query: long(2_000) }], [{ query: long(2_001) }, { query: "" }]],
  [
    "chunks",
    ChunkFilters,
    {},
    [{ story_id: many(10, 1) }],
    [{ story_id: many(11, 1) }, { story_id: [] }, { story_id: 0 }],
  ],
  ["chunks", ChunkFilters, {}, [{ source: many(100, "s") }], [{ source: many(101, "s") }, { source: { $in: [] } }]],
  ["chunks", ChunkFilters, {}, [{ article_id: 1 }], [{ article_id: 0 }, { article_id: "1" }, { author: "a" }]],
  [
    "chunks",
    ChunkFilters,
    {},
    [{ published_at_bucket: 202_412 }],
    [{ published_at_bucket: 202_413 }, { published_at_bucket: 202_400 }],
  ],
  ["a search", SearchParams, { q: "a" }, [{ offset: "900", limit: "100" }], [{ offset: "901", limit: "100" }]],
  ["a search", SearchParams, { q: "a" }, [{ offset: "990" }], [{ offset: "991" }]],
  ["a search", SearchParams, { q: "a", cursor: "c" }, [{ offset: "0" }, {}], [{ offset: "1" }]],
  ["a search", SearchParams, { q: "a", rerank: "1" }, [{ sort: "relevance" }], [{ sort: "oldest" }, { q: undefined }]],
  ["a search", SearchParams, { q: "a", facets: "lang" }, [{ format: "json" }], [{ format: "jsonl" }]],
  ["a search", SearchParams, { q: "a" }, [{ story: "1" }, { tz: "Asia/Beirut" }], [{ story: "0" }, { tz: long(65) }]],
  [
    "a list",
    ArticleListParams,
    {},
    [{ from: "2024-01-01", to: "2024-01-01" }],
    [{ from: "2024-01-02", to: "2024-01-01" }],
  ],
  ["the similar", SimilarParams, {}, [{ limit: "50" }], [{ limit: "51" }, { from: "2024-01-02", to: "2024-01-01" }]],
  ["claims", ClaimParams, {}, [{ limit: "200" }, { reviewed: "true" }], [{ limit: "201" }, { reviewed: "1" }]],
  ["claims", ClaimParams, {}, [{ cursor: long(200) }], [{ cursor: long(201) }, { cursor: "" }]],
  ["reviews", ReviewParams, {}, [{ rating: "0" }, { rating: "5" }], [{ rating: "6" }, { publisher: long(256) }]],
  ["suggestions", SuggestParams, { q: "a" }, [{ limit: "20" }, { limit: "1" }], [{ limit: "21" }, { limit: "0" }]],
  ["keys", KeysRequest, {}, [{ used: [] }], [{ used: many(10_001, { key_id: "k", at: "2024-01-01T00:00:00Z" }) }]],
  [
    "a use",
    KeyUse,
    { key_id: "k", at: "2024-01-01T00:00:00Z" },
    [{ key_id: long(64) }],
    [{ key_id: long(65) }, { at: "now" }],
  ],
];

test.each(RULES)("%s is taken within its bounds alone (%#)", (_, schema, right, taken, refused) => {
  for (const over of taken)
    expect([over, schema.safeParse({ ...right, ...over }).error?.issues]).toEqual([over, undefined]);
  for (const over of refused) expect([over, schema.safeParse({ ...right, ...over }).success]).toEqual([over, false]);
});

describe("fields", () => {
  test.each([
    ["", 0, 0, true],
    ["a", 0, 0, false],
    ["ab", 2, 3, true],
    ["abc", 2, 3, true],
    ["abcd", 2, 3, false],
    ["a", 2, 3, false],
    ["😀", 2, 3, false],
    ["😀😀", 2, 3, true],
    ["😀😀😀", 2, 3, true],
    ["😀😀😀😀", 2, 3, false],
    ["😀a", 2, 3, true],
  ])("%j has from %p to %p characters: %p", (text, min, max, expected) => {
    expect(hasLength(text, min, max)).toBe(expected);
    expect(textField({ min, max }).safeParse(text).success).toBe(expected);
  });

  test.each([
    ["a name", nameField({ max: 2 }), ["a", "ab"], ["", "abc", "a\0"]],
    ["a number", numberParam(), ["1", "999999999999999"], ["0", "01", "1.5", "9999999999999999", "-1"]],
    ["a flag", flagParam(), ["true", "false", "1", "0"], ["yes", "", "TRUE"]],
    ["a time", timeParam(), ["2024-02-29", "2024-02-29T12:00:00Z"], ["2023-02-29", "29.2.2024", ""]],
    ["a whole number", wholeText({ min: 2, max: 4 }), ["2", "4"], ["1", "5", "2.0", ""]],
  ] as const)("%s is taken or not", (_, schema, taken, refused) => {
    for (const text of taken) expect([text, schema.safeParse(text).success]).toEqual([text, true]);
    for (const text of refused) expect([text, schema.safeParse(text).success]).toEqual([text, false]);
  });

  test("a flag is no where it is missing, or as its route says", () => {
    expect([flagParam().parse(undefined), flagParam({ fallback: true }).parse(undefined)]).toEqual([false, true]);
    expect(["true", "1", "false", "0"].map((text) => flagParam().parse(text))).toEqual([true, true, false, false]);
  });

  test("a day stands for its beginning, or its end", () => {
    expect(timeParam().parse("2024-01-31")).toBe(Date.UTC(2024, 0, 31));
    expect(timeParam({ endOfDay: true }).parse("2024-01-31")).toBe(Date.UTC(2024, 1, 1) - 1);
  });

  test("a page begins behind the row that its cursor names", () => {
    const { limit, cursor } = pageParams({ max: 9, fallback: 3 });
    expect([limit.parse(undefined), limit.parse("9"), cursor.parse("17"), cursor.parse(undefined)]).toEqual([
      ...[3, 9, 17, undefined],
    ]);
    for (const text of ["0", "x", "1".repeat(16)]) expect(cursor.safeParse(text).success).toBe(false);
  });
});

test("filters of chunks become conditions, what compares with nothing none", () => {
  const filters = ChunkFilters.parse({
    lang: "ar",
    source: ["a", "b"],
    published_at_bucket: { $gte: 202_401, $lt: 202_501, $ne: 202_405 },
    article_id: { $in: [1, 2], $gt: 1, $lte: 9 },
    story_id: 7,
  });
  expect(chunkConditions(filters)).toEqual([
    { field: "published_at_bucket", is: "notIn", values: [202_405] },
    { field: "published_at_bucket", is: "gte", values: [202_401] },
    { field: "published_at_bucket", is: "lt", values: [202_501] },
    { field: "lang", is: "in", values: ["ar"] },
    { field: "source", is: "in", values: ["a", "b"] },
    { field: "article_id", is: "in", values: [1, 2] },
    { field: "article_id", is: "lte", values: [9] },
    { field: "article_id", is: "gt", values: [1] },
  ]);
});

test.each([
  [false, {}, "whole"],
  [false, { rrf_mode: "bm25" }, "whole"],
  [true, { rrf_mode: "bm25" }, "keyword-only"],
  [true, { rrf_mode: "hybrid" }, "degraded"],
  [true, {}, "degraded"],
] as const)("a search that is degraded (%p) with %j went %s", (degraded, diagnostics, state) => {
  expect(searchState({ degraded, diagnostics })).toBe(state);
});

describe("events", () => {
  const head = { id: 1, occurred_at: "2026-01-05T08:00:00.000Z" };

  test("the first kinds of notices are those that are told where none are named", () => {
    expect(DEFAULT_NOTICE_KINDS).toEqual(["claim.repeated", "source.quiet", "source.doubled", "source.usual"]);
    expect(NOTICE_KINDS).toEqual(expect.arrayContaining([...DEFAULT_NOTICE_KINDS]));
  });

  test("each kind has fields of its own", () => {
    const merged = { ...head, type: "story.merged", story_id: 2, merged_into: 1 };
    expect(WebhookEvent.parse(merged)).toEqual({ ...head, type: "story.merged", story_id: 2, merged_into: 1 });
    for (const wrong of [{ type: "story.split" }, { merged_into: undefined }, { id: "1" }])
      expect(WebhookEvent.safeParse({ ...merged, ...wrong }).success).toBe(false);
    const quiet = { ...head, type: "source.quiet", source: { key: "s", name: "S", last_day: 0, usual: null } };
    expect(WebhookEvent.safeParse(quiet).success).toBe(true);
    expect(WebhookEvent.safeParse({ ...quiet, type: "article.upserted" }).success).toBe(false);
  });
});

describe("what the scraper hands out", () => {
  const source = { id: "s", name: "S", tier: 1, homepage: "https://s.test/" };

  test("a profile is taken for what callers rely on", () => {
    const profile = { name: "s", enabled: true, language: "ar", source };
    expect(ListedProfile.parse({ ...profile, feeds: ["x"] })).toEqual(profile);
    expect(ListedProfile.safeParse({ ...profile, source: { ...source, tier: 1.5 } }).success).toBe(false);
  });

  test("an item may lack its time, and nothing else", () => {
    const texts = { id: "1", title: "T", content: "C", url: "u", source: "s", category: "", language: "" };
    const item = { ...texts, published_at: null, canonical_url: "u", authors: [], images: [], provider: "p" };
    expect(NormalizedItem.parse(item)).toEqual(item);
    for (const name of Object.keys(texts))
      expect([name, NormalizedItem.safeParse({ ...item, [name]: null }).success]).toEqual([name, false]);
  });
});
