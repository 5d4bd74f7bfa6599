import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { randomUUID } from "node:crypto";
import { articleIdOfKey, articleKey } from "./log.ts";
import { indexedArticles, testStore } from "./testing.ts";
import { until } from "../std/testing-until.ts";

describe("key", () => {
  test("keys are safe whole numbers in the order of the articles' numbers", () => {
    const numbers = [1, 2, 3, 1_000_000, 2 ** 32, 2 ** 33 - 1];
    const keys = numbers.map((number) => articleKey(number, randomUUID()));
    expect(keys.every(Number.isSafeInteger)).toBe(true);
    expect(keys.toSorted((a, b) => a - b)).toEqual(keys);
    expect(keys.map(articleIdOfKey)).toEqual(numbers);
  });

  test("a number that is given out again has another key", () => {
    const keys = new Set(Array.from({ length: 200 }, () => articleKey(7, randomUUID())));
    // Two of 200 are the same once in fifty runs; three are not.
    expect(keys.size).toBeGreaterThan(197);
  });
});

describe("listen", async () => {
  setDefaultTimeout(300_000);

  const { store, sql, close } = await testStore();
  afterAll(close);

  describe("listen", () => {
    test("calls after a commit and after a deletion, and no more once stopped", async () => {
      let calls = 0;
      const stop = await store.log.listen(() => calls++);
      calls = 0;
      const [id = 0] = await indexedArticles(store, 1);
      await until(() => calls === 1);
      await store.articles.remove(id);
      await until(() => calls === 2);
      await stop();
      await indexedArticles(store, 1);
      await Bun.sleep(100);
      expect(calls).toBe(2);
    });

    test("listens again after its connection was killed, and calls since something may have been missed", async () => {
      let calls = 0;
      const stop = await store.log.listen(() => calls++);
      for (let round = 0; round < 3; round++) {
        calls = 0;
        await sql`select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and query ilike 'listen%'`;
        await until(() => calls === 1);
        await indexedArticles(store, 1);
        await until(() => calls === 2);
      }
      await stop();
    });
  });
});
