import { expect, test } from "bun:test";
import { fineCpuS, gauge, peak, pssMb, usageOfProcesses, waiting } from "./processes.ts";

test("the most memory is kept, and the latest processor time", () => {
  const into = {};
  peak(into, { api: { cpuS: 1, rssMb: 50 } });
  peak(into, { api: { cpuS: 2, rssMb: 40 }, workers: { cpuS: 1, rssMb: 9 } });
  expect(into).toEqual({ api: { cpuS: 2, rssMb: 50 }, workers: { cpuS: 1, rssMb: 9 } });
});

test("a metric is read by its whole name; what is not there is -1", async () => {
  const server = Bun.serve({
    port: 0,
    hostname: "127.0.0.1",
    fetch: () => new Response('# HELP a x\na 5\na_b 7\nc{l="1"} 9\n'),
  });
  const url = `http://127.0.0.1:${server.port}`;
  expect(await Promise.all([gauge(url, "a"), gauge(url, "a_b"), gauge(url, 'c{l="1"}'), gauge(url, "d")])).toEqual([
    5, 7, 9, -1,
  ]);
  await server.stop(true);
  expect(await gauge(url, "a")).toBe(-1);
});

test("articles that wait are counted over all stages, those in work or set aside are not", async () => {
  const backlog = (stage: string, state: string, count: number) =>
    `worker_stage_backlog{stage="${stage}",state="${state}"} ${count}`;
  const pages: Record<string, string[]> = {
    "/busy/metrics": [
      ...[backlog("analysis", "waiting", 3), backlog("entities", "waiting", 4), backlog("analysis", "running", 9)],
      ...[backlog("analysis", "set-aside", 9), "worker_backlog 9", "# HELP worker_stage_backlog x"],
    ],
    "/idle/metrics": [backlog("analysis", "waiting", 0)],
    "/other/metrics": ["a 5"],
  };
  const server = Bun.serve({
    ...{ port: 0, hostname: "127.0.0.1" },
    fetch: ({ url }) => new Response(pages[new URL(url).pathname]?.join("\n") ?? ""),
  });
  const url = `http://127.0.0.1:${server.port}`;
  expect(await Promise.all(["busy", "idle", "other", "none"].map((name) => waiting(`${url}/${name}`)))).toEqual([
    ...[7, 0, -1, -1],
  ]);
  await server.stop(true);
  expect(await waiting(url)).toBe(-1);
});

test("of processes that have ended there is nothing to count", () => {
  // No process has this number: the largest that Linux gives is 2²².
  const nobody = 2 ** 23;
  expect([pssMb(nobody), fineCpuS(nobody)]).toEqual([0, undefined]);
  expect(usageOfProcesses([nobody])).toEqual({ cpuS: 0, rssMb: 0 });
  expect(usageOfProcesses([])).toEqual({ cpuS: 0, rssMb: 0 });
  expect(pssMb(process.pid)).toBeGreaterThan(1);
  expect(usageOfProcesses([process.pid]).rssMb).toBeGreaterThan(1);
});
