import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import type { StoryRules } from "@isnad/lib/store";
import { admitItems, testItem } from "@isnad/lib/store/testing";
import { reportOf } from "@isnad/lib/stories";
import { nameKey } from "@isnad/lib/text";
import { bodyOf, type TestApi, testApi } from "../testing.ts";

setDefaultTimeout(300_000);

let api: TestApi;
/** Articles of each story that is told below, and their numbers by these names. */
const ids = new Map<string, number>();

const HOUR_MS = 3_600_000;
const now = Date.now();
const hoursAgo = (hours: number): string => new Date(now - hours * HOUR_MS).toISOString();

const NEWS = [
  { name: "q1", story: "quake", title: "Quake in Bingol kills nine", lang: "en", source: "wire", hours: 30 },
  { name: "q2", story: "quake", title: "Bingol quake toll rises", lang: "en", source: "paper", hours: 20 },
  { name: "q3", story: "quake", title: "زلزال بينغول يقتل تسعة", lang: "ar", source: "sahifa", hours: 2 },
  { name: "r1", story: "rates", title: "Central bank cuts rates", lang: "en", source: "wire", hours: 5 },
  { name: "r2", story: "rates", title: "البنك المركزي يخفض الفائدة", lang: "ar", source: "sahifa", hours: 4 },
  { name: "o1", story: "old", title: "Parliament meets", lang: "en", source: "wire", hours: 24 * 9 },
  { name: "o2", story: "old", title: "Parliament meets again", lang: "en", source: "paper", hours: 24 * 9 - 1 },
  { name: "s1", story: "single", title: "A cat on a roof", lang: "en", source: "paper", hours: 1 },
];

/** Puts articles together as the table above says. */
const rules: StoryRules = {
  version: 1,
  weigh: () => [],
  part: (members) => [
    ...Map.groupBy(members, ({ id }) => NEWS.find(({ name }) => ids.get(name) === id)?.story).values(),
  ],
};

beforeAll(async () => {
  api = await testApi({ API_PUBLIC_KEYS: "key-1" });
  for (const { name, title, lang, source, hours } of NEWS) {
    const item = testItem({ title, lang, sourceId: source, publishedAt: hoursAgo(hours) });
    const [id = 0] = await admitItems(api.store, [item]);
    ids.set(name, id);
  }
  const all = [...ids.values()];
  await api.store.articles.markNormalized(
    NEWS.map(({ name, lang }) => ({ articleId: ids.get(name) ?? 0, lang, categoryId: lang })),
  );
  await api.store.indexing.commit(
    all.map((articleId) => ({ articleId, chunks: [] })),
    { modelId: undefined },
  );
  const entity = { name: "Bingol", key: nameKey("Bingol"), type: "LOC", mentions: 1, confidence: 1, spans: [] };
  await api.store.entities.put([{ articleId: ids.get("q1") ?? 0, entities: [entity] }], { modelId: "m@1" });
  const reports = (await api.store.stories.texts(all)).map(reportOf);
  await api.store.stories.place(reports, rules);
});
afterAll(() => api.close());

const get = async (path: string) => {
  const res = await api.app.request(path, { headers: { "x-api-key": "key-1" } });
  return { status: res.status, body: Object(await bodyOf(res)) };
};
const list = async (query = ""): Promise<[string, number][]> =>
  (await get(`/v1/stories?${query}`)).body.stories.map(({ title, size }: { title: string; size: number }) => [
    title,
    size,
  ]);

const QUAKE = "Quake in Bingol kills nine";
const RATES = "البنك المركزي يخفض الفائدة";

