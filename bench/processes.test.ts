import { expect, test } from "bun:test";
import { gauge, peak } from "./processes.ts";

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
