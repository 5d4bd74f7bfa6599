import { ENTITY_TYPES } from "@isnad/lib/contract";
import { afterAll, expect, setDefaultTimeout, test } from "bun:test";
import { createTagger, openRegistry } from "@isnad/lib/models";
import { indexedArticles, testStore } from "@isnad/lib/store/testing";
import { tagArticles } from "./entities.ts";

setDefaultTimeout(300_000);

const { store, close } = await testStore();
const tagger = await createTagger({ registry: openRegistry(), timeoutMs: 240_000 });
const { signal } = new AbortController();

afterAll(async () => {
  await tagger.close();
  await close();
});

/** A content, and the names that are in it whatever stands around them. */
const contents: Record<string, [string, string[]]> = {
  empty: ["", []],
  "white space": [" \n\t\u00a0", []],
  "one character": ["a", []],
  "one Arabic character": ["ب", []],
  "20,000 characters without a space": ["x".repeat(20_000), []],
  "20,000 characters of names": ["Angela Merkel met Emmanuel Macron in Paris. ".repeat(455), ["Paris"]],
  emoji: ["😀👨‍👩‍👧🏳️‍🌈 😀", []],
  "a name between emoji": ["😀 Officials met in Paris on Tuesday 😀", ["Paris"]],
  "mixed scripts": ["Officials from 東京 met in Paris (باريس) on Tuesday, сегодня", ["Paris"]],
  "right-to-left marks": ["\u200f\u202b\u202c\u2066\u2069", []],
  "a name in right-to-left marks": ["Officials met in \u200e\u202aParis\u202c on Tuesday", ["Paris"]],
  "control characters": ["\u0001\u0007\u001b[31m\u0000", []],
  "a name between control characters": ["\u0007Officials met in Paris\u0000 on Tuesday\u001b[0m", ["Paris"]],
  "an unknown language": ["Das Wetter ist heute schön geworden, sagte er.", []],
  "an unknown script": ["今日は天気がいい", []],
  "half of a surrogate pair": ["\ud800 Officials met in Paris on Tuesday \udc00", ["Paris"]],
};

test.each(Object.entries(contents))(
  "an article that is %s is done, its places are within it",
  async (_, [content, names]) => {
    const [articleId = 0] = await indexedArticles(store, 1);
    const work = [{ articleId, title: content, content }];
    expect(await tagArticles({ store, tagger }, work, signal)).toMatchObject({ done: 1, failures: [] });
    const entities = (await store.articles.get(articleId))?.entities ?? [];
    expect(entities.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
    const length = [...content].length;
    for (const { name, type, spans } of entities) {
      expect(name.trim()).not.toBe("");
      expect(["PER", "LOC", "ORG", "MISC", ...ENTITY_TYPES]).toContain(type);
      for (const offset of spans) expect(offset).toBeWithin(0, length + 1);
    }
  },
);
