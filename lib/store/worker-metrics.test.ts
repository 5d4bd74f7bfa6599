import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { testStore } from "./testing.ts";

setDefaultTimeout(60_000);

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
