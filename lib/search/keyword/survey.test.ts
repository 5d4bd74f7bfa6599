import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../../std/mod.ts";
import { readQuery } from "../query-language/parse.ts";
import { openKeywordIndex } from "./open.ts";
import { randomNumbers } from "./testing/random.ts";
import type { KeywordDoc, KeywordIndex, KeywordQuery, Survey, SurveyQuery } from "./types.ts";

const random = randomNumbers(3);
const pick = <T>(values: readonly T[]): T => at(values, random(values.length));
const WORDS = "harbour ship port strike canal ميناء سفينة إضراب قناة اقتصاد the market 2018 covid-19 Reuters".split(
  " ",
);
const text = (words: number) => Array.from({ length: words }, () => pick(WORDS)).join(" ");
const AUTHORS = ["Jane Doe", "Dr. Jané Doe-Smith", "أحمد علي", "Ali"];

const DOCS = Array.from({ length: 300 }, (_, i): KeywordDoc => {
  const day = 86_400_000 * random(60);
  return {
    articleId: i + 1,
    title: text(2 + random(3)),
    content: text(5 + random(20)),
    lang: pick(["ar", "en", null]),
    sourceId: pick(["wire", "Daily", "gazette"]),
    categoryId: pick(["sport", "politics", null]),
    domain: pick(["news.example", "ar.news.example", "daily.example"]),
    tier: 3,
    publishedAt: random(4) === 0 ? null : new Date(1_700_000_000_000 + day).toISOString(),
    createdAt: new Date(1_700_000_000_000 + 3_600_000 * i).toISOString(),
    authors: Array.from({ length: random(3) }, () => pick(AUTHORS)),
  };
});

let dir: string;
let index: KeywordIndex;
const survey = async (query: SurveyQuery): Promise<Survey> => {
  if (index.survey === undefined) throw new Error("no survey");
  return await index.survey(query);
};
const all = async (query: Omit<KeywordQuery, "limit">) =>
  (await index.search({ ...query, limit: 1_000 })).hits.map(({ articleId }) => articleId).sort((a, b) => a - b);
const keysOf = async (query: SurveyQuery) =>
  Array.from((await survey({ ...query, list: { order: "any", from: 0, limit: 1_000 } })).keys).sort((a, b) => a - b);

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), "isnad-survey-"));
  index = await openKeywordIndex({ dir });
  await index.reset();
  for (let from = 0; from < DOCS.length; from += 50) await index.upsert(DOCS.slice(from, from + 50));
  await index.upsert([at(DOCS, 10)]);
  await index.remove([5, 77, 299]);
  await index.complete();
});
afterAll(async () => {
  await index.close();
  rmSync(dir, { recursive: true });
});

const DELETED = new Set([5, 77, 299]);
const docOf = (id: number) => at(DOCS, id - 1);
const timeOf = ({ publishedAt, createdAt }: KeywordDoc) => Date.parse(publishedAt ?? createdAt ?? "");

test("a survey has the hits of the search, all of them, whatever the query", async () => {
  let hits = 0;
  for (let i = 0; i < 150; i++) {
    const query = {
      text: text(1 + random(4)),
      ...(random(3) === 0 && { filters: { lang: pick(["ar", "en"]) } }),
      ...(random(4) === 0 && { fields: { title: 1 } }),
      ...(random(3) === 0 && { typos: "auto" as const }),
      ...(random(3) === 0 && { prefix: true }),
      ...(random(3) === 0 && { condition: readQuery(text(2), pick(["any", "all"])).condition }),
    };
    const found = await all(query);
    expect(await keysOf(query)).toEqual(found);
    expect((await survey(query)).total).toBe(found.length);
    hits += found.length;
  }
  expect(hits).toBeGreaterThan(1_000);
});

test("facets count what the hits have, most first", async () => {
  for (let i = 0; i < 20; i++) {
    const query = { text: i % 4 === 0 ? "" : text(2), filters: { source: pick(["wire", "Daily"]) } };
    const docs = (await keysOf(query)).map(docOf);
    const { facets } = await survey({
      ...query,
      facets: ["source", "category", "lang", "domain", "author"],
      facetLimit: 2,
    });
    const counted = (valuesOf: (doc: KeywordDoc) => readonly (string | null | undefined)[]) => {
      const counts = new Map<string, number>();
      for (const value of docs.flatMap((doc) => [...new Set(valuesOf(doc))])) {
        if (typeof value === "string") counts.set(value, (counts.get(value) ?? 0) + 1);
      }
      return [...counts]
        .map(([value, count]) => ({ value, count }))
        .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1))
        .slice(0, 2);
    };
    expect(facets).toEqual({
      source: counted((doc) => [doc.sourceId]),
      category: counted((doc) => [doc.categoryId]),
      lang: counted((doc) => [doc.lang]),
      domain: counted((doc) => [doc.domain]),
      author: counted((doc) => doc.authors ?? []),
    });
  }
});

test("lists are in the order of time, of ids where that is equal, and page by page the whole", async () => {
  const newest = DOCS.filter(({ articleId }) => !DELETED.has(articleId))
    .sort((a, b) => timeOf(b) - timeOf(a) || b.articleId - a.articleId)
    .map(({ articleId }) => articleId);
  const page = async (order: "newest" | "oldest", from: number, limit: number) =>
    Array.from((await survey({ text: "", list: { order, from, limit } })).keys);
  expect(await page("newest", 0, 1_000)).toEqual(newest);
  expect(await page("oldest", 0, 1_000)).toEqual(newest.toReversed());
  expect([...(await page("newest", 0, 7)), ...(await page("newest", 7, 9))]).toEqual(newest.slice(0, 16));
});

