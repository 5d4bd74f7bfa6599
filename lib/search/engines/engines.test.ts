import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OpenSearchServer } from "../../service/config/mod.ts";
import { openStore, type Store } from "../../store/mod.ts";
import { admitItems, testDatabase, testItem } from "../../store/testing.ts";
import { openKeywordIndex } from "../keyword/open.ts";
import { SURVEY_FACETS } from "../keyword/types.ts";
import { at } from "../../std/mod.ts";
import { readQuery } from "../query-language/parse.ts";
import type { KeywordDoc, KeywordHit, KeywordIndex, KeywordQuery, SurveyQuery } from "../keyword/types.ts";
import { meiliClient } from "../meilisearch/client.ts";
import { openMeiliKeyword } from "../meilisearch/keyword-index.ts";
import { type OpenSearch, openSearchClient } from "../opensearch/client.ts";
import { Done, setUpCluster } from "../opensearch/indices.ts";
import { openSearchKeyword } from "../opensearch/keyword-index.ts";
import { openSearchVectors, openSearchVectorSink } from "../opensearch/vector-index.ts";
import { vectorAlias } from "../opensearch/mapping.ts";
import { changesOf } from "../vector/sink.ts";
import { seeded } from "../../std/random.ts";
import { follow } from "../../projection/mod.ts";
import { createVectorIndex } from "../vector/vector-index.ts";
import { START_MS, testGate, testOpenSearch } from "./testing-opensearch.ts";
import { testMeili } from "./testing-meili.ts";
import type { VectorSearch } from "../vector/vector-index.ts";
import { until } from "../../std/testing-until.ts";

setDefaultTimeout(300_000);

/** It starts while the others are tested. */
const opened = await testOpenSearch();
const untilReady = async () => {
  if (opened.skipped === undefined) await opened.ready;
};
if (opened.skipped !== undefined) process.stderr.write(`${opened.skipped}: its tests are skipped\n`);
const cluster = opened.skipped === undefined ? opened.server : undefined;
/** In front of the cluster: it can be shut. */
const gate = cluster && (await testGate(cluster.urls[0] ?? ""));
const server = cluster && gate && { ...cluster, urls: [gate.url] };

const tiers = new Map<string, number>();

const meili = await testMeili();
if (meili.isDouble) {
  process.stderr.write("no Meilisearch on this machine: its tests run against a double, not against the real server\n");
}

afterAll(async () => {
  await meili.stop();
  await gate?.close();
  if (opened.skipped === undefined) await opened.stop();
});

const doc = (articleId: number, title: string, content: string, fields: Partial<KeywordDoc> = {}): KeywordDoc => ({
  ...{ articleId, title, content, lang: "ar", sourceId: "daily", categoryId: null, domain: "news.example" },
  ...{ publishedAt: "2024-05-06T07:08:09Z", tier: 3 },
  ...fields,
});

const SUBJECTS = ["البرلمان", "القانون", "والوزير", "الكتب", "مدرسة", "strikes", "port", "cities", "votes"];

/** 300 documents out of some words, so that many have some in common. */
function randomDocs(): KeywordDoc[] {
  const random = seeded(7);
  const rare = Array.from({ length: 200 }, (_, i) => `name${i}`);
  const word = () => (random() < 0.1 ? SUBJECTS : rare)[Math.floor(random() * (random() < 0.1 ? 9 : 200))] ?? "x";
  const text = (count: number) => Array.from({ length: count }, word).join(" ");
  return Array.from({ length: 300 }, (_, i) => doc(i + 1, text(4), text(10 + Math.floor(random() * 20))));
}

type Harness = { name: string; open(): Promise<KeywordIndex>; settle(index: KeywordIndex): Promise<unknown> };
const dir = mkdtempSync(join(tmpdir(), "isnad-engines-"));
afterAll(() => rmSync(dir, { recursive: true }));

const hitsOf = async (index: KeywordIndex, query: KeywordQuery): Promise<KeywordHit[]> =>
  (await index.search(query)).hits;

let aliases = 0;
const openRemote = (to: OpenSearchServer, alias: string) =>
  openSearchKeyword({ search: openSearchClient(to), alias, tiers: async () => tiers });

const openMeili = (prefix: string) => {
  const to = { ...meili.server, prefix };
  return openMeiliKeyword({ client: meiliClient(to), server: to, tiers: async () => tiers });
};

