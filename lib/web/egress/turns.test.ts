import { afterEach, expect, setSystemTime, test } from "bun:test";
import { codeOf } from "./testing.ts";
import {
  createMemoryLeaseStore,
  createTurns,
  type HostLease,
  type LeaseStore,
  systemClock,
  type TurnOptions,
} from "./turns.ts";

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

const url = new URL("http://site.example/a");
const one: TurnOptions = {
  limits: { concurrency: 1, minDelayMs: 0 },
  holdMs: 60_000,
  maxTurnMs: 120_000,
  signal: undefined,
};

afterEach(() => setSystemTime());

/** A lease store that, when a host is full, says to come back in a minute, and counts how often it is asked. */
function patientStore(): LeaseStore & { asked: number } {
  const inner = createMemoryLeaseStore();
  return {
    ...inner,
    asked: 0,
    async acquire(host, limits, holdMs) {
      this.asked++;
      const answer = await inner.acquire(host, limits, holdMs);
      return "lease" in answer ? answer : { waitMs: 60_000 };
    },
  };
}

test("turns are given in the order of asking, each as soon as the one before ends, and the store is asked by one at a time", async () => {
  const store = patientStore();
  const turns = createTurns(store, systemClock);
  const order: number[] = [];
  const work = async (n: number) => {
    const lease = await turns.take(url, one);
    order.push(n);
    await Bun.sleep(1);
    await turns.end(lease, undefined);
  };
  await Promise.all(Array.from({ length: 20 }, (_, n) => work(n)));
  expect(order).toEqual(Array.from({ length: 20 }, (_, n) => n));
  expect(store.asked).toBeLessThanOrEqual(41);
});

test("who gives up in the line lets nobody overtake and holds nobody up", async () => {
  const turns = createTurns(patientStore(), systemClock);
  const first = await turns.take(url, one);
  const order: string[] = [];
  const join = async (name: string, signal?: AbortSignal): Promise<HostLease> => {
    const lease = await turns.take(url, { ...one, signal });
    order.push(name);
    return lease;
  };
  const [head, middle] = [new AbortController(), new AbortController()];
  const [a, b, c, d] = [join("a", head.signal), join("b"), join("c", middle.signal), join("d")];
  middle.abort(new Error("c gives up"));
  expect(String(await c.catch((error: unknown) => error))).toContain("c gives up");
  head.abort(new Error("a gives up"));
  expect(String(await a.catch((error: unknown) => error))).toContain("a gives up");
  await turns.end(first, undefined);
  await turns.end(await b, undefined);
  await turns.end(await d, undefined);
  expect(order).toEqual(["b", "d"]);
});

test("hosts do not wait for each other", async () => {
  const turns = createTurns(patientStore(), systemClock);
  await turns.take(url, one);
  const waiting = turns.take(url, one);
  expect(await turns.take(new URL("http://other.example/"), one)).toMatchObject({ host: "other.example" });
  expect(await turns.take(new URL("http://site.example:8080/"), one)).toMatchObject({ host: "site.example:8080" });
  expect(await Promise.race([waiting, "still waiting"])).toBe("still waiting");
});

test("a wait that would take too long is refused at once", async () => {
  const store = createMemoryLeaseStore();
  const turns = createTurns(store, systemClock);
  await store.defer("site.example", 10_000);
  expect(await codeOf(turns.take(url, { ...one, maxTurnMs: 5000 }))).toBe("busy-host");
});

test("a machine's clock that is set ahead makes no wait too long", async () => {
  const answers = [{ waitMs: 1 }, { lease: { host: "site.example", id: "1" } }];
  const store: LeaseStore = {
    acquire: async () => {
      setSystemTime(Date.now() + 3_600_000);
      return answers.shift() ?? { waitMs: 1 };
    },
    release: async () => undefined,
    defer: async () => undefined,
  };
  expect(await createTurns(store, systemClock).take(url, one)).toMatchObject({ id: "1" });
});

test("a host is deferred before its turn ends", async () => {
  const calls: string[] = [];
  const store: LeaseStore = {
    acquire: async (host) => ({ lease: { host, id: "1" } }),
    release: async () => void calls.push("release"),
    defer: async (host, forMs) => void calls.push(`defer ${host} ${forMs}`),
  };
  const turns = createTurns(store, systemClock);
  await turns.end(await turns.take(url, one), 7000);
  expect(calls).toEqual(["defer site.example 7000", "release"]);
});

test("a store that cannot take a lease back does no harm, one that cannot give one is heard of", async () => {
  const down = () => Promise.reject(new Error("the database is away"));
  const given: LeaseStore = { acquire: async (host) => ({ lease: { host, id: "1" } }), release: down, defer: down };
  const turns = createTurns(given, systemClock);
  await turns.end(await turns.take(url, one), undefined);
  const asking = createTurns({ ...given, acquire: down }, systemClock);
  for (let i = 0; i < 2; i++) {
    expect(String(await asking.take(url, one).catch((error: unknown) => error))).toContain("the database is away");
  }
});