test("hits of the other branch are counted once, and those that are gone not at all", async () => {
  const words = await keysOf({ text: "canal" });
  const others = DOCS.map(({ articleId }) => articleId).filter((id) => !words.includes(id) && !DELETED.has(id));
  const also = [...others.slice(0, 3), at(words, 0), 5, 77, 9_999].reverse();
  expect((await survey({ text: "canal", also })).total).toBe(words.length + 3);
  expect(await keysOf({ text: "canal", also, alone: true })).toEqual(
    [...others.slice(0, 3), at(words, 0)].sort((a, b) => a - b),
  );
});

test("a histogram counts all hits, those without a date by when they came", async () => {
  const { histogram = [], total } = await survey({ text: "ship", histogram: { unit: "day", zone: "Asia/Beirut" } });
  expect(histogram.reduce((sum, { count }) => sum + count, 0)).toBe(total);
  const days = new Map<string, number>();
  const format = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Beirut" });
  for (const id of await keysOf({ text: "ship" })) {
    const day = format.format(timeOf(docOf(id)));
    days.set(day, (days.get(day) ?? 0) + 1);
  }
  expect(histogram.map(({ from, count }) => [format.format(from), count])).toEqual([...days].sort());
});

describe("a condition", () => {
  const meeting = async (query: string, match: "any" | "all" = "any") => {
    const { text, condition } = readQuery(query, match);
    return await keysOf({ text, condition });
  };
  const docs = (test: (doc: KeywordDoc) => boolean) =>
    DOCS.filter((doc) => !DELETED.has(doc.articleId) && test(doc)).map(({ articleId }) => articleId);
  const has = (field: string, word: string) => field.split(" ").includes(word);
  const holds = (doc: KeywordDoc, word: string) => has(doc.title, word) || has(doc.content, word);

  test("of all words", async () => {
    expect(await meeting("2018 market", "all")).toEqual(docs((doc) => holds(doc, "2018") && holds(doc, "market")));
    expect(await meeting("the 2018", "all")).toEqual(docs((doc) => holds(doc, "2018")));
  });

  test("of all words takes a typing error for what was meant, and a begun word for what it begins", async () => {
    const both = docs((doc) => holds(doc, "canal") && holds(doc, "market"));
    const { text, condition } = readQuery("canla market", "all");
    const query = { text, condition, filters: { lang: "en" } };
    const english = both.filter((id) => docOf(id).lang === "en");
    expect(await keysOf({ ...query, typos: "auto" })).toEqual(expect.arrayContaining(english));
    expect((await keysOf(query)).length).toBeLessThan(english.length);
    const begun = readQuery("canal mark", "all");
    const prefixed = await keysOf({ ...begun, filters: { lang: "en" }, prefix: true });
    expect(prefixed).toEqual(expect.arrayContaining(english));
  });

  test("of choices, brackets and what is left out", async () => {
    expect(await meeting("(2018 OR market) -Reuters", "all")).toEqual(
      docs((doc) => (holds(doc, "2018") || holds(doc, "market")) && !holds(doc, "Reuters")),
    );
    expect(await meeting('"2018 market" OR "market 2018"')).toEqual(
      docs(({ title, content }) => /2018 market|market 2018/.test(`${title} | ${content}`)),
    );
    expect(await meeting("-(2018 market)")).toEqual(docs((doc) => !(holds(doc, "2018") && holds(doc, "market"))));
  });

  test("of fields, with names in any case and spelling", async () => {
    expect(await meeting("title:2018")).toEqual(docs(({ title }) => has(title, "2018")));
    expect(await meeting('title:"the market"')).toEqual(docs(({ title }) => title.includes("the market")));
    expect(await meeting("source:daily")).toEqual(docs(({ sourceId }) => sourceId === "Daily"));
    expect(await meeting("domain:News.Example. -lang:AR")).toEqual(
      docs(({ domain, lang }) => String(domain).endsWith("news.example") && lang !== "ar"),
    );
    expect(await meeting('author:"jane doe"')).toEqual(
      docs(({ authors = [] }) => authors.some((name) => name.startsWith("Jane") || name.startsWith("Dr"))),
    );
    expect(await meeting("author:علي")).toEqual(docs(({ authors = [] }) => authors.includes("أحمد علي")));
    expect(await meeting("category:sport 2018")).toEqual(
      docs((doc) => doc.categoryId === "sport" && holds(doc, "2018")),
    );
  });

  test("in the other language by translation, but not of what is left out", async () => {
    const bilingual = await meeting("harbour", "all");
    expect(bilingual.some((id) => holds(docOf(id), "ميناء") && !holds(docOf(id), "harbour"))).toBe(true);
    const without = await meeting("-harbour");
    expect(without.some((id) => holds(docOf(id), "ميناء"))).toBe(true);
    expect(without.every((id) => !holds(docOf(id), "harbour"))).toBe(true);
  });
});

test("a snapshot keeps times and authors", async () => {
  const query: SurveyQuery = { text: "", facets: ["author"], list: { order: "newest", from: 0, limit: 1_000 } };
  const before = await survey(query);
  await index.advance({ seq: 9, mark: "m" });
  await index.save();
  await index.close();
  index = await openKeywordIndex({ dir });
  expect(await survey(query)).toEqual(before);
});
