import { afterAll, afterEach, expect, test } from "bun:test";
import { createMetrics } from "@isnad/lib/service/process";
import { createTagger, InferenceError, openRegistry, type Tagger } from "@isnad/lib/models";
import { admitItems, testItem, testStage } from "@isnad/lib/store/testing";
import { articleTexts } from "./run.ts";
import { openPlatform } from "../testing/platform.ts";
import { runStage } from "../testing/run-stage.ts";
import { until } from "@isnad/lib/std/testing-until";
import { entities as entityStage, entitiesOf, tagArticles } from "./entities.ts";

const platform = await openPlatform();
const { store, queues } = platform;
const tagger = await createTagger({ registry: openRegistry(), timeoutMs: 240_000 });
const { signal } = new AbortController();

afterEach(() => platform.stopWorkers());
afterAll(async () => {
  await tagger.close();
  await platform.close();
});

const TITLE = "German chancellor in Paris";
const CONTENT = `Angela Merkel met Emmanuel Macron in Paris on Tuesday, officials of the European Union said. ${"The talks about trade went on for hours. ".repeat(5)}`;

let serial = 0;

async function post(count = 1): Promise<number[]> {
  const items = Array.from({ length: count }, () =>
    testItem({ lang: "en", title: TITLE, content: CONTENT + serial++ }),
  );
  const ids = await admitItems(store, items);
  await queues.add("ingestion", { id: `entities-${serial++}`, data: { articleIds: ids } });
  return ids;
}

const entities = async (id: number) => (await store.articles.get(id))?.entities ?? [];
const stage = testStage(store, "entities");
const done = async () => (await stage.backlog()).waiting === 0;

test("an article that was posted comes to have its entities, with the places of their mentions", async () => {
  await platform.worker({}, { tagger });
  const [id = 0] = await post();
  await until("its entities are there", async () => (await entities(id)).length > 0);
  const article = await store.articles.get(id);
  const paris = article?.entities.find(({ name }) => name === "Paris");
  expect(paris).toMatchObject({ type: "LOC", mentions: 2 });
  const [start = 0, end = 0] = paris?.spans ?? [];
  expect(article?.content.slice(start, end)).toBe("Paris");
  for (const { confidence } of article?.entities ?? []) {
    expect(confidence).toBeGreaterThan(0);
    expect(confidence).toBeLessThanOrEqual(1);
  }
});

test("without a model articles are indexed all the same, and get their entities once there is one", async () => {
  const metrics = createMetrics();
  await platform.worker({}, { metrics });
  const [id = 0] = await post();
  await until("it is indexed", async () => (await store.articles.get(id))?.state === "indexed");
  expect(await entities(id)).toEqual([]);
  expect(await metrics.metrics()).toContain("worker_entity_model_ready 0");
  await platform.stopWorkers();
  await platform.worker({}, { tagger });
  await until("its entities are there", async () => (await entities(id)).length > 0);
});

test("what another model found is replaced once it is renewed; the metrics name the model and count what waits", async () => {
  await until("nothing waits", done);
  const ids = await post(2);
  const metrics = createMetrics();
  await platform.worker({}, { tagger, metrics });
  await until("they have entities", async () => (await entities(ids[1] ?? 0)).length > 0 && (await done()));
  await platform.stopWorkers();
  const old = ids.map((articleId) => ({ articleId, entities: [] }));
  await store.entities.put(old, { modelId: "tagger-old@1" });
  await store.entities.renew({ afterId: 0, limit: 1_000, modelIds: ["tagger-old@1"] });
  const idle = createMetrics();
  await platform.worker({}, { metrics: idle });
  await until("the backlog is shown", async () =>
    (await idle.metrics()).includes('worker_stage_backlog{stage="entities",state="waiting"} 2'),
  );
  await platform.worker({}, { tagger });
  await until("they have entities again", async () => (await entities(ids[0] ?? 0)).length > 0 && (await done()));
  expect((await store.entities.countByModel()).map(({ modelId }) => modelId)).toEqual([tagger.modelId]);
  expect(await metrics.metrics()).toContain(`worker_entity_model_info{model="${tagger.modelId}"} 1`);
  expect(await idle.metrics()).not.toContain("worker_entity_model_info{");
});

