import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { indexedArticles, testStore } from "../testing.ts";

setDefaultTimeout(60_000);

const { store, sql, close } = await testStore();
afterAll(close);

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 400 && !condition(); i++) await Bun.sleep(25);
  expect(condition()).toBe(true);
}

describe("listen", () => {
  test("calls after a commit and after a deletion, and no more once stopped", async () => {
    let calls = 0;
    const stop = await store.chunks.listen(() => calls++);
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
    const stop = await store.chunks.listen(() => calls++);
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
