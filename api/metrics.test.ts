import { expect, test } from "bun:test";
import { createMetrics } from "@isnad/lib/service/process";
import { apiMetrics } from "./metrics.ts";

/** Makes the metrics over a database that counts so many articles, or is away. */
function metricsOver(counts: { pending: () => Promise<number>; quiet?: number }) {
  const registry = createMetrics();
  const store = {
    articles: { countPending: counts.pending },
    sourceStates: { countUnusual: async () => ({ quiet: counts.quiet ?? 0, doubled: 0 }) },
  };
  const metrics = apiMetrics(registry, store);
  const read = async (line: string): Promise<string | undefined> => {
    const lines = (await registry.metrics()).split("\n");
    return lines.find((each) => each.startsWith(`${line} `))?.slice(line.length + 1);
  };
  return { metrics, read };
}

test("series are there from the start, so that the first increase shows as one", async () => {
  const { metrics, read } = metricsOver({ pending: async () => 0 });
  for (const outcome of ["accepted", "replayed", "conflict", "overloaded", "error"])
    expect([outcome, await read(`ingest_requests_total{outcome="${outcome}"}`)]).toEqual([outcome, "0"]);
  expect(await read('revision_reports_total{status="known"}')).toBe("0");
  expect(await read('search_requests_total{mode="hybrid",outcome="ok"}')).toBe("0");
  metrics.ingestRequests.inc({ outcome: "accepted" });
  expect(await read('ingest_requests_total{outcome="accepted"}')).toBe("1");
});

test("one fusion is in force at a time", async () => {
  const { metrics, read } = metricsOver({ pending: async () => 0 });
  const inForce = () => Promise.all(["rrf", "bm25", "none"].map((mode) => read(`inference_rrf_mode{mode="${mode}"}`)));
  expect(await inForce()).toEqual(["1", "0", "0"]);
  metrics.setRrfMode("bm25");
  expect(await inForce()).toEqual(["0", "1", "0"]);
});

test("that none waits is counted anew each time; what cannot be counted is no number, and no error", async () => {
  const answers = [0, 7, undefined];
  const { read } = metricsOver({
    pending: async () => {
      const answer = answers.shift();
      if (answer === undefined) throw new Error("the database is away");
      return answer;
    },
    quiet: 2,
  });
  expect(await read("articles_pending")).toBe("0");
  expect(await read("articles_pending")).toBe("7");
  expect(await read('sources_unusual{state="quiet"}')).toBe("2");
  const away = metricsOver({ pending: () => Promise.reject(new Error("away")) });
  expect(await away.read("articles_pending")).toBe("Nan");
});