describe("GET /v1/stories", () => {
  test("lists the stories of the last seven days, the largest first, with all that tells of them", async () => {
    const { status, body } = await get("/v1/stories");
    expect(status).toBe(200);
    expect(body.next_cursor).toBeNull();
    expect(body.stories).toHaveLength(2);
    expect(body.stories[0]).toEqual({
      story_id: expect.any(Number),
      title: QUAKE,
      languages: ["en", "ar"],
      first_seen: hoursAgo(30),
      last_seen: hoursAgo(2),
      size: 3,
      sources: [
        { source_id: "wire", source_name: "wire", count: 1, first_at: hoursAgo(30) },
        { source_id: "paper", source_name: "paper", count: 1, first_at: hoursAgo(20) },
        { source_id: "sahifa", source_name: "sahifa", count: 1, first_at: hoursAgo(2) },
      ],
      entities: [{ entity_id: expect.any(Number), name: "Bingol", articles: 1 }],
      article_ids: ["q3", "q2", "q1"].map((name) => ids.get(name)),
      growth: 1,
    });
  });

  test("sorts by size, by the newest report, and by growth", async () => {
    expect((await list("sort=size")).map(([, size]) => size)).toEqual([3, 2]);
    expect((await list("sort=newest")).map(([, size]) => size)).toEqual([3, 2]);
    expect((await list(`sort=newest&to=${hoursAgo(3)}`)).map(([, size]) => size)).toEqual([3, 2]);
    expect((await list("sort=growth")).map(([, size]) => size)).toEqual([2, 3]);
  });

  test("narrows by time, language, category, source, entity, and the words of a headline in either language", async () => {
    expect((await list(`from=${hoursAgo(24 * 30)}`)).map(([, size]) => size)).toEqual([3, 2, 2]);
    expect(await list(`from=${hoursAgo(24 * 10)}&to=${hoursAgo(24 * 8)}`)).toEqual([["Parliament meets", 2]]);
    // A story that goes on over a time without a report in it is not of that time.
    expect(await list(`from=${hoursAgo(19)}&to=${hoursAgo(10)}`)).toEqual([]);
    expect(await list("lang=ar")).toEqual([
      ["زلزال بينغول يقتل تسعة", 3],
      [RATES, 2],
    ]);
    expect((await list(`lang=ar&to=${hoursAgo(3)}`)).map(([, size]) => size)).toEqual([2]);
    expect((await list("category=en")).map(([, size]) => size)).toEqual([3, 2]);
    expect(await list("source=paper")).toEqual([[QUAKE, 3]]);
    expect(await list("entity=bingol")).toEqual([[QUAKE, 3]]);
    expect(await list("entity=nobody")).toEqual([]);
    expect(await list("q=quakes")).toEqual([[QUAKE, 3]]);
    expect((await list("q=banks")).map(([, size]) => size)).toEqual([2]);
    expect(await list("q=quake parliament")).toEqual([]);
    expect((await get("/v1/stories?q=!!")).body).toEqual({ stories: [], next_cursor: null });
  });

  test("single reports are listed when they are asked for", async () => {
    expect((await list("min_size=1")).map(([, size]) => size)).toEqual([3, 2, 1]);
    expect((await list("min_size=3")).map(([, size]) => size)).toEqual([3]);
  });

  test("a cursor goes through all of them, once", async () => {
    const sizes: number[] = [];
    for (let cursor = ""; ; ) {
      const { body } = await get(`/v1/stories?min_size=1&sort=growth&limit=1${cursor}`);
      sizes.push(...body.stories.map(({ size }: { size: number }) => size));
      if (body.next_cursor === null) break;
      cursor = `&cursor=${body.next_cursor}`;
    }
    expect(sizes.sort()).toEqual([1, 2, 3]);
  });

  test.each([
    ["sort=best", "sort"],
    ["min_size=0", "min_size"],
    ["limit=101", "limit"],
    ["cursor=abc", "cursor"],
    ["from=yesterday", "from"],
    ["lang=fr", "lang"],
    ["q=", "q"],
    ["size=2", "size"],
  ])("refuses %s", async (query, key) => {
    const { status, body } = await get(`/v1/stories?${query}`);
    expect(status).toBe(422);
    expect(Object.keys(body.errors)).toContain(key);
  });

  test("lists nothing from a day that is to come", async () => {
    expect(await list("from=9999-12-31")).toEqual([]);
  });

  test("refuses a range that ends before it begins, and the cursor of another order", async () => {
    expect((await get("/v1/stories?from=2024-02-01&to=2024-01-01")).status).toBe(422);
    const { body } = await get("/v1/stories?limit=1");
    expect((await get(`/v1/stories?limit=1&sort=newest&cursor=${body.next_cursor}`)).status).toBe(422);
  });
});

describe("GET /v1/stories/{story_id}", () => {
  test("adds all articles, in order of their times", async () => {
    const [{ story_id }] = (await get("/v1/stories")).body.stories;
    const { status, body } = await get(`/v1/stories/${story_id}`);
    expect(status).toBe(200);
    expect(body).toMatchObject({ story_id, size: 3, merged_into: null });
    expect(body.articles.map(({ article_id }: { article_id: number }) => article_id)).toEqual(
      ["q1", "q2", "q3"].map((name) => ids.get(name)),
    );
    expect(body.articles[2]).toEqual({
      ...{ article_id: ids.get("q3"), source_id: "sahifa", source_name: "sahifa", lang: "ar" },
      ...{ title: "زلزال بينغول يقتل تسعة", url: expect.any(String), published_at: hoursAgo(2) },
    });
    expect((await get(`/v1/stories/${story_id}?lang=ar`)).body.title).toBe("زلزال بينغول يقتل تسعة");
  });

  test("an article and its chain name the story, the chain its other reports", async () => {
    const [{ story_id }] = (await get("/v1/stories")).body.stories;
    expect((await get(`/v1/articles/${ids.get("q1")}`)).body.story_id).toBe(story_id);
    const chain = (await get(`/v1/articles/${ids.get("q1")}/chain`)).body;
    expect(chain.story_id).toBe(story_id);
    expect(chain.reports.map(({ article_id }: { article_id: number }) => article_id)).toEqual([
      ids.get("q2"),
      ids.get("q3"),
    ]);
  });

  test("404 for a number that no story has, and for what is none", async () => {
    for (const id of ["999999", "abc", "0"]) expect((await get(`/v1/stories/${id}`)).status).toBe(404);
  });
});
