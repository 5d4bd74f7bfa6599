import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { indexedArticles, testDatabase } from "@isnad/lib/store/testing";
import { openStore } from "../store.ts";

describe("store.chunks.head()", () => {
  let db: Awaited<ReturnType<typeof testDatabase>>;
  let store: ReturnType<typeof openStore>;
  beforeAll(async () => {
    db = await testDatabase();
    store = openStore(db.url, { max: 2 });
  });
  afterAll(async () => {
    await store.close();
    await db.drop();
  });

  test("is 0 before the first change and then the latest number", async () => {
    expect((await store.chunks.head()).seq).toBe(0);
    await indexedArticles(store, 2, "model@1");
    const { seq } = await store.chunks.head();
    expect(seq).toBeGreaterThanOrEqual((await store.chunks.counts("model@1")).lastSeq);
  });

  test("names the database, the same each time and another for another database", async () => {
    const other = await testDatabase();
    const otherStore = openStore(other.url, { max: 1 });
    try {
      const { database } = await store.chunks.head();
      expect((await store.chunks.head()).database).toBe(database);
      expect((await otherStore.chunks.head()).database).not.toBe(database);
    } finally {
      await otherStore.close();
      await other.drop();
    }
  });
});
