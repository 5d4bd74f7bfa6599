import { describe, expect, test } from "bun:test";
import {
  ARTICLE_ENTITY_TYPES,
  ClaimSentence,
  DialectSentence,
  ENTITY_TYPES,
  EntitySentence,
  RelationSentence,
  SenseEntry,
} from "./lexicon.ts";

const sense = {
  ...{ id: "verbs-1-0001", lemma: "كَتَبَ", pos: "verb", root: "ك ت ب", gloss: "خط الحروف", en: ["write"] },
  examples: ["كتب الرسالة"],
};
const isTaken = (schema: { safeParse(value: unknown): { success: boolean } }, value: object, over: object = {}) =>
  schema.safeParse({ ...value, ...over }).success;

describe("a sense", () => {
  test.each([
    [{ id: "verbs-1-00012" }, { id: "verbs-1-001" }],
    [{ id: "a-0001" }, { id: "Verbs-0001" }],
    [{ lemma: "قٰ" }, { lemma: "كتب" }],
    [{ root: "" }, { root: "كتب" }],
    [{ root: "ك ت ب ر ت" }, { root: "ك ت" }],
    [{ root: "ك ت ب ر" }, { root: "ك ت ب ر ت م" }],
    [{ gloss: "خ" }, { gloss: " خط" }],
    [{ gloss: "خط الحروف" }, { gloss: "خط\nالحروف" }],
    [{ en: ["a", "b", "c"] }, { en: ["a", "b", "c", "d"] }],
    [{ examples: ["a", "b"] }, { examples: ["a", "b", "c"] }],
    [{ pos: "mwe" }, { pos: "phrase" }],
    [{}, { en: [] }],
    [{}, { examples: [] }],
    [{}, { note: "unknown" }],
  ])("has rules: %j is taken, %j is not", (good, bad) => {
    expect([isTaken(SenseEntry, sense, good), isTaken(SenseEntry, sense, bad)]).toEqual([true, false]);
  });
});

test("entities have 21 types, of which articles have all but occupations, and two of their own", () => {
  expect([ENTITY_TYPES.length, new Set(ENTITY_TYPES).size]).toEqual([21, 21]);
  expect(ARTICLE_ENTITY_TYPES).toHaveLength(22);
  expect(ARTICLE_ENTITY_TYPES).not.toContain("OCC");
  expect(ARTICLE_ENTITY_TYPES).toContain("PER");
  const sentence = { id: "news-1-0001", text: "زار الوزير عمان", entities: [{ start: 11, end: 15, type: "GPE" }] };
  expect(isTaken(EntitySentence, sentence)).toBe(true);
  expect(isTaken(EntitySentence, sentence, { entities: [{ start: 0, end: 0, type: "GPE" }] })).toBe(false);
  expect(isTaken(EntitySentence, sentence, { entities: [{ start: -1, end: 3, type: "GPE" }] })).toBe(false);
  expect(isTaken(EntitySentence, sentence, { entities: [{ start: 0, end: 3, type: "CITY" }] })).toBe(false);
});

test("events have a trigger, a type and arguments with roles; a sentence may tell of none", () => {
  const sentence = { id: "news-1-0001", text: "زار الوزير عمان", events: [] };
  const event = { trigger: { start: 0, end: 3 }, type: "visit", arguments: [{ role: "place", start: 11, end: 15 }] };
  expect(isTaken(RelationSentence, sentence)).toBe(true);
  expect(isTaken(RelationSentence, sentence, { events: [event] })).toBe(true);
  expect(isTaken(RelationSentence, sentence, { events: [{ ...event, type: "picnic" }] })).toBe(false);
  const owner = [{ role: "owner", start: 1, end: 2 }];
  expect(isTaken(RelationSentence, sentence, { events: [{ ...event, arguments: owner }] })).toBe(false);
});

test("a dialect sentence has a region, and a word at least", () => {
  const word = {
    ...{ token: "بكرا", coda: "بكرا", segments: ["بكرا"], msa_lemma: "غدا", dialect_lemma: "بكرا" },
    ...{ pos: "ADV", gloss: "tomorrow" },
  };
  const sentence = { id: "home-1-0001", text: "بكرا", region: "syrian", tokens: [word] };
  expect(isTaken(DialectSentence, sentence)).toBe(true);
  expect(isTaken(DialectSentence, sentence, { tokens: [] })).toBe(false);
  expect(isTaken(DialectSentence, sentence, { region: "iraqi" })).toBe(false);
  expect(isTaken(DialectSentence, sentence, { tokens: [{ ...word, segments: [] }] })).toBe(false);
  expect(isTaken(DialectSentence, sentence, { tokens: [{ ...word, pos: "WORD" }] })).toBe(false);
});

test("the kind of a sentence decides whether it is a claim", () => {
  const sentence = (label: string, kind: string) => ({ id: "health-1-0001", text: "Prices rose.", label, kind });
  expect(isTaken(ClaimSentence, sentence("claim", "record"))).toBe(true);
  expect(isTaken(ClaimSentence, sentence("no", "wish"))).toBe(true);
  expect(isTaken(ClaimSentence, sentence("claim", "wish"))).toBe(false);
  expect(isTaken(ClaimSentence, sentence("no", "record"))).toBe(false);
});
