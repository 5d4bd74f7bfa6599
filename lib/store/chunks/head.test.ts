import { afterAll, describe, expect, test } from "bun:test";
import { indexedArticles, testStore } from "../testing.ts";

const { store, close } = await testStore();
afterAll(close);

describe("store.chunks.head()", () => {
  test("is 0 before the first change and then the latest number", async () => {
    expect((await store.chunks.head()).seq).toBe(0);
    await indexedArticles(store, 2, "model@1");
    const { seq } = await store.chunks.head();
    expect(seq).toBeGreaterThanOrEqual((await store.chunks.counts("model@1")).lastSeq);
  });

  test("names the database, the same each time and another for another database", async () => {
    await using cleanup = new AsyncDisposableStack();
    const other = await testStore();
    cleanup.defer(other.close);
    const { database } = await store.chunks.head();
    expect((await store.chunks.head()).database).toBe(database);
    expect((await other.store.chunks.head()).database).not.toBe(database);
  });
});
