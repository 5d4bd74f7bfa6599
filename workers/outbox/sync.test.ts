import { afterAll, expect, test } from "bun:test";
import { indexedArticles, testStore } from "@isnad/lib/store/testing";
import { keywordWriter } from "@isnad/lib/search/sync";
import { syncConsumer } from "./sync.ts";

const { store, close } = await testStore();
afterAll(close);

test("a revision is taken without anything being done: what is searched is the article as it was stored", async () => {
  const [id = 0] = await indexedArticles(store, 1);
  const article = await store.articles.get(id);
  const pair = { sourceId: "test-source", externalId: article?.externalId ?? "", requestId: null, url: null };
  await store.revisions.record({ ...pair, kind: "deleted_at_source" });
  const asked: number[][] = [];
  const keyword = {
    missing: async (ids: readonly number[]) => {
      asked.push([...ids]);
      return [];
    },
    upsert: async () => undefined,
    remove: async (ids: readonly number[]) => void asked.push([...ids]),
  };
  const consumer = syncConsumer({ store, keyword, writer: keywordWriter({ store, keyword }), embedder: undefined });
  const events = await store.outbox.claim("other", { owner: "o", leaseS: 60, limit: 10 });
  await store.outbox.ack("other", [events[0]?.id ?? 0]);
  const revised = await store.outbox.claim("other", { owner: "o", leaseS: 60, limit: 10 });
  expect(revised).toMatchObject([{ type: "article.revised", articleId: id }]);
  expect(await consumer.deliver(revised, new AbortController().signal)).toEqual([]);
  expect(asked.flat()).toEqual([]);
});
