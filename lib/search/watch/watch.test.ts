import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { at } from "../../std/mod.ts";
import { filtersOf, SavedQuery } from "../../contract/mod.ts";
import { openKeywordIndex } from "../keyword/open.ts";
import type { KeywordIndex } from "../keyword/types.ts";
import { readQuery } from "../query-language/parse.ts";
import { Spellings, type WatchedArticle, wordsOfArticle } from "./across.ts";
import { compileSearch, SearchIndex, TermCounts } from "./index.ts";

const DIMS = 4;

type Fields = Partial<Omit<WatchedArticle, "title" | "content">> & { title?: string; content?: string };

function article(articleId: number, { title = "", content = "", ...fields }: Fields): WatchedArticle {
  return {
    ...{
      articleId,
      sourceId: "wire",
      categoryId: null,
      domain: "news.example",
      publishedAt: null,
      lang: "en",
      tier: 3,
    },
    ...{ authors: [], entityIds: new Set<number>(), refuted: false, ...wordsOfArticle({ title, content }), ...fields },
  };
}

/** Holds saved searches, by their place from 1; their vectors are those given. */
function held(queries: readonly Record<string, unknown>[], vectors: readonly Float32Array[] = [], least = 0.6) {
  const counts = new TermCounts();
  const spellings = new Spellings(counts.of);
  const index = new SearchIndex(DIMS, spellings);
  const parts = { entityId: (name: string) => (name === "Tyre" ? 7 : undefined), rarity: counts.of, spellings };
  for (const [i, query] of queries.entries()) {
    const saved = { searchId: i + 1, name: "", minSimilarity: least, active: true, changeNo: 1 };
    const read = SavedQuery.parse(query);
    index.set(compileSearch({ ...saved, query: JSON.parse(JSON.stringify({ ...read, ...query })) }, parts), vectors[i]);
  }
  return index;
}

/** Whether an article matches a query alone. */
function matches(query: string | Record<string, unknown>, fields: Fields, known = false): boolean {
  const given = typeof query === "string" ? { q: query, mode: "bm25" } : query;
  return held([given]).matches(article(1, fields), [], { known }).length > 0;
}

