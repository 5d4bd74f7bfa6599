import { afterAll, expect, test } from "bun:test";
import { indexedArticles, testStore } from "@isnad/lib/store/testing";
import { syncConsumer } from "./relay.ts";

const { store, close } = await testStore();
afterAll(close);

test("a revision is taken without anything being done: what is searched is the article as it was stored", async () => {
  const [id = 0] = await indexedArticles(store, 1);
  const article = await store.articles.get(id);
  const pair = { sourceId: "test-source", externalId: article?.externalId ?? "", requestId: null, url: null };
  await store.revisions.record({ ...pair, kind: "deleted_at_source" });
  let embedded = 0;
  const embedder = {
    modelId: "test@1",
    embed: async () => {
      embedded++;
      return [];
    },
  };
  const consumer = syncConsumer({ store, embedder });
  const events = await store.outbox.claim("other", { owner: "o", leaseS: 3_600, limit: 10 });
  await store.outbox.ack("other", [events[0]?.id ?? 0]);
  const revised = await store.outbox.claim("other", { owner: "o", leaseS: 3_600, limit: 10 });
  expect(revised).toMatchObject([{ type: "article.revised", articleId: id }]);
  expect(await consumer.deliver(revised, new AbortController().signal)).toEqual([]);
  expect(embedded).toBe(0);
});
