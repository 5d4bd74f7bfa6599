import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openKeywordIndex } from "./open.ts";
import type { KeywordDoc, KeywordIndex, KeywordQuery } from "./types.ts";

const doc = (articleId: number, fields: Partial<KeywordDoc>): KeywordDoc => ({
  articleId,
  title: "",
  content: "",
  lang: "ar",
  sourceId: "wire",
  categoryId: null,
  domain: "news.example",
  tier: 3,
  publishedAt: null,
  ...fields,
});

const at = (ms: number) => new Date(ms).toISOString();

const DOCS = [
  doc(1, { title: "زيارة إلى مَرَّاكُش", content: "وصل الوفد إلى المدينة", publishedAt: at(1000), categoryId: "culture" }),
  doc(2, { title: "رحلة", content: "عاد الأحمد من مراكش أمس", domain: "ar.news.example", publishedAt: at(2000) }),
  doc(3, { title: "الكتب الجديدة", content: "اشترى كتاباً من المكتبة", sourceId: "daily", tier: 1 }),
  doc(4, {
    title: "Harbour reopens",
    content: "The harbours were quiet in 2018.",
    lang: "en",
    domain: "othernews.example",
  }),
  doc(5, { title: "Fish prices", content: "A harbour town counts its boats.", lang: "en", publishedAt: at(3000) }),
];

let dir: string;
let index: KeywordIndex;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "isnad-keyword-"));
  index = await openKeywordIndex({ dir });
  await index.reset();
  await index.upsert(DOCS);
  await index.complete();
});
afterAll(async () => {
  await index.close();
  rmSync(dir, { recursive: true });
});

const found = async (text: string, more: Partial<KeywordQuery> = {}) =>
  (await index.search({ text, limit: 10, ...more })).hits.map((hit) => hit.articleId);

