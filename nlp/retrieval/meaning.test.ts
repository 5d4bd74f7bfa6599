import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadConfig } from "@isnad/lib/service/config";
import { type Service, z } from "@isnad/lib/service/http";
import { createEmbedder, type Embedder, NOT_LOADED, openRegistry } from "@isnad/lib/models";
import { createLogger, createMetrics } from "@isnad/lib/service/process";
import { createVectorIndex, type KeywordIndex, openKeywordIndex, type VectorIndex } from "@isnad/lib/search";
import { at } from "@isnad/lib/std";
import { openStore, type Store } from "@isnad/lib/store";
import { admitItems, testDatabase, testItem } from "@isnad/lib/store/testing";
import { embedMissing, followKeyword } from "@isnad/lib/search/sync";
import { createApp } from "./app.ts";

const ARTICLES = [
  {
    title: "Rain brings relief to wheat farmers",
    content: `After months of drought, heavy showers reached the northern plains. ${"Growers expect a better harvest of grain this season. ".repeat(4)}`,
  },
  {
    title: "Central bank raises interest rates",
    content: `The bank lifted its main rate to slow inflation. ${"Borrowing will cost households and companies more. ".repeat(5)}`,
  },
  {
    title: "Striker signs for the champions",
    content: `The football club announced a contract of three years. ${"He scored twenty goals in the league last season. ".repeat(5)}`,
  },
];

const TOWNS =
  "مراكش وجدة طنجة فاس سوسة صفاقس بنزرت قفصة إربد الزرقاء العقبة مأدبا حلب حمص حماة درعا عدن تعز صعدة الموصل البصرة كركوك أربيل النجف".split(
    " ",
  );

/** Arabic articles that share words with a question and do not answer it. */
const NEARBY = TOWNS.map((town, i) => ({
  title: `البنك يفتتح فرعا في ${town}`,
  content: `افتتح البنك فرعه رقم ${i + 1} في ${town} أمس، وقال المدير إن أسعار الخضر في السوق المجاورة ارتفعت. ${`حضر الحفل سكان ${town} وزوارها. `.repeat(6)}`,
}));

describe("the vector branch with the real model and the real index", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let dir: string;
  let store: Store;
  let embedder: Embedder;
  let vectors: VectorIndex;
  let keyword: KeywordIndex;
  let service: Service;

  beforeAll(async () => {
    database = await testDatabase();
    dir = await mkdtemp(join(tmpdir(), "isnad-meaning-"));
    store = openStore(database.url, { max: 4 });
    embedder = await createEmbedder({ registry: openRegistry() });
    const items = [
      ...ARTICLES.map((article) => ({ ...article, lang: "en" })),
      ...NEARBY.map((article) => ({ ...article, lang: "ar" })),
    ];
    const ids = await admitItems(
      store,
      items.map((item) => testItem(item)),
    );
    await store.articles.markNormalized(ids.map((articleId, i) => ({ articleId, lang: at(items, i).lang })));
    await embedMissing({ store, embedder }, ids);
    keyword = await openKeywordIndex({ dir: join(dir, "keyword") });
    const follower = followKeyword({ store, keyword, logger: { info() {}, warn() {} } });
    await follower.whenCaughtUp();
    await follower.close();
    vectors = await createVectorIndex({ store, dir, modelId: embedder.modelId, dims: embedder.dims });
    service = createApp({
      config: loadConfig({ APP_ENV: "local" }),
      logger: createLogger({ service: "test", level: "silent" }),
      metrics: createMetrics(),
      store,
      keyword,
      vectors,
      followers: [],
      embedder: { model: embedder },
      classifier: NOT_LOADED,
      reranker: NOT_LOADED,
      claims: { match: async () => [] },
      taxonomyVersion: "1",
      threads: () => ({ keyword: keyword.threads() }),
    });
  }, 300_000);
  afterAll(async () => {
    await vectors.close();
    await keyword.close();
    await embedder.close();
    await store.close();
    await database.drop();
    await rm(dir, { recursive: true });
  });

  const Body = z.object({ results: z.array(z.object({ title: z.string() })).optional(), meta: z.unknown().optional() });

  async function get(path: string) {
    const response = await service.app.request(path);
    return { status: response.status, body: Body.parse(await response.json()) };
  }

  test("mode vector answers 503 and hybrid says degraded until the vectors are loaded; then both answer", async () => {
    const loading: Promise<never> = Promise.reject(new Error("the vectors are being loaded"));
    loading.catch(() => undefined);
    const search = vectors.search;
    vectors.search = () => loading;
    const before = await get("/search?q=harvest&mode=vector");
    const hybrid = await get("/search?q=harvest");
    vectors.search = search;
    expect(before.status).toBe(503);
    expect(hybrid.status).toBe(200);
    expect(hybrid.body.meta).toMatchObject({ degraded: true });
    await vectors.whenReady();
    expect((await get("/search?q=harvest&mode=vector")).status).toBe(200);
  });

  test.each([
    ["crops and agriculture", "Rain brings relief to wheat farmers"],
    ["monetary policy and the cost of loans", "Central bank raises interest rates"],
    ["لاعب كرة القدم يوقع مع النادي", "Striker signs for the champions"],
  ])("%p finds %p", async (q, title) => {
    await vectors.whenReady();
    const { body } = await get(`/search?${new URLSearchParams({ q, mode: "vector" })}`);
    expect(body.results?.[0]?.title).toBe(title);
  });

  test("an Arabic question reaches the English article that answers it, past Arabic ones that share its words", async () => {
    await vectors.whenReady();
    const q = "هل رفع البنك المركزي أسعار الفائدة للحد من التضخم؟";
    const { hits } = await keyword.search({ text: q, limit: 100 });
    expect(hits.length).toBeGreaterThanOrEqual(20);
    const { body } = await get(`/search?${new URLSearchParams({ q })}`);
    expect(body.results?.map(({ title }) => title)).toContain("Central bank raises interest rates");
  });
});
