import { afterAll, afterEach, expect, setDefaultTimeout, test } from "bun:test";
import { openPullBench, pullItem } from "../testing/pulls.ts";
import { until } from "@isnad/lib/std/testing-until";
import type { Adapter } from "./adapter.ts";
import { type Puller, startPuller } from "./puller.ts";

setDefaultTimeout(300_000);

const bench = await openPullBench();
const { store, source, query } = bench;
const pullers: Puller[] = [];

afterEach(async () => {
  await Promise.all(pullers.splice(0).map((puller) => puller.stop()));
  await query("delete from sources");
});
afterAll(() => bench.close());

function start(adapter: Adapter, { instance = "p", intervalS = 900, concurrency = 2 } = {}): void {
  pullers.push(startPuller(bench.deps({ rss: adapter }, { instance }), { intervalS, concurrency, pollMs: 20 }));
}

const runs = async (key: string) => await store.pulls.list({ sourceKey: key });
const ended = (keys: readonly string[]) => async () => {
  const latest = await store.pulls.latest();
  return keys.every((key) => latest.get(key)?.finishedAt != null);
};

test("every active source is pulled once an interval, whatever the number of workers", async () => {
  const sources = await Promise.all(Array.from({ length: 6 }, () => source({ provider: "rss" })));
  const resting = await source({ provider: "rss", active: false });
  const pushed = await source({ provider: "scraper-push" });
  const begun: string[] = [];
  const adapter: Adapter = async function* (of) {
    begun.push(of.key);
    yield pullItem(of, "only");
    return undefined;
  };
  for (const instance of ["a", "b", "c"]) start(adapter, { instance });
  const keys = sources.map(({ key }) => key);
  await until("all are pulled", ended(keys));
  await Promise.all(pullers.splice(0).map((puller) => puller.stop()));
  expect(begun.toSorted()).toEqual(keys.toSorted());
  expect(await runs(resting.key)).toEqual([]);
  expect(await runs(pushed.key)).toEqual([]);
});

test("with the interval 0 only what is asked for is pulled", async () => {
  const [asked, other] = [await source({ provider: "rss" }), await source({ provider: "rss" })];
  const { run } = await store.pulls.request({ sourceKey: asked.key, provider: "rss", trigger: "cli" });
  start(
    async function* (of) {
      yield pullItem(of, "only");
      return undefined;
    },
    { intervalS: 0 },
  );
  await until("it is pulled", ended([asked.key]));
  expect(await store.pulls.get(run.runId)).toMatchObject({ status: "succeeded", trigger: "cli" });
  expect(await runs(other.key)).toEqual([]);
});

test("no more pulls than allowed are in work at once", async () => {
  const sources = await Promise.all(Array.from({ length: 5 }, () => source({ provider: "rss" })));
  let inWork = 0;
  let most = 0;
  const two = Promise.withResolvers<void>();
  const adapter: Adapter = async function* (of) {
    inWork += 1;
    most = Math.max(most, inWork);
    if (inWork === 2) two.resolve();
    await two.promise;
    yield pullItem(of, "only");
    await query("select pg_sleep(0.02)");
    inWork -= 1;
    return undefined;
  };
  start(adapter, { concurrency: 2 });
  await until("all are pulled", ended(sources.map(({ key }) => key)));
  expect(most).toBe(2);
});

test("a worker that stops gives back what it has in work, and another takes it up", async () => {
  const of = await source({ provider: "rss" });
  const begun = Promise.withResolvers<void>();
  start(async function* (_, { signal }) {
    yield pullItem(of, "a");
    begun.resolve();
    await new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
    return undefined;
  });
  await begun.promise;
  await Promise.all(pullers.splice(0).map((puller) => puller.stop()));
  expect(await runs(of.key)).toMatchObject([{ status: "queued" }]);
  start(async function* () {
    yield pullItem(of, "a");
    yield pullItem(of, "b");
    return undefined;
  });
  await until("it is pulled", ended([of.key]));
  expect(await runs(of.key)).toMatchObject([{ status: "succeeded", attempts: 1, counts: { discovered: 2 } }]);
});
