import { describe, expect, test } from "bun:test";
import "../service/http/mod.ts";
import { WebhookEvent } from "./events-v1.ts";
import { looseFields } from "./testing-fields.ts";

const AT = "2026-01-05T08:00:00.000Z";
const article = {
  ...{ article_id: 1, doc_id: "0b51a9a4-52d5-4b0c-9a3d-9f2f6d9a4c11", source_id: "wire", url: "https://a.test/1" },
  ...{ title: "Harbour", lang: "en", published_at: AT, content_hash: "ab" },
};
const story = { story_id: 3, title: "Harbour", size: 2, languages: ["en", "ar"] };
const source = { key: "wire", name: "Wire", last_day: 0, usual: 12.5 };
const search = { search_id: 5, name: "Harbours", repeated: true };

const OF_ARTICLE = ["article.lang", "article.published_at"];

/** Each kind with all that it may say, and which of its fields may be missing, and null. */
const KINDS: Record<string, { says: object; optional?: string[]; nullable?: string[] }> = {
  "article.upserted": { says: { article }, nullable: OF_ARTICLE },
  "article.deleted": { says: { article }, nullable: OF_ARTICLE },
  "article.revised": {
    says: {
      article,
      revision: {
        ...{ revision: 2, kind: "changed", title: "Harbour reopens", content_hash: "cd" },
        reported_by: { source_id: "wire", external_id: "1" },
      },
    },
    optional: ["revision.title", "revision.content_hash"],
    nullable: OF_ARTICLE,
  },
  "story.created": { says: { story }, nullable: ["story.title"] },
  "story.updated": { says: { story }, nullable: ["story.title"] },
  "story.merged": { says: { story_id: 3, merged_into: 2 } },
  "claim.repeated": {
    says: {
      article,
      claim: { claim_id: 9, text: "It cost 40 million.", lang: "en", offsets: { start: 0, end: 19 }, articles: 2 },
      reviews: [{ review_id: 1, rating: 1, publisher: "Desk", url: "https://desk.test/1" }],
    },
    nullable: [...OF_ARTICLE, "reviews[].rating", "reviews[].url"],
  },
  "source.quiet": { says: { source }, nullable: ["source.usual"] },
  "source.doubled": { says: { source }, nullable: ["source.usual"] },
  "source.usual": { says: { source }, nullable: ["source.usual"] },
  "search.matched": { says: { article, ...search }, optional: ["repeated"], nullable: OF_ARTICLE },
  "search.digest": {
    says: { ...search, matches: [{ id: 4, matched_at: AT, article }] },
    optional: ["repeated"],
    nullable: ["matches[].article.lang", "matches[].article.published_at"],
  },
};

const event = (type: string, says: object) => ({ id: 1, type, occurred_at: AT, ...says });

describe("an event", () => {
  test("is of one of these kinds", () => {
    const kinds = WebhookEvent.options.map(({ shape }) => shape.type.value);
    expect<string[]>(kinds).toEqual(Object.keys(KINDS));
    for (const wrong of ["article", "article.UPSERTED", "", null]) {
      expect(WebhookEvent.safeParse({ ...event("story.created", { story }), type: wrong }).success).toBe(false);
    }
  });

  test.each(Object.entries(KINDS))("%s says all that is agreed, and null where that is told", (type, kind) => {
    const { says, optional = [], nullable = [] } = kind;
    expect(looseFields(WebhookEvent, event(type, says))).toEqual({ optional, nullable, any: [] });
    expect(WebhookEvent.parse(event(type, says))).toEqual(WebhookEvent.parse({ ...event(type, says), secret: 1 }));
  });

  test.each(Object.keys(KINDS))("of the kind %s is none of a kind that says something else", (type) => {
    for (const [other, { says }] of Object.entries(KINDS)) {
      const mine = Object.keys(KINDS[type]?.says ?? {});
      const isEnough = mine.every((field) => field in says || field === "repeated");
      expect([other, WebhookEvent.safeParse(event(type, says)).success]).toEqual([other, isEnough]);
    }
  });
});