/** The same index, complete and empty. */
async function made(index: KeywordIndex): Promise<KeywordIndex> {
  await index.reset();
  await index.complete();
  return index;
}

const harnesses: Harness[] = [
  {
    name: "embedded",
    open: () => openKeywordIndex({ dir: join(dir, `keyword-${aliases++}`) }),
    settle: async () => {},
  },
  {
    name: meili.isDouble ? "meilisearch (a double)" : "meilisearch",
    open: async () => openMeili(`test${aliases++}`),
    settle: async () => {},
  },
  ...(server === undefined
    ? []
    : [
        {
          name: "opensearch",
          open: async () => {
            await untilReady();
            return openRemote(server, `test-articles${aliases++}`);
          },
          settle: (index: KeywordIndex) => index.ids(0, 1),
        },
      ]),
];

describe("all hits of a query", () => {
  const CONDITIONS = [
    "title:x -name1",
    '(x OR name1) -"x x"',
    "source:DAILY lang:ar domain:news.example",
    'author:"jane doe"',
    "author:علي -category:sport",
    "-(x name1)",
    "(title:x OR source:wire) name1",
  ];
  const docs = randomDocs().map((each, i) => ({
    ...each,
    sourceId: i % 3 === 0 ? "wire" : "daily",
    categoryId: i % 4 === 0 ? "sport" : null,
    domain: i % 5 === 0 ? "ar.news.example" : "news.example",
    publishedAt: i % 6 === 0 ? null : new Date(Date.UTC(2024, 2, 25) + i * 3_000_000).toISOString(),
    createdAt: new Date(Date.UTC(2024, 2, 20) + i * 60_000).toISOString(),
    authors: [["Jane Doe"], ["Dr. Jané Doe", "أحمد علي"], []][i % 3] ?? [],
  }));
  const indexes: { name: string; index: KeywordIndex }[] = [];
  beforeAll(async () => {
    for (const { name, open } of harnesses) {
      const index = await open();
      await index.reset();
      await index.upsert(docs);
      await index.complete();
      indexes.push({ name, index });
    }
  });
  afterAll(async () => {
    for (const { index } of indexes) await index.close();
  });

  test("are counted and listed alike by every engine, as far as it says", async () => {
    const others = indexes.slice(1);
    let alike = 0;
    for (const [i, q] of ["", "name1 name2", ...CONDITIONS].entries()) {
      const { text, condition } = readQuery(q, i % 2 === 0 ? "any" : "all");
      const query: SurveyQuery = {
        ...{ text, condition, also: [1, 2, 3, 299], facets: SURVEY_FACETS, facetLimit: 3 },
        ...{ filters: i % 3 === 0 ? { lang: "ar" } : {}, histogram: { unit: "day", zone: "Asia/Beirut" } },
        list: { order: i % 2 === 0 ? "newest" : "oldest", from: 2, limit: 200 },
      };
      const expected = await at(indexes, 0).index.survey(query);
      expect(expected.total).toBeGreaterThan(4);
      for (const { name, index } of others) {
        const survey = await index.survey(query);
        if (survey.lacking.length > 0) {
          expect([name, q, survey.lacking]).toEqual([name, q, ["total", ...SURVEY_FACETS, "histogram", "sort"]]);
        } else {
          expect([name, q, survey]).toEqual([name, q, expected]);
          alike++;
        }
      }
    }
    expect(alike).toBeGreaterThanOrEqual(4 * others.length);
  });

  test.each(CONDITIONS)("of a search meet its condition: %s", async (q) => {
    const { text, condition } = readQuery(q);
    const query = { text: text === "" ? "x port votes" : text, condition };
    const ids = docs.map(({ articleId }) => articleId);
    const [own, ...others] = indexes;
    const allowed = (await own?.index.allowed(query, ids)) ?? [];
    expect(allowed.length).toBeGreaterThan(0);
    expect(allowed.length).toBeLessThan(ids.length);
    for (const { name, index } of others) {
      expect([name, await index.allowed(query, ids)]).toEqual([name, allowed]);
      const hits = await hitsOf(index, { ...query, limit: 100 });
      expect([name, hits.filter(({ articleId }) => !allowed.includes(articleId))]).toEqual([name, []]);
      expect([name, hits.length > 0]).toEqual([name, true]);
    }
  });
});

