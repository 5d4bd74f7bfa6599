import { expect, test } from "bun:test";
import { Counter, createMetrics } from "./metrics.ts";
import { metricsPublisher } from "./publish-metrics.ts";

/** A registry with one counter, and what is put of it. */
function setUp() {
  const registry = createMetrics();
  const ours = new Counter({ name: "ours_total", help: "x", registers: [registry] });
  new Counter({ name: "http_requests_total", help: "x", registers: [registry] });
  const puts: { instance: string; names: unknown[] }[] = [];
  const published = {
    put: async (instance: string, metrics: unknown[]) => {
      puts.push({ instance, names: metrics.map((metric) => Object(metric).name) });
    },
  };
  return { registry, ours, puts, published };
}

test("metrics are put under the name of the process, without those that speak of it alone", async () => {
  const { registry, puts, published } = setUp();
  await metricsPublisher(published, "host:1", registry)();
  expect(puts).toEqual([{ instance: "host:1", names: ["ours_total"] }]);
});

test("only those asked for are put", async () => {
  const { registry, puts, published } = setUp();
  await metricsPublisher(published, "host:1", registry, { only: (name) => name === "theirs_total" })();
  expect(puts[0]?.names).toEqual([]);
});

test("they are put again when one has changed, or after a while", async () => {
  const { registry, ours, puts, published } = setUp();
  const publish = metricsPublisher(published, "host:1", registry, { refreshMs: 60_000 });
  await publish();
  await publish();
  expect(puts).toHaveLength(1);
  ours.inc();
  await publish();
  expect(puts).toHaveLength(2);
  const often = metricsPublisher(published, "host:1", registry, { refreshMs: 0 });
  await often();
  await often();
  expect(puts).toHaveLength(4);
});

test("what could not be put is put the next time", async () => {
  const { registry, puts, published } = setUp();
  let away = true;
  const flaky = {
    put: async (instance: string, metrics: unknown[]) => {
      if (away) throw new Error("away");
      await published.put(instance, metrics);
    },
  };
  const publish = metricsPublisher(flaky, "host:1", registry);
  await expect(publish()).rejects.toThrow("away");
  away = false;
  await publish();
  expect(puts).toHaveLength(1);
});
