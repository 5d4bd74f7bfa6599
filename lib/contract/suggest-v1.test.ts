import { expect, test } from "bun:test";
import "../service/http/mod.ts";
import { SuggestBody, SuggestParams } from "./suggest-v1.ts";
import { looseFields } from "./testing-fields.ts";

test("suggestions are eight of a text of up to 512 characters, where the request does not say", () => {
  expect(SuggestParams.parse({ q: "مراك" })).toEqual({ q: "مراك", limit: 8 });
  expect(SuggestParams.parse({ q: "😀".repeat(512), limit: "20" }).limit).toBe(20);
  for (const wrong of [{}, { q: "" }, { q: "😀".repeat(513) }, { q: "a", limit: "" }, { q: "a", limit: "1.0" }]) {
    expect([wrong, SuggestParams.safeParse(wrong).success]).toEqual([wrong, false]);
  }
});

test("a suggestion has the number of its article or of its entity, where it has one", () => {
  const suggestion = { text: "Marrakesh", kind: "entity", article_id: 1, entity_id: 7, count: 12 };
  expect(looseFields(SuggestBody, { suggestions: [suggestion] })).toEqual({
    optional: ["suggestions[].article_id", "suggestions[].entity_id"],
    ...{ nullable: [], any: [] },
  });
  const isTaken = (kind: string) => SuggestBody.safeParse({ suggestions: [{ ...suggestion, kind }] }).success;
  expect(["title", "entity", "word", "story"].map(isTaken)).toEqual([true, true, true, false]);
  expect(SuggestBody.parse({ suggestions: [] })).toEqual({ suggestions: [] });
});