describe("a Meilisearch server", () => {
  test("refuses a whole batch for one document: that one is named, and all others are written", async () => {
    const index = await made(openMeili("refused"));
    // No identifier of the server's.
    const batch = [doc(1, "one", "one"), doc(2.5, "two", "two"), doc(3, "three", "three")];
    const error = await index.upsert(batch).catch((error) => error);
    expect(error).toMatchObject({ name: "KeywordIndexError", reason: "unavailable" });
    expect(String(error)).toMatch(/article 2\.5: .*identifier/);
    expect(await index.ids(0, 10)).toEqual([1, 3]);
    await index.close();
  });

  test("ranks what it proposes as the embedded index does", async () => {
    const embedded = await openKeywordIndex({ dir: join(dir, "same-meili"), partial: true });
    const remote = await made(openMeili("same"));
    const docs = randomDocs();
    await Promise.all([embedded.upsert(docs), remote.upsert(docs)]);
    for (const text of ["قانون البرلمان", "port strike name7", "name3 name14 name15 city"]) {
      const [ours, theirs] = await Promise.all([embedded, remote].map((index) => hitsOf(index, { text, limit: 10 })));
      expect(theirs?.map(({ articleId }) => articleId)).toEqual(ours?.map(({ articleId }) => articleId) ?? []);
    }
    await Promise.all([embedded.close(), remote.close()]);
  });

  test("whose index is of another analyser has none of ours: it is made again beside the old one", async () => {
    const index = await made(openMeili("older"));
    await index.advance({ seq: 7, mark: "m" });
    expect(await index.position()).toEqual({ seq: 7, mark: "m" });
    const client = meiliClient(meili.server);
    await client
      .index("older-meta")
      .addDocuments([{ id: "articles", version: "0/old", complete: true }])
      .waitTask();
    const later = openMeili("older");
    expect(await later.position()).toBeUndefined();
    expect(await later.search({ text: "one", limit: 1 }).catch((error) => error)).toMatchObject({
      reason: "other-version",
    });
    await later.reset();
    await later.upsert([doc(1, "one", "one")]);
    await later.complete();
    expect(await hitsOf(later, { text: "one", limit: 1 })).toHaveLength(1);
    await client.deleteIndex("older-articles").waitTask();
    expect(await openMeili("older").position()).toBeUndefined();
  });
});

