import { afterAll, beforeEach, expect, test } from "bun:test";
import { indexedArticles, testStore } from "../testing.ts";

const { store, sql, close } = await testStore();
afterAll(close);

beforeEach(async () => void (await sql`delete from articles`));

const waits = () => store.entities.newArticlesWait();

test("an article without entities waits until it has them, also while it is in work", async () => {
  expect(await waits()).toBe(false);
  const [articleId = 0] = await indexedArticles(store, 1);
  expect(await waits()).toBe(true);
  await store.entities.claim({ owner: "o", limit: 1, leaseS: 60 });
  expect(await waits()).toBe(true);
  await store.entities.put([{ articleId, entities: [] }], { modelId: "tagger@1" });
  expect(await waits()).toBe(false);
});

test("what is put off, given up, or looked at again for another model keeps nobody waiting", async () => {
  const [off = 0, ...others] = await indexedArticles(store, 3);
  await store.entities.claim({ owner: "o", limit: 3, leaseS: 60 });
  await store.entities.retry("o", { ids: [off], delayS: 60 });
  const [again = 0, givenUp = 0] = others;
  await store.entities.put([{ articleId: again, entities: [] }], { modelId: "tagger@1" });
  await store.entities.renew({ afterId: 0, limit: 10, modelIds: ["tagger@1"] });
  await sql`update entity_work set attempts = 5, lease_until = now() where article_id = ${givenUp}`;
  expect(await waits()).toBe(false);
  expect(await store.entities.backlog()).toEqual({ waiting: 2, givenUp: 1 });
});