describe("a keyword search", () => {
  test("finds Arabic words whatever their diacritics, hamza forms and clitics", async () => {
    expect(await found("مراكش")).toEqual([1, 2]);
    expect(await found("مَرّاكُش")).toEqual([1, 2]);
    expect(await found("الاحمد")).toEqual([2]);
    expect(await found("أحمد")).toEqual([2]);
    expect(await found("وبمراكش")).toContain(2);
  });

  test("finds another form of the word, below the form that was asked for", async () => {
    expect(await found("كتاب")).toEqual([3]);
    expect(await found("harbour")).toEqual([4, 5]);
    expect(await found("HARBOURS")).toEqual([4, 5]);
  });

  test("weighs fields as it is told, and leaves out those without weight", async () => {
    expect(await found("harbour fish", { fields: { title: 1 } })).toEqual(expect.arrayContaining([4, 5]));
    expect(await found("harbour", { fields: { title: 1 } })).toEqual([4]);
    expect(await found("boats", { fields: { title: 5 } })).toEqual([]);
    expect((await found("harbour", { fields: { title: 0, content: 1 } })).toSorted()).toEqual([4, 5]);
    expect(await found("harbour", { fields: {} })).toEqual([]);
  });

  test("keeps every filter", async () => {
    expect(await found("مراكش harbour", { filters: { lang: "en" } }).then((ids) => ids.toSorted())).toEqual([4, 5]);
    expect(await found("كتاب مراكش", { filters: { source: "daily" } })).toEqual([3]);
    expect(await found("كتاب مراكش", { filters: { source_tier: 1 } })).toEqual([3]);
    expect(await found("مراكش", { filters: { category: "culture" } })).toEqual([1]);
    expect((await found("مراكش harbour", { filters: { domain: "news.example" } })).toSorted()).toEqual([1, 2, 5]);
    expect(await found("مراكش", { filters: { domain: "ar.news.example" } })).toEqual([2]);
    expect((await found("مراكش harbour", { filters: { from: 2000 } })).toSorted()).toEqual([2, 5]);
    expect((await found("مراكش harbour", { filters: { from: 1000, to: 2000 } })).toSorted()).toEqual([1, 2]);
  });

  test("keeps a term of each field", async () => {
    expect(await found("مراكش", { term: { field: "article_id", value: 2 } })).toEqual([2]);
    expect(await found("harbour", { term: { field: "domain", value: "othernews.example" } })).toEqual([4]);
    expect(await found("harbour", { term: { field: "content", value: "boats" } })).toEqual([5]);
    expect(await found("harbour", { term: { field: "title", value: "boats" } })).toEqual([]);
    expect(await found("harbour", { term: { field: "source_tier", value: 1 } })).toEqual([]);
  });

  test("finds a query of stop words only, and nothing for one without words", async () => {
    expect((await found("من إلى")).length).toBeGreaterThan(0);
    for (const nothing of ["", "   ", "؟!", "😀", '"', "* OR NOT ^", "\u0000"]) {
      expect(await found(nothing).then((ids) => ids.length)).toBeGreaterThanOrEqual(0);
    }
    expect(await found("؟!")).toEqual([]);
  });

  test("takes no operator of the query language for one", async () => {
    for (const text of [
      'harbour"',
      "harbour*",
      "NEAR(harbour)",
      "title:harbour",
      "harbour - reopens",
      "harbour-reopens",
      "harbour AND NOT quiet",
      "~harbour",
    ]) {
      expect(await found(text)).toContain(4);
    }
  });

  test("keeps to phrases as they are written, in title or content", async () => {
    expect(await found('"harbour town"')).toEqual([5]);
    expect(await found("«town harbour»")).toEqual([]);
    expect(await found("“harbours were quiet”")).toEqual([4]);
    expect(await found('"harbour were"')).toEqual([]);
    expect(await found('"reopens the"')).toEqual([]);
    expect(await found('"مَراكش"')).toEqual([1, 2]);
    expect(await found('"الى مراكش"')).toEqual([1]);
    expect(await found('harbour "fish prices"')).toEqual([5]);
  });

  test("takes a phrase that no document has for its words where the query has others", async () => {
    expect(await found('fish "harbour boats"')).toEqual([5, 4]);
    expect(await found('"harbour boats"')).toEqual([]);
  });

  test("finds what holds a phrase of stop words, whatever other words the query has", async () => {
    await index.upsert([doc(41, { content: "To be or not to be.", lang: "en" })]);
    expect(await found('harbour "or not to be"')).toEqual([41]);
    expect(await found('"or not to be"')).toEqual([41]);
    await index.remove([41]);
    expect((await found('harbour "or not to be"')).toSorted()).toEqual([4, 5]);
  });

  test("leaves out what the query excludes", async () => {
    expect(await found("harbour -fish")).toEqual([4]);
    expect(await found("harbour -boat")).toEqual([4]);
    expect(await found('harbour -"a harbour"')).toEqual([4]);
    expect(await found('harbour -"harbour a"')).toEqual([4, 5]);
    expect(await found("-harbour")).toEqual([]);
    expect(await found("harbour -fish-prices")).toEqual([4]);
    expect(await found("harbour -fish-2018")).toEqual([4, 5]);
  });

  test("says which articles an answer may hold", async () => {
    const ids = [4, 5, 1, 77];
    expect(await index.allowed({ text: "anything" }, ids)).toEqual([4, 5, 1]);
    expect(await index.allowed({ text: "anything -boats" }, ids)).toEqual([4, 1]);
    expect(await index.allowed({ text: '"were quiet"' }, ids)).toEqual([4]);
    expect(await index.allowed({ text: "anything", filters: { lang: "ar" } }, ids)).toEqual([1]);
  });

  test("puts the document first whose title is the query, and words as written above their stems", async () => {
    const more = [
      doc(20, { title: "Prices of fish, fish prices and more fish prices", content: "fish prices fish prices" }),
      doc(21, { title: "الميناء", content: "ميناء" }),
      doc(22, { title: "ميناء", content: "الميناء" }),
    ];
    await index.upsert(more);
    expect((await found("fish prices"))[0]).toBe(5);
    expect((await found("«Fish: prices!»"))[0]).toBe(5);
    expect((await found("ميناء")).slice(0, 2)).toEqual([22, 21]);
    expect((await found("الميناء")).slice(0, 2)).toEqual([21, 22]);
    await index.remove(more.map(({ articleId }) => articleId));
  });

  test("words as written count only in the fields that are searched", async () => {
    await index.upsert([
      doc(31, { title: "bells toll slowly", content: "slow bells tolled" }),
      doc(32, { title: "slow bells tolled", content: "slow bells tolled" }),
      doc(33, { title: "slow bells tolled", content: "bells toll slowly" }),
    ]);
    const scores = async (fields: KeywordQuery["fields"]) => {
      const { hits } = await index.search({ text: "bells toll", limit: 9, fields });
      return [31, 32, 33].map((id) => hits.find(({ articleId }) => articleId === id)?.score ?? 0);
    };
    const [alike = 0, same, above = 0] = await scores({ content: 1 });
    expect(same).toBe(alike);
    expect(above).toBeGreaterThan(alike);
    const [first = 0, second = 0, third] = await scores({ title: 1 });
    expect(third).toBe(second);
    expect(first).toBeGreaterThan(second);
    await index.remove([31, 32, 33]);
  });

  test("a title that begins with the query counts more than its words elsewhere, three of them at least", async () => {
    const more = [
      doc(20, { title: "Lanterns light the quay again and again", content: "Another evening." }),
      doc(21, { title: "Tonight lanterns light the quay", content: "Another evening." }),
    ];
    await index.upsert(more);
    expect((await found("lanterns light the")).slice(0, 2)).toEqual([20, 21]);
    expect((await found("lanterns light")).slice(0, 2)).toEqual([21, 20]);
    await index.remove([20, 21]);
  });

  test("returns at most `limit`, best first, equal scores by descending id", async () => {
    expect(await found("harbour", { limit: 1 })).toEqual([4]);
    const { hits } = await index.search({ text: "harbour مراكش", limit: 10 });
    expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).toSorted((a, b) => b - a));
    await index.upsert([doc(91, { title: "twin" }), doc(90, { title: "twin" })]);
    expect(await found("twin")).toEqual([91, 90]);
    await index.remove([90, 91]);
  });
});