describe.each(harnesses)("the keyword engine $name", ({ open, settle }) => {
  let index: KeywordIndex;
  beforeAll(async () => {
    index = await made(await open());
  }, START_MS);
  afterAll(() => index.close());

  const search = async (text: string, more: Partial<Parameters<KeywordIndex["search"]>[0]> = {}) => {
    await settle(index);
    return (await hitsOf(index, { text, limit: 1_000, ...more })).map(({ articleId }) => articleId);
  };

  test("what is written is found, in any form of the word, the title before the content", async () => {
    await index.upsert([
      doc(1, "خبر عن المكتبات", "زار الوزير المدينة أمس وتحدث عن الطقس"),
      doc(2, "خبر عن الطقس", "زار الوزير المكتبات في المدينة"),
      doc(3, "The harbour", "Ministers visited the harbours of the city", { lang: "en" }),
      doc(4, "رياضة", "فاز الفريق في المباراة"),
    ]);
    expect(await search("مكتبة")).toEqual([1, 2]);
    expect(await search("harbours")).toEqual([3]);
    expect(await search("لا شيء من هذا")).toEqual([]);
    expect(await search("")).toEqual([]);
    expect(await index.count()).toBe(4);
  });

  test("one that is written again is found by its new words alone, one that is taken out by none", async () => {
    await index.upsert([doc(4, "ثقافة", "معرض الكتاب في المدينة")]);
    expect(await search("مباراة")).toEqual([]);
    expect(await search("معرض")).toEqual([4]);
    await index.remove([4, 4_000]);
    expect(await search("معرض")).toEqual([]);
    expect(await index.ids(1, 10)).toEqual([2, 3]);
    expect(await index.ids(0, 2)).toEqual([1, 2]);
  });

  test("each filter narrows the hits, and so does a term", async () => {
    tiers.set("daily", 3).set("agency", 1);
    await index.upsert([
      doc(11, "قمة", "قمة اقتصادية", {
        sourceId: "agency",
        tier: 1,
        domain: "ar.agency.example",
        categoryId: "economy",
      }),
      doc(12, "قمة", "قمة سياسية", { lang: "en", publishedAt: "2024-06-01T00:00:00Z", domain: "agency.example" }),
      doc(13, "قمة", "قمة رياضية", { publishedAt: null, lang: null, domain: "myagency.example" }),
    ]);
    const filtered = async (filters: object) => (await search("قمة", { filters })).sort((a, b) => a - b);
    expect(await filtered({ lang: "en" })).toEqual([12]);
    expect(await filtered({ source: "agency" })).toEqual([11]);
    expect(await filtered({ category: "economy" })).toEqual([11]);
    expect(await filtered({ domain: "agency.example" })).toEqual([11, 12]);
    expect(await filtered({ source_tier: 1 })).toEqual([11]);
    expect(await filtered({ source_tier: 3 })).toEqual([12, 13]);
    expect(await filtered({ from: Date.parse("2024-06-01T00:00:00Z") })).toEqual([12]);
    expect(await filtered({ to: Date.parse("2024-05-06T07:08:09Z") })).toEqual([11]);
    expect(await filtered({ articleIds: [11, 13, 999] })).toEqual([11, 13]);
    expect(await filtered({ lang: "ar", source: "agency", domain: "example" })).toEqual([11]);
    const termed = async (field: "title" | "domain" | "article_id" | "content", value: string | number) =>
      (await search("قمة", { term: { field, value } })).sort((a, b) => a - b);
    expect(await termed("content", "رياضي")).toEqual(await termed("article_id", 13));
    expect(await termed("title", "رياضية")).toEqual([]);
    expect(await termed("domain", "agency.example")).toEqual([12]);
  });

  test("a source that changes its tier does so for all its articles", async () => {
    tiers.set("agency", 2);
    await index.setTier("agency", 2);
    expect(await search("قمة", { filters: { source_tier: 2 } })).toEqual([11]);
    expect(await search("قمة", { filters: { source_tier: 1 } })).toEqual([]);
  });

  test("phrases must be there as written, what is excluded must not, and fields can be chosen", async () => {
    await index.upsert([
      doc(21, "تقرير", "انتخاب رئيس الوزراء الجديد"),
      doc(22, "تقرير", "الوزراء عند رئيس البلاد"),
      doc(23, "رئيس الوزراء", "تقرير"),
    ]);
    expect((await search('"رئيس الوزراء"')).sort()).toEqual([21, 23]);
    expect(await search('تقرير -"رئيس الوزراء"')).toEqual([22]);
    expect(await search("تقرير -بلاد -انتخاب")).toEqual([23]);
    expect(await search("-تقرير")).toEqual([]);
    expect(await search('"لا توجد هذه" تقرير')).toHaveLength(3);
    expect(await search('"لا توجد هذه"')).toEqual([]);
    expect(await search("رئيس", { fields: { title: 1 } })).toEqual([23]);
    expect((await search("رئيس", { fields: { content: 2 } })).sort()).toEqual([21, 22]);
    expect(await index.allowed({ text: '"رئيس الوزراء"' }, [22, 21, 1, 23])).toEqual([21, 23]);
    expect(await index.allowed({ text: "x -تقرير", filters: { lang: "ar" } }, [22, 1])).toEqual([1]);
    expect(await index.allowed({ text: '"لا توجد هذه" تقرير' }, [22, 21])).toEqual([22, 21]);
  });

  test("documents in the other language are found by translations, and by the sound of names", async () => {
    await index.upsert([
      doc(31, "Merkel leaves office", "The chancellor spoke about the future of Europe.", { lang: "en" }),
      doc(32, "ميركل تغادر المستشارية", "تحدثت المستشارة عن مستقبل أوروبا."),
      doc(33, "Volcano erupts", "Lava from the volcano reached the shore.", { lang: "en" }),
      doc(34, "Kleinberg wins", "The runner Kleinberg won the race in the rain.", { lang: "en" }),
      doc(35, "جزيرة", "ثوران البركان قرب الجزيرة."),
    ]);
    expect(await search("ميركل")).toEqual([32, 31]);
    expect(await search("Merkel")).toEqual([31, 32]);
    expect(await search("كلاينبرغ")).toEqual([34]);
    expect(await search("بركان")).toEqual([35, 33]);
    expect(await search("volcano", { filters: { lang: "ar" } })).toEqual([35]);
    expect(await search('"بركان"')).toEqual([]);
    expect((await index.reading({ text: "بركان" })).translation).toContain("volcano");
    expect((await index.reading({ text: "zzzqqq" })).translation).toBe("");
    await index.remove([31, 32, 33, 34, 35]);
  });

  test("a rebuild leaves nothing unserved, and ends with what was written during it", async () => {
    await index.advance({ seq: 5, mark: "before" });
    expect(await index.position()).toEqual({ seq: 5, mark: "before" });
    let served = 0;
    let rebuilding = true;
    const searches = (async () => {
      while (rebuilding) {
        expect(await hitsOf(index, { text: "مكتبة", limit: 10 })).not.toEqual([]);
        served++;
      }
    })();
    await index.reset();
    expect(await index.position()).toEqual({ seq: 0, mark: "" });
    await index.upsert([doc(1, "المكتبات", "جديد"), doc(2, "أخبار", "المكتبات"), doc(3, "أخبار", "لا شيء")]);
    await index.remove([3]);
    expect(await index.ids(0, 10)).toEqual([1, 2]);
    await index.advance({ seq: 9, mark: "after" });
    await index.complete();
    rebuilding = false;
    await searches;
    expect(served).toBeGreaterThan(0);
    expect(await search("مكتبة")).toEqual([1, 2]);
    expect(await index.ids(0, 100)).toEqual([1, 2]);
    expect(await index.position()).toEqual({ seq: 9, mark: "after" });
    expect(await index.status()).toEqual({ state: "ready", documents: 2, complete: true });
  });
});