describe("a saved search", () => {
  const harbour = {
    title: "Harbour reopens",
    content: "The harbours of Tyre were quiet in 2018, says Rana.",
    authors: ["Rana Haddad"],
  };

  test("matches words in any form, all of them, and no others", () => {
    expect(matches("harbours reopened", harbour)).toBe(true);
    expect(matches("harbour airport", harbour)).toBe(false);
    expect(matches("harbour OR airport", harbour)).toBe(true);
    expect(matches("the harbour", harbour)).toBe(true);
    expect(matches({ q: "harbour airport", mode: "bm25", match: "any" }, harbour)).toBe(true);
    expect(matches({ q: "airport plane", mode: "bm25", match: "any" }, harbour)).toBe(false);
    expect(matches("مراكش", { title: "زيارة إلى مَرَّاكُش" })).toBe(true);
  });

  test("matches names by their sound in the other script, beside all other words", () => {
    const merkel = { title: "Merkel leaves office", content: "The chancellor Kleinberg knew is gone." };
    expect(matches("ميركل", merkel)).toBe(true);
    expect(matches("ميركل chancellor", merkel)).toBe(true);
    expect(matches("كلاينبرغ", merkel)).toBe(true);
    expect(matches("ميركل volcano", merkel)).toBe(false);
    expect(matches("Merkel", { title: "ميركل تغادر المستشارية", content: "تحدثت أمام البرلمان عن المصارف." })).toBe(
      true,
    );
    expect(matches("office -ميركل", merkel)).toBe(true);
  });

  test("matches phrases as written, leaves out what is excluded, and looks into fields", () => {
    expect(matches('"harbours of Tyre"', harbour)).toBe(true);
    expect(matches('"harbour of Tyre"', harbour)).toBe(false);
    expect(matches("harbour -tyre", harbour)).toBe(false);
    expect(matches('harbour -"quiet harbour"', harbour)).toBe(true);
    expect(matches("title:tyre", harbour)).toBe(false);
    expect(matches("title:harbours", harbour)).toBe(true);
    expect(matches("author:haddad", harbour)).toBe(true);
    expect(matches("author:had", harbour)).toBe(false);
    expect(matches("source:WIRE harbour", harbour)).toBe(true);
    expect(matches("(domain:news.example OR domain:other.example) tyre", harbour)).toBe(true);
    expect(matches("domain:ews.example", harbour)).toBe(false);
    expect(matches("lang:ar", harbour)).toBe(false);
  });

  test("without words matches what its filters leave", () => {
    const dated = { ...harbour, publishedAt: "2024-05-06T07:08:09.000Z", categoryId: "sea", tier: 1 };
    expect(matches({}, harbour)).toBe(true);
    expect(matches({ category: "sea", source_tier: 1, from: "2024-05-06", to: "2024-05-06" }, dated)).toBe(true);
    expect(matches({ to: "2024-05-05" }, dated)).toBe(false);
    expect(matches({ from: "2024-01-01" }, harbour)).toBe(false);
    expect(matches({ domain: "example" }, harbour)).toBe(true);
    expect(matches({ category: "sea" }, harbour)).toBe(false);
  });

  test("matches the other language in translation, but for what is excluded or quoted", () => {
    expect(matches("مدينة", { title: "A city by the sea" })).toBe(true);
    expect(matches("city", { title: "مدينة على البحر", content: "وصل الوفد إلى المدينة" })).toBe(true);
    expect(matches('"city"', { title: "مدينة على البحر" })).toBe(false);
    expect(matches("sea -city", { title: "مدينة على البحر", content: "وصل الوفد" })).toBe(true);
  });

  test("that asks for an entity matches once an article's are known", () => {
    const named = { ...harbour, entityIds: new Set([7]) };
    for (const query of [
      { entity: "Tyre", mode: "bm25" },
      { q: "entity:Tyre harbour", mode: "bm25" },
    ]) {
      expect(matches(query, named)).toBe(false);
      expect(matches(query, named, true)).toBe(true);
      expect(matches(query, harbour, true)).toBe(false);
    }
    expect(matches("harbour", named, true)).toBe(false);
    expect(matches("harbour -entity:Tyre", harbour)).toBe(false);
    expect(matches("harbour -entity:Tyre", harbour, true)).toBe(true);
  });

  test("by meaning matches from its least similarity on, by the nearest passage, and keeps what the query requires", () => {
    const unit = (angle: number) => new Float32Array([Math.cos(angle), Math.sin(angle), 0, 0]);
    const queries = [
      { q: "ships", mode: "vector" },
      { q: "ships", mode: "hybrid" },
      { q: "ships -tyre", mode: "vector" },
      { q: "ships", mode: "vector", lang: "ar" },
      { q: "harbour", mode: "bm25" },
    ];
    const index = held(
      queries,
      Array.from({ length: 5 }, () => unit(0)),
    );
    const found = (...angles: number[]) =>
      index.matches(article(9, harbour), angles.map(unit)).map(({ searchId, similarity }) => [searchId, similarity]);
    expect(found(2, 0.6, 1.2)).toEqual([
      [1, expect.closeTo(Math.cos(0.6), 5)],
      [2, expect.closeTo(Math.cos(0.6), 5)],
      [5, null],
    ]);
    expect(found(1)).toEqual([[5, null]]);
    expect(found()).toEqual([[5, null]]);
    index.remove(1);
    expect(found(0.1).map(([id]) => id)).toEqual([2, 5]);
  });
});

