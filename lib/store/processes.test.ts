import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { testStore } from "./testing.ts";

describe("rate limits", async () => {
  setDefaultTimeout(300_000);

  const { store, another, sql, close } = await testStore();
  afterAll(close);

  test("requests of one client are counted over all processes, those of others and of other kinds apart", async () => {
    const processes = [store.rateLimits, another().rateLimits];
    const ask = (n: number, client = "a", kind = "summaries") => processes[n % 2]?.count(kind, client, 5);
    const answers = await Promise.all(Array.from({ length: 12 }, (_, n) => ask(n)));
    expect(answers.filter((wait) => wait === undefined)).toHaveLength(5);
    for (const wait of answers) if (wait !== undefined) expect(wait).toBeWithin(1, 61);
    expect(await ask(0, "b")).toBeUndefined();
    expect(await ask(0, "a", "other")).toBeUndefined();
  });

  test("a minute after its first request a client has one more", async () => {
    for (let i = 0; i < 2; i++) await store.rateLimits.count("k", "c", 2);
    await sql`update rate_limits set times = array[now() - interval '40 seconds', now() - interval '30 seconds']`;
    expect(await store.rateLimits.count("k", "c", 2)).toBeWithin(1, 21);
    await sql`update rate_limits set times[1] = times[1] - interval '20 seconds'`;
    expect(await store.rateLimits.count("k", "c", 2)).toBeUndefined();
    expect(await store.rateLimits.count("k", "c", 2)).toBeWithin(11, 31);
  });

  test("no client is kept by its name, and none for long", async () => {
    await store.rateLimits.count("k", "secret-key", 2);
    const rows = await sql<{ row: string }[]>`select r::text || encode(key, 'escape') as row from rate_limits r`;
    expect(rows.some(({ row }) => row.includes("secret-key"))).toBe(false);
    await sql`update rate_limits set times = array[now() - interval '2 hours']`;
    expect(await store.rateLimits.prune()).toBe(rows.length);
  });
});

describe("worker metrics", async () => {
  setDefaultTimeout(300_000);

  const { store, close } = await testStore();
  afterAll(close);

  describe("workerMetrics", () => {
    test("keeps the latest of each instance", async () => {
      await store.workerMetrics.put("a", { n: 1 });
      await store.workerMetrics.put("a", { n: 2, text: "x\u0000" });
      await store.workerMetrics.put("b", [1]);
      expect([...(await store.workerMetrics.all(60))]).toEqual([
        { instance: "a", body: { n: 2, text: "x" } },
        { instance: "b", body: [1] },
      ]);
    });

    test("leaves out instances that fell silent", async () => {
      expect(await store.workerMetrics.all(-1)).toHaveLength(0);
    });
  });
});
