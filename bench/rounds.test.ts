import { expect, test } from "bun:test";
import { holds, interleaved, line, longestTurn, median, quantile, watchLoop } from "./rounds.ts";

test("median() and quantile() interpolate and do not depend on order", () => {
  expect(median([3, 1, 2])).toBe(2);
  expect(median([4, 1, 2, 3])).toBe(2.5);
  expect(quantile([0, 10], 0.99)).toBeCloseTo(9.9);
  expect(median([])).toBeNaN();
});

test("interleaved() runs the contenders in turn and drops the warm-up", async () => {
  const order: string[] = [];
  const times = await interleaved(
    ["a", "b"].map((name) => ({ name, run: () => order.push(name) })),
    { rounds: 2, warmup: 1 },
  );
  expect(order.join("")).toBe("ababab");
  expect(times.get("a")).toHaveLength(2);
  expect(times.get("b")).toHaveLength(2);
});

test("a figure says on its line whether it holds", () => {
  const figure = { name: "ratio", value: 0.7, bound: { atLeast: 0.75 }, detail: "" };
  expect(holds(figure)).toBe(false);
  expect(line(figure)).toStartWith("MISSES");
  expect(holds({ ...figure, bound: { atMost: 0.75 } })).toBe(true);
});

function busy(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

test("work that holds the event loop is seen, and not while the watch is paused", async () => {
  const watch = watchLoop();
  await Bun.sleep(5);
  busy(60);
  await Bun.sleep(5);
  watch.pause();
  const { longest } = watch;
  const before = longest();
  expect(before).toBeGreaterThan(50);
  busy(before + 50);
  await Bun.sleep(5);
  watch.resume();
  watch.pause();
  expect(longest()).toBe(before);
});

test("a turn is as long as the processor was busy with it, however long it took", async () => {
  const asleep = new Int32Array(new SharedArrayBuffer(4));
  const { ms, result } = await longestTurn(async () => {
    await Bun.sleep(1);
    Atomics.wait(asleep, 0, 0, 1_000);
    const { user, system } = process.threadCpuUsage();
    while (process.threadCpuUsage().user + process.threadCpuUsage().system - user - system < 60_000);
    await Bun.sleep(1);
    return "done";
  });
  expect(result).toBe("done");
  expect(ms).toBeGreaterThan(50);
  expect(ms).toBeLessThan(1_000);
});