test("takes the place of the one of its number, and leaves no trace when it is removed", () => {
  const index = held([
    { q: "harbour", mode: "bm25" },
    { q: "airport", mode: "bm25" },
  ]);
  const parts = { entityId: () => undefined, rarity: () => 0, spellings: new Spellings(() => 0) };
  const saved = { searchId: 1, name: "", query: { q: "airport", mode: "bm25" }, minSimilarity: null, active: true };
  const found = (title: string) => index.matches(article(1, { title }), []).map(({ searchId }) => searchId);
  index.set(compileSearch({ ...saved, changeNo: 2 }, parts));
  expect([found("A harbour"), found("An airport")]).toEqual([[], [1, 2]]);
  index.remove(2);
  index.remove(1);
  index.remove(1);
  expect([found("An airport"), index.size]).toEqual([[], 0]);
});

describe("what hundreds of searches match", () => {
  const WORDS = {
    ar: `ميناء بيروت سفينة وزير اجتماع مدينة كتاب مطر طائرة قطار لاعب مباراة بنك دولار نفط مدرسة طبيب مستشفى قانون محكمة انتخابات رئيس حكومة برلمان جيش`,
    en: `harbour ships minister meeting city book rain plane train player match bank dollar oil school doctor hospital law court election president army court budget festival`,
  };
  let dir: string;
  let keyword: KeywordIndex;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), "isnad-watch-"));
    keyword = await openKeywordIndex({ dir, partial: true });
  });
  afterAll(async () => {
    await keyword.close();
    rmSync(dir, { recursive: true });
  });

  test.each(["ar", "en"] as const)("is what the same searches find afterwards: %s", async (lang) => {
    let state = 7;
    const random = (below: number) => {
      state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
      return (state >>> 8) % below;
    };
    const words = WORDS[lang].split(/\s+/);
    const some = (count: number) => Array.from({ length: count }, () => at(words, random(words.length))).join(" ");
    const texts = Array.from({ length: 150 }, () => ({ title: some(3), content: some(12) }));
    const sources = ["wire", "daily"];
    const forms = [
      () => some(1),
      () => some(2),
      () => `"${some(2)}"`,
      () => `${some(1)} OR ${some(1)}`,
      () => `(${some(1)} OR "${some(2)}") ${some(1)}`,
      () => `${some(1)} -${some(1)} -"${some(2)}"`,
      () => `title:${some(1)} ${some(1)}`,
      () => `title:"${some(2)}" OR ${some(3)}`,
      () => `source:daily ${some(1)}`,
    ];
    const queries = Array.from({ length: 250 }, (_, i) => ({
      ...{ q: at(forms, i % forms.length)(), mode: "bm25", match: i % 3 === 0 ? "any" : "all" },
      ...(i % 5 === 0 && { source: at(sources, i % 2) }),
    }));
    const index = held(queries);
    const matched = queries.map((): number[] => []);
    const docs = texts.map(({ title, content }, i) => {
      const fields = { articleId: i + 1, title, content, lang, sourceId: at(sources, i % 2), tier: 3 };
      return { ...fields, categoryId: null, domain: "news.example", publishedAt: null };
    });
    for (const { articleId, title, content, sourceId } of docs) {
      const seen = index.matches(article(articleId, { title, content, lang, sourceId }), []);
      for (const { searchId } of seen) at(matched, searchId - 1).push(articleId);
    }
    await keyword.reset();
    await keyword.upsert(docs);
    let total = 0;
    for (const [i, query] of queries.entries()) {
      const { q = "", match, ...rest } = SavedQuery.parse(query);
      const { text, condition } = readQuery(q, match);
      const list = { order: "any" as const, from: 0, limit: docs.length };
      const found = await keyword.survey({ text, condition, filters: filtersOf(rest), list });
      expect([q, match, [...found.keys].sort((a, b) => a - b)]).toEqual([q, match, at(matched, i)]);
      total += found.total;
    }
    expect(total).toBeGreaterThan(1_000);
  });
});
