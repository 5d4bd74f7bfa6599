import { afterEach, expect, setSystemTime, test } from "bun:test";
import { createMemoryLeaseStore } from "./memory-lease-store.ts";

afterEach(() => setSystemTime());

function storeAt(time: { now: number }) {
  return createMemoryLeaseStore({ now: () => time.now, sleep: async () => undefined });
}

test("the next request of a host waits for the delay, other hosts do not", async () => {
  const time = { now: 1000 };
  const store = storeAt(time);
  const limits = { concurrency: 5, minDelayMs: 300 };
  expect(await store.acquire("a", limits, 1000)).toHaveProperty("lease");
  expect(await store.acquire("a", limits, 1000)).toEqual({ waitMs: 300 });
  expect(await store.acquire("b", limits, 1000)).toHaveProperty("lease");
  time.now += 300;
  expect(await store.acquire("a", limits, 1000)).toHaveProperty("lease");
});

test("a host full of requests gives no lease until one is given back", async () => {
  const store = storeAt({ now: 0 });
  const limits = { concurrency: 1, minDelayMs: 0 };
  const first = await store.acquire("a", limits, 1000);
  expect(await store.acquire("a", limits, 1000)).toHaveProperty("waitMs");
  if ("lease" in first) await store.release(first.lease);
  expect(await store.acquire("a", limits, 1000)).toHaveProperty("lease");
});

test("a lease whose holder died ends by itself", async () => {
  const time = { now: 0 };
  const store = storeAt(time);
  const limits = { concurrency: 1, minDelayMs: 0 };
  await store.acquire("a", limits, 1000);
  time.now = 1000;
  expect(await store.acquire("a", limits, 1000)).toHaveProperty("lease");
});

test("a deferred host is left alone until then, and the later of two times counts", async () => {
  const time = { now: 0 };
  const store = storeAt(time);
  await store.defer("a", 5000);
  await store.defer("a", 2000);
  expect(await store.acquire("a", { concurrency: 1, minDelayMs: 0 }, 1000)).toEqual({ waitMs: 5000 });
});

test.each([-3_600_000, 3_600_000])(
  "a host is left alone as long as it is to be while the machine's clock is set by %p ms",
  async (ms) => {
    const store = createMemoryLeaseStore();
    await store.acquire("a", { concurrency: 1, minDelayMs: 60_000 }, 60_000);
    setSystemTime(Date.now() + ms);
    const answer = await store.acquire("a", { concurrency: 1, minDelayMs: 60_000 }, 60_000);
    expect(answer).toHaveProperty("waitMs");
    expect("waitMs" in answer && answer.waitMs).toBeLessThanOrEqual(60_000);
  },
);