describe.skipIf(server === undefined)("an OpenSearch cluster", () => {
  beforeAll(untilReady, START_MS);

  test("ranks as the embedded index does, pages fit together, equal scores by descending id", async () => {
    if (server === undefined) return;
    await using stack = new AsyncDisposableStack();
    const embedded = stack.adopt(await openKeywordIndex({ dir: join(dir, "same"), partial: true }), (index) =>
      index.close(),
    );
    const remote = stack.adopt(await made(openRemote(server, "same-articles")), (index) => index.close());
    const docs = [...randomDocs(), doc(901, "عاجل", "نفس النص تماما"), doc(902, "عاجل", "نفس النص تماما")];
    for (const index of [embedded, remote]) await index.upsert(docs);
    await remote.ids(0, 1);
    const queries = [
      "قانون البرلمان",
      "port strike name7",
      "الكتب والمدارس",
      "name3 name14 name15 city",
      "نفس النص",
      "عاجل",
    ];
    for (const text of queries) {
      const [ours, theirs] = await Promise.all([embedded, remote].map((index) => hitsOf(index, { text, limit: 50 })));
      expect(rounded(theirs ?? [])).toEqual(rounded(ours ?? []));
      const deep = await hitsOf(remote, { text, limit: 300 });
      expect(deep.slice(0, 50)).toEqual(theirs ?? []);
      expect(deep.map(({ score }) => score)).toEqual(deep.map(({ score }) => score).toSorted((a, b) => b - a));
      const all = await hitsOf(embedded, { text, limit: 300 });
      expect(deep.map(({ articleId }) => articleId).toSorted()).toEqual(
        all.map(({ articleId }) => articleId).toSorted(),
      );
    }
  });

  /** An index, and how many requests were sent to each of its routes, and searches in them. */
  async function counted(to: OpenSearchServer, alias: string) {
    const client = openSearchClient(to);
    const sent = { searches: 0, bodies: 0, refreshes: 0 };
    const search: OpenSearch = {
      ...client,
      request(schema, request) {
        if (request.path.endsWith("/_refresh")) sent.refreshes++;
        if (request.path.endsWith("/_msearch")) {
          sent.searches++;
          sent.bodies += request.lines?.length ?? 0;
        }
        return client.request(schema, request);
      },
    };
    const index = await made(openSearchKeyword({ search, alias, tiers: async () => tiers }));
    Object.assign(sent, { searches: 0, bodies: 0, refreshes: 0 });
    return { index, sent };
  }

  test("gives the words of a document once, and anew when it was written again", async () => {
    if (server === undefined) return;
    const { index, sent } = await counted(server, "remembered-articles");
    const found = async (text: string) => {
      sent.searches = 0;
      return (await hitsOf(index, { text, limit: 10 })).map(({ articleId }) => articleId);
    };
    await index.upsert([doc(1, "harbour", "a port"), doc(2, "harbour", "a city")]);
    await index.ids(0, 1);
    expect(await found("harbour port")).toEqual([1, 2]);
    expect(sent.searches).toBe(2);
    expect(await found("harbour port")).toEqual([1, 2]);
    expect(sent.searches).toBe(1);
    await index.upsert([doc(1, "harbour", "a city"), doc(2, "harbour", "a port")]);
    await index.ids(0, 1);
    expect(await found("harbour port")).toEqual([2, 1]);
    expect(sent.searches).toBe(2);
    await index.close();
  });

  test("is asked for a translation once by both branches of a search, and says the same as alone", async () => {
    if (server === undefined) return;
    const { index, sent } = await counted(server, "both-articles");
    await index.upsert([doc(1, "government", "the government", { lang: "en" }), doc(2, "حكومة", "حكومة")]);
    await index.ids(0, 1);
    const query = { text: "حكومة", limit: 10 };
    const alone = { reading: await index.reading(query), hits: await hitsOf(index, query) };
    expect(alone.reading.translation).toContain("government");
    expect(alone.hits).toHaveLength(2);
    sent.bodies = 0;
    await index.search(query);
    const separately = sent.bodies + 2;
    sent.bodies = 0;
    const [reading, hits] = await Promise.all([index.reading(query), hitsOf(index, query)]);
    expect({ reading, hits }).toEqual(alone);
    expect(sent.bodies).toBe(separately - 2);
    const [, filtered] = await Promise.all([
      index.reading(query),
      hitsOf(index, { ...query, filters: { lang: "ar" } }),
    ]);
    expect(filtered?.map(({ articleId }) => articleId)).toEqual([2]);
    await index.close();
  });

  test("is refreshed once for what is written together, and when the index is closed", async () => {
    if (server === undefined) return;
    const { index, sent } = await counted(server, "refreshed-articles");
    const found = async () => (await hitsOf(index, { text: "harbour", limit: 10 })).length;
    await Promise.all([index.upsert([doc(1, "harbour", "one")]), index.upsert([doc(2, "harbour", "two")])]);
    await until(async () => (await found()) === 2);
    expect(sent.refreshes).toBe(1);
    await index.remove([1]);
    await index.close();
    expect(sent.refreshes).toBe(2);
    const again = openRemote(server, "refreshed-articles");
    expect(await hitsOf(again, { text: "harbour", limit: 10 })).toHaveLength(1);
    await again.close();
  });

  test("takes nothing more of a writer that another one has displaced, nor its position", async () => {
    if (server === undefined) return;
    const first = await made(openRemote(server, "terms-articles"));
    await first.position();
    await first.upsert([doc(1, "new", "new"), doc(2, "new", "new")]);
    await first.advance({ seq: 3, mark: "first" });
    const second = openRemote(server, "terms-articles");
    expect(await second.position()).toEqual({ seq: 3, mark: "first" });
    await second.remove([2]);
    await first.upsert([doc(2, "old", "old")]);
    expect(await first.advance({ seq: 9, mark: "late" }).catch((error) => error)).toMatchObject({
      name: "KeywordIndexError",
    });
    expect(await second.ids(0, 10)).toEqual([1]);
    expect(await hitsOf(second, { text: "old", limit: 10 })).toEqual([]);
    // It learns that when it asks where the index is, and writes again.
    expect(await first.position()).toEqual({ seq: 3, mark: "first" });
    await first.upsert([doc(1, "old", "old")]);
    expect(await second.ids(0, 10)).toEqual([1]);
    expect(await hitsOf(second, { text: "old", limit: 10 })).toHaveLength(1);
    await Promise.all([first.close(), second.close()]);
  });

  test("that is read-only, or away, is said to be so and loses nothing; what came back goes on", async () => {
    if (server === undefined || gate === undefined) return;
    const search = openSearchClient(server);
    const index = await made(openRemote(server, "blocked-articles"));
    await index.upsert([doc(1, "one", "one")]);
    const block = (value: boolean | null) =>
      search.request(Done, {
        ...{ method: "PUT", path: "/blocked-articles/_settings" },
        body: { "index.blocks.read_only_allow_delete": value },
      });
    await block(true);
    const blocked = await index.upsert([doc(2, "two", "two")]).catch((error) => error);
    expect(blocked).toMatchObject({ name: "KeywordIndexError", reason: "away" });
    await block(null);
    gate.shut();
    const away = await index.search({ text: "one", limit: 1 }).catch((error) => error);
    expect(away).toMatchObject({ name: "KeywordIndexError", reason: "away" });
    expect(await index.status()).toMatchObject({ state: "away" });
    gate.open();
    await index.upsert([doc(2, "two", "two")]);
    expect(await index.ids(0, 10)).toEqual([1, 2]);
    await search.request(Done, { method: "DELETE", path: "/blocked-articles-1" });
    const gone = await index.upsert([doc(3, "three", "three")]).catch((error) => error);
    expect(gone).toMatchObject({ name: "KeywordIndexError", reason: "missing" });
    await Promise.all([index.close(), search.close()]);
  });

  test("a document that it refuses is named, and all others are written", async () => {
    if (server === undefined) return;
    const index = await made(openRemote(server, "refused-articles"));
    const refused = doc(2, "two", "two", { categoryId: "x".repeat(40_000) });
    const error = await index.upsert([doc(1, "one", "one"), refused, doc(3, "three", "three")]).catch((error) => error);
    expect(error).toMatchObject({ reason: "unavailable" });
    expect(String(error)).toContain("article 2");
    expect(await index.ids(0, 10)).toEqual([1, 3]);
    await index.close();
  });

  test("an index of another analyser has none of ours: it is made again beside the old one", async () => {
    if (server === undefined) return;
    const search = openSearchClient(server);
    const index = await made(openRemote(server, "older-articles"));
    expect(await index.position()).toEqual({ seq: 0, mark: "" });
    await search.request(Done, {
      ...{ method: "PUT", path: "/older-articles/_mapping" },
      body: { _meta: { version: "0/old", complete: true } },
    });
    expect(await index.position()).toBeUndefined();
    const later = openRemote(server, "older-articles");
    expect(await later.search({ text: "one", limit: 1 }).catch((error) => error)).toMatchObject({
      reason: "other-version",
    });
    await later.reset();
    await later.upsert([doc(1, "one", "one")]);
    await later.complete();
    expect(await hitsOf(later, { text: "one", limit: 1 })).toHaveLength(1);
    await Promise.all([index.close(), later.close(), search.close()]);
  });
});