describe("of its first hit a search says how much of the query it holds", () => {
  test.each([
    ["زيارة مراكش", 1, { title: 1, passage: 0, known: 1 }],
    ["عاد الأحمد من مراكش", 2, { title: 0, passage: 1, known: 1 }],
    ["quiet harbours 2018", 4, { title: expect.closeTo(0.13, 2), passage: 1, known: 1 }],
    ["harbour zzzz", 4, { title: 1, passage: 1, known: 0.5 }],
  ])("%s", async (text, articleId, matched) => {
    const [first, ...others] = (await index.search({ text, limit: 10 })).hits;
    expect(first).toMatchObject({ articleId, matched });
    for (const other of others) expect(other.matched).toBeUndefined();
  });

  test("it begins with the words of the query that stand at their places as written, three of them at least", async () => {
    await index.upsert([doc(70, { title: "Four lighthouses rescued by volunteers", content: "Nothing else of it." })]);
    const openingOf = async (text: string) => (await index.search({ text, limit: 1 })).hits[0]?.matched?.opening;
    expect(await openingOf("four lighthouses rescued")).toBe(1);
    expect(await openingOf("Four lighthouzes rescued by volunteers")).toBe(0.8);
    expect(await openingOf("nothing else of lighthouses rescued")).toBe(0.6);
    expect(await openingOf("four lighthouse rescue by volunteers")).toBe(0.6);
    expect(await openingOf("four lighthouses")).toBe(0);
    expect(await openingOf("lighthouses rescued by volunteers")).toBe(0);
    await index.remove([70]);
  });

  test("words that stand apart in a text are not held in one place", async () => {
    const apart = `alpha ${"filler ".repeat(20)} omega`;
    await index.upsert([doc(70, { title: "x", content: apart })]);
    const [first] = (await index.search({ text: "alpha omega", limit: 10 })).hits;
    expect(first).toMatchObject({ articleId: 70, matched: { title: 0, passage: expect.closeTo(0.5, 5), known: 1 } });
    await index.remove([70]);
  });
});

test("a number is found however its groups are parted, and its document is no longer by them", async () => {
  await index.upsert([
    doc(70, { content: "shells cost 73,200 in all" }),
    doc(71, { content: "shells cost 73 200 in all" }),
    doc(72, { content: "shells cost 73200 in all" }),
    doc(73, { content: "دفعت ٧٣٬٢٠٠ ليرة" }),
  ]);
  expect((await found("73200")).toSorted()).toEqual([70, 72, 73]);
  expect((await found('"73,200"')).toSorted()).toEqual([70, 73]);
  expect(await found("shells -73200")).toEqual([71]);
  const { hits } = await index.search({ text: "shells", limit: 10 });
  const scores = new Map(hits.map(({ articleId, score }) => [articleId, score]));
  expect(scores.get(70)).toBe(scores.get(71));
  await index.remove([70, 71, 72, 73]);
});

describe("a change", () => {
  test("replaces what was there, is seen at once, and can be taken back", async () => {
    await index.upsert([doc(50, { title: "First words" })]);
    expect(await found("first")).toEqual([50]);
    await index.upsert([doc(50, { title: "Second words" }), doc(50, { title: "Third words" })]);
    expect(await found("first second")).toEqual([]);
    expect(await found("third")).toEqual([50]);
    await index.remove([50, 51]);
    expect(await found("third")).toEqual([]);
    expect(await index.ids(2, 2)).toEqual([3, 4]);
    expect(await index.count()).toBe(5);
  });

  test("of a source's tier holds for all its documents", async () => {
    await index.setTier("daily", 2);
    expect(await found("كتاب", { filters: { source_tier: 1 } })).toEqual([]);
    expect(await found("كتاب", { filters: { source_tier: 2 } })).toEqual([3]);
    await index.setTier("daily", 1);
  });
});
