import { afterEach, expect, test } from "bun:test";
import { loadConfig } from "../config/mod.ts";
import { createMetrics } from "../process/metrics.ts";
import { createLimiters } from "./limiter.ts";
import { listen, type Listening } from "./listen.ts";
import { testService } from "./testing.ts";

const servers: Listening[] = [];
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.stop(0)));
});

/** A service behind a proxy, over real HTTP, whose work goes on until `release`; clients are told apart by address. */
async function serve(concurrency: number, maxWaiting: number) {
  const config = loadConfig({ TRUSTED_PROXIES: "127.0.0.1" });
  const { app } = testService({ config });
  const limiter = createLimiters(createMetrics(), { maxWaiting, maxWaitMs: 60_000 })("work", concurrency);
  const begun: string[] = [];
  const held = new Set<() => void>();
  let isOpen = false;
  app.post("/work", async (c) => {
    const work = async () => {
      begun.push(c.var.client);
      if (!isOpen) await new Promise<void>((resolve) => held.add(resolve));
    };
    await limiter.run(work, { client: c.var.client, signal: c.req.raw.signal });
    return c.text("done");
  });
  const server = await listen(app.fetch, { host: "127.0.0.1", port: 0 });
  servers.push(server);
  const ask = (client: string) =>
    fetch(`${server.url}/work`, { method: "POST", headers: { "x-forwarded-for": client } });
  const until = async (holds: () => boolean) => {
    while (!holds()) await Bun.sleep(2);
  };
  return {
    ask,
    begun,
    until,
    /** Ends what is in work, and lets all that comes pass. */
    release() {
      isOpen = true;
      for (const resolve of held) resolve();
    },
  };
}

const GREEDY = "192.0.2.1";

test("a client that alone holds everything and has filled the queue keeps no other out", async () => {
  const { ask, begun, until, release } = await serve(4, 8);
  const statuses: number[] = [];
  const flood = Array.from({ length: 64 }, async () => statuses.push((await ask(GREEDY)).status));
  await until(() => begun.length === 4);
  const others = ["192.0.2.2", "192.0.2.3", "2001:db8::1"].map(ask);
  // The first of them has nothing in work, and is served beside those that have.
  await until(() => begun.length > 4 && statuses.includes(429));
  release();
  expect(await Promise.all(others.map(async (answer) => (await answer).status))).toEqual([200, 200, 200]);
  await Promise.all(flood);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(4);
  expect(statuses.every((status) => status === 200 || status === 429 || status === 503)).toBe(true);
});

test("the one over its share is told 429 with Retry-After, as soon as others come", async () => {
  const { ask, begun, until, release } = await serve(1, 4);
  const first = ask(GREEDY);
  await until(() => begun.length === 1);
  // Beyond the reserve nobody else has: the second client has something in work, and waits with more.
  const second = ask("192.0.2.2");
  await until(() => begun.length === 2);
  const waiting = Array.from({ length: 4 }, () => ask(GREEDY));
  const more = ask("192.0.2.2");
  const refused = await Promise.race(waiting);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 0]).toEqual([429, true]);
  release();
  expect((await more).status).toBe(200);
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
});

test("one client alone may use all there is", async () => {
  const { ask, begun, until, release } = await serve(4, 100);
  const answers = Array.from({ length: 20 }, () => ask(GREEDY));
  await until(() => begun.length === 4);
  release();
  expect(await Promise.all(answers.map(async (answer) => (await answer).status))).toEqual(Array(20).fill(200));
});