describe("the vector engines", () => {
  const DIMS = 8;
  const MODEL = "test@1";
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let store: Store;
  let ids: number[];
  beforeAll(async () => {
    await untilReady();
    db = await testDatabase();
    store = openStore(db.url, { max: 4 });
    const random = seeded(3);
    const items = Array.from({ length: 60 }, (_, i) =>
      testItem({
        lang: i % 2 === 0 ? "ar" : "en",
        sourceId: i % 3 === 0 ? "agency" : "daily",
        domain: i % 4 === 0 ? "ar.agency.example" : "daily.example",
        publishedAt: i % 5 === 0 ? null : `2024-0${(i % 5) + 1}-06T07:08:09.000Z`,
      }),
    );
    ids = await admitItems(store, items);
    await store.sources.upsert([{ key: "agency", tier: 1 }]);
    await store.articles.markNormalized(ids.map((articleId, i) => ({ articleId, lang: i % 2 === 0 ? "ar" : "en" })));
    const vector = () => Float32Array.from(Float16Array.from({ length: DIMS }, () => random() - 0.5));
    const chunk = (no: number) => ({ no, start: no * 10, end: no * 10 + 10, vector: vector() });
    const batch = ids.map((articleId, i) => ({
      articleId,
      chunks: Array.from({ length: 1 + (i % 3) }, (_, no) => chunk(no)),
    }));
    await store.indexing.commit(batch, { modelId: MODEL });
  }, START_MS);
  afterAll(async () => {
    await store.close();
    await db.drop();
  });

  test.skipIf(server === undefined)("find the same, filtered and by chunk, follow changes, and recover", async () => {
    if (server === undefined) return;
    const search = openSearchClient(server);
    const logger = { info() {}, warn() {}, error() {} };
    const writer = (owner: string) => {
      const sink = openSearchVectorSink({
        ...{ search: openSearchClient(server), modelId: MODEL, dims: DIMS, logger },
        read: (entries) => changesOf(store, MODEL, entries),
      });
      const reportAs = "vectors@opensearch";
      return { sink, follower: follow({ name: "vectors", store, sink, logger, owner, reportAs, pollMs: 50 }) };
    };
    const writing = [writer("a"), writer("b")];
    const embedded = await createVectorIndex({ store, dir, modelId: MODEL, dims: DIMS, pollMs: 50 });
    const known = async () => new Map((await store.sources.list()).map(({ key, tier }) => [key, tier]));
    const remote = openSearchVectors({ search: openSearchClient(server), modelId: MODEL, dims: DIMS, tiers: known });
    await embedded.whenReady();
    await until(() => answers(remote.check()));
    const keys = await store.log.keys(0, 100);
    const query = Float32Array.of(0.3, -0.1, 0.2, 0.4, -0.2, 0.1, 0.5, -0.3);

    const same = async (ask: (index: VectorSearch) => ReturnType<VectorSearch["search"]>) => {
      const [ours, theirs] = [await ask(embedded), await ask(remote)];
      expect([...theirs.articleIds]).toEqual([...ours.articleIds]);
      expect([...theirs.chunks]).toEqual([...ours.chunks]);
      expect(theirs.candidates).toBe(ours.candidates);
      expect([...theirs.scores].map(to4)).toEqual([...ours.scores].map(to4));
      return ours.articleIds.length;
    };
    for (const filters of [
      {},
      { lang: "ar" as const },
      { source: "agency", lang: "en" as const },
      { domain: "agency.example" },
      { source_tier: 1 },
      { from: Date.parse("2024-03-01T00:00:00Z"), to: Date.parse("2024-04-30T00:00:00Z") },
      { articleIds: keys.slice(0, 5) },
    ]) {
      expect(await same((index) => index.search(query, 10, filters))).toBeGreaterThan(3);
    }
    for (const conditions of [
      [],
      [{ field: "published_at_bucket", is: "in", values: [202402, 202404] }],
      [{ field: "published_at_bucket", is: "gt", values: [202402] }],
      [{ field: "domain", is: "notIn", values: ["agency.example"] }],
      [
        { field: "published_at_bucket", is: "notIn", values: [202402] },
        { field: "lang", is: "in", values: ["en"] },
      ],
      [{ field: "article_id", is: "gte", values: [keys.toSorted((a, b) => a - b)[50] ?? 0] }],
    ] as const) {
      expect(await same((index) => index.searchChunks(query, 12, conditions))).toBeGreaterThan(3);
    }
    expect(await remote.status()).toEqual({ articles: 60, chunks: 120 });
    expect((await remote.search(new Float32Array(DIMS), 5, {})).articleIds).toHaveLength(0);
    expect(await remote.search(new Float32Array(3), 5, {}).catch((error) => error)).toBeInstanceOf(RangeError);

    await store.articles.remove(ids[0] ?? 0);
    await until(async () => (await remote.status()).articles === 59);
    await store.followers.ask("vectors", "rebuild");
    const isAsked = async () => (await store.followers.list()).some(({ wanted }) => wanted !== null);
    while (await isAsked()) expect((await remote.status()).articles).toBe(59);
    await search.request(Done, { method: "DELETE", path: `/${vectorAlias(server.prefix, MODEL)}-2` });
    await until(async () => (await remote.status().catch(() => ({ articles: 0 }))).articles === 59);
    const settings = { method: "PUT", path: "/test-vectors-*/_settings" } as const;
    await search.request(Done, { ...settings, body: { "index.refresh_interval": "1s" } });
    expect(await setUpCluster(search)).toEqual({ template: "test-indexes", lifecycle: false });
    const kept = await search.request(Done, {
      method: "GET",
      path: "/test-vectors-*/_settings/index.refresh_interval",
    });
    expect(JSON.stringify(kept)).toContain('"refresh_interval":"10s"');
    expect(JSON.stringify(kept)).not.toContain('"refresh_interval":"1s"');
    for (const { sink, follower } of writing) {
      await follower.close();
      await sink.close();
    }
    await Promise.all([embedded.close(), remote.close(), search.close()]);
  });
});

const to4 = (value: number) => value.toFixed(4);

function rounded(hits: readonly KeywordHit[]) {
  return hits.map(({ articleId, score }) => `${articleId} ${score.toFixed(3)}`);
}

const answers = (asked: Promise<unknown>): Promise<boolean> =>
  asked.then(
    () => true,
    () => false,
  );
