import { describe, expect, test } from "bun:test";
import "../service/http/mod.ts";
import { ArticleView, ChainView, RevisionResponse } from "./article-v1.ts";
import { looseFields } from "./testing-fields.ts";

const AT = "2024-03-01T08:00:00.000Z";
const DOC_ID = "0b51a9a4-52d5-4b0c-9a3d-9f2f6d9a4c11";
const report = {
  ...{ article_id: 7, source_id: "wire", source_name: "Wire", title: "Harbour reopens", url: "https://a.test/7" },
  published_at: AT,
};

const ARTICLE = {
  ...{ article_id: 1, doc_id: DOC_ID, source_id: "wire", external_id: "1", url: "https://a.test/1" },
  ...{ canonical_url: "https://a.test/1", title: "Harbour", content: "The harbour reopens.", summary: "It reopens." },
  ...{ lang: "en", published_at: AT, authors: ["Rana"], images: ["https://a.test/1.png"], category_label: "Trade" },
  ...{ provider: "feed", category_id: "economy", category_source: "label", category_confidence: 0.9 },
  ...{ taxonomy_version: "1", content_hash: "ab", state: "indexed", state_reason: "why", gone_at: AT },
  ...{ paywalled: false, story_id: 3, raw: {} },
  entities: [
    { entity_id: 2, name: "Tyre", type: "GPE", mentions: 1, confidence: 0.5, offsets: [{ start: 0, end: 4 }] },
  ],
  relations: [{ type: "visit", args: {}, confidence: 0.5, offsets: { start: 0, end: 4 }, meta: {} }],
  near_duplicates: [{ ...report, overlap: 0.4 }],
  stages: [{ name: "entities", state: "waiting", attempts: 1, reason: "why" }],
};

const link = {
  ...{ ...report, kind: "copy", overlap: 0.9, overlap_of_source: 0.8, confidence: 0.97 },
  from: { article_id: 6, url: "https://b.test/6" },
  credits: [{ name: "Reuters", text: "(Reuters)", offsets: { start: 0, end: 9 } }],
};

const CHAIN = { article_id: 7, story_id: 3, links: [link], reports: [report] };

const error = { type: "/errors/unknown-article", title: "Invalid Payload", detail: "there is none" };
const REVISIONS = {
  schema: "revisions.v1",
  summary: { request_id: DOC_ID, received: 1, recorded: 1, known: 0, failed: 0 },
  results: [{ external_id: "1", status: "recorded", article_id: 1, revision: 2, error }],
};

test.each([
  [
    "an article",
    ArticleView,
    ARTICLE,
    ["raw"],
    [
      ...["summary", "lang", "published_at", "category_label", "provider", "category_id", "category_source"],
      ...["category_confidence", "taxonomy_version", "state_reason", "gone_at", "story_id", "raw"],
      ...["entities[].confidence", "near_duplicates[].published_at", "stages[].reason"],
    ],
  ],
  [
    "a chain",
    ChainView,
    CHAIN,
    [],
    [
      ...["story_id", "links[].article_id", "links[].published_at", "links[].from", "links[].from.article_id"],
      "reports[].published_at",
    ],
  ],
  [
    "what became of revisions",
    RevisionResponse,
    REVISIONS,
    ["results[].article_id", "results[].revision", "results[].error"],
    ["results[].external_id"],
  ],
])("%s lacks nothing and has null nowhere but where clients are told so", (_, schema, example, optional, nullable) => {
  expect(looseFields(schema, example)).toEqual({ optional, nullable, any: [] });
});

describe("what is said of an article", () => {
  test.each([
    ["a state", ArticleView, ARTICLE, { state: "failed" }, { state: "lost" }],
    ["a document's id", ArticleView, ARTICLE, { doc_id: DOC_ID.toUpperCase() }, { doc_id: "1" }],
    ["a number", ArticleView, ARTICLE, { article_id: 2 ** 53 - 1 }, { article_id: 1.5 }],
    ["a share", ChainView, CHAIN, { links: [{ ...link, overlap: 1 }] }, { links: [{ ...link, overlap: 1.01 }] }],
    ["no share", ChainView, CHAIN, { links: [{ ...link, overlap: 0 }] }, { links: [{ ...link, overlap: -0.01 }] }],
    ["a kind", ChainView, CHAIN, { links: [{ ...link, kind: "partial" }] }, { links: [{ ...link, kind: "near" }] }],
    ["a chain", ChainView, CHAIN, { links: [], reports: [] }, { links: null }],
    ["a version", RevisionResponse, REVISIONS, { schema: "revisions.v1" }, { schema: "revisions.v2" }],
  ])("%s is within its bounds", (_, schema, example, good, bad) => {
    const isTaken = (over: object) => schema.safeParse({ ...example, ...over }).success;
    expect([isTaken(good), isTaken(bad)]).toEqual([true, false]);
  });

  test("beyond what is agreed is not passed on", () => {
    expect(ArticleView.parse({ ...ARTICLE, secret: 1 })).toEqual(ArticleView.parse(ARTICLE));
    expect(ChainView.parse({ ...CHAIN, links: [{ ...link, secret: 1 }] })).toEqual(ChainView.parse(CHAIN));
  });
});