test("an article that cannot be worked on stops no other, and is tried again", async () => {
  await until("nothing waits", done);
  const ids = await post(3);
  await platform.worker();
  await until("they are indexed", async () => {
    const rows = await store.articles.byIds(ids, ["state"]);
    return rows.every(({ state }) => state === "indexed");
  });
  await platform.stopWorkers();
  const [bad = 0] = ids;
  const poison = (await store.articles.get(bad))?.content ?? "";
  const fails: Pick<Tagger, "tag" | "modelId"> = {
    modelId: tagger.modelId,
    tag: (texts, aborted) =>
      texts.includes(poison) ? Promise.reject(new Error("poison")) : tagger.tag(texts, aborted),
  };
  expect(await stage.claim({ owner: "o", limit: 10, leaseS: 3_600 })).toHaveLength(3);
  const texts = await articleTexts(store).of(ids);
  const step = stage.step("o");
  const result = await tagArticles({ store, tagger: fails, step }, texts, signal);
  expect(result).toMatchObject({ done: 2, failures: [{ articleId: bad }] });
  expect(await stage.backlog()).toEqual({ waiting: 1, setAside: 0 });
  await tagArticles({ store, tagger, step }, texts, signal);
  expect(await done()).toBe(true);
});

test("an article that fails is read less far each time, and gets the entities of its beginning", async () => {
  const [articleId = 0] = await admitItems(store, [testItem({ content: CONTENT + "He went home. ".repeat(10_000) })]);
  const reads: number[] = [];
  const slow: Pick<Tagger, "tag" | "modelId"> = {
    modelId: tagger.modelId,
    tag: async (texts, aborted) => {
      const length = texts[1]?.length ?? 0;
      reads.push(length);
      if (length > 4_000) throw new InferenceError("timed-out", "too long");
      return await tagger.tag(texts, aborted);
    },
  };
  const slowStage = entityStage({ store, texts: articleTexts(store), tagger: slow });
  for (let attempts = 1; attempts <= 4; attempts++) {
    expect(await entities(articleId)).toEqual([]);
    await runStage(slowStage, [articleId], { attempts });
  }
  expect(reads).toEqual([expect.any(Number), 50_000, 12_500, 3_125]);
  expect(reads[0]).toBeGreaterThan(140_000);
  expect((await entities(articleId)).map(({ name }) => name)).toContain("Paris");
});

test("the model is given many short articles together, and long ones few at a time", async () => {
  const given: number[] = [];
  const counting: Pick<Tagger, "tag" | "modelId"> = {
    modelId: tagger.modelId,
    tag: async (texts) => {
      given.push(texts.length / 2);
      return texts.map(() => []);
    },
  };
  const lengths = [10, 20, 60_000, 30_000, 60_000, 200_000, 5, 5];
  const texts = lengths.map((length) => ({ articleId: 0, title: "", content: "x".repeat(length) }));
  await tagArticles({ store, tagger: counting }, texts, signal);
  expect(given).toEqual([4, 1, 1, 2]);
});

test("a stop in the middle gives the articles back", async () => {
  await until("nothing waits", done);
  const ids = await post(2);
  let asked: (() => void) | undefined;
  const began = new Promise<void>((resolve) => {
    asked = resolve;
  });
  const hangs: Tagger = {
    ...tagger,
    tag: (_, aborted) =>
      new Promise((_, reject) => {
        asked?.();
        aborted?.addEventListener("abort", () => reject(aborted.reason));
      }),
  };
  await platform.worker({}, { tagger: hangs });
  await began;
  await platform.stopWorkers();
  await platform.worker({}, { tagger });
  await until("their entities are there", async () =>
    (await Promise.all(ids.map(entities))).every((e) => e.length > 0),
  );
});

test("mentions in the title count, and have no place in the content", async () => {
  const [article] = await entitiesOf(
    tagger,
    [{ articleId: 1, title: "Paris", content: "It rained in Paris today." }],
    signal,
  );
  const paris = article?.entities.find(({ name }) => name === "Paris");
  expect(paris?.spans).toEqual([13, 18]);
});

test("an Arabic article has entities of 21 types, an English one of four; conjunctions are no part of a name", async () => {
  const arabic = "زار رئيس بلدية نابلس دمشق وبيروت يوم الأحد، وبلغت كلفة المشروع 12 مليون دولار.";
  const [first, second] = await entitiesOf(
    tagger,
    [
      { articleId: 1, title: "وزارة الصحة الفلسطينية", content: arabic },
      { articleId: 2, title: "Paris", content: "Angela Merkel met Emmanuel Macron in Paris on Tuesday." },
    ],
    signal,
  );
  const found = new Map(first?.entities.map(({ name, type }) => [name, type]));
  expect(found.get("بلدية نابلس")).toBe("ORG");
  expect(found.get("بيروت")).toBe("GPE");
  expect(found.get("12 مليون دولار")).toBe("MONEY");
  expect(found.get("وزارة الصحة الفلسطينية")).toBe("ORG");
  for (const { spans, name } of first?.entities ?? []) {
    const [start = 0, end = 0] = spans;
    if (spans.length > 0 && name === "بيروت") expect(arabic.slice(start, end)).toBe("بيروت");
  }
  expect(second?.entities.every(({ type }) => ["PER", "LOC", "ORG", "MISC"].includes(type))).toBe(true);
});
