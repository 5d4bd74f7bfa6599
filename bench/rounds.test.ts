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

test.each<[readonly number[], number, number]>([
  [[5], 0, 5],
  [[5], 1, 5],
  [[1, 2, 3, 4, 5], 0, 1],
  [[1, 2, 3, 4, 5], 0.25, 2],
  [[5, 4, 3, 2, 1], 0.9, 4.6],
  [[1, 2, 3, 4, 5], 1, 5],
  [[10, 2], 0.5, 6],
  [[-1, -3], 0.75, -1.5],
  // By number, not by text.
  [[9, 10, 100], 0.5, 10],
])("of %j the quantile %d is %d", (values, q, expected) => {
  const given = [...values];
  expect(quantile(given, q)).toBeCloseTo(expected, 10);
  expect(given).toEqual([...values]);
});

test.each([
  [{ atLeast: 2 }, 2, true],
  [{ atLeast: 2 }, 1.999, false],
  [{ atMost: 2 }, 2, true],
  [{ atMost: 2 }, 2.001, false],
  [{ atLeast: 0 }, Number.NaN, false],
  [{ atMost: 0 }, Number.NaN, false],
])("a bound of %j is kept by %d: %p", (bound, value, kept) => {
  const figure = { name: "ratio", value, bound, detail: "x" };
  expect(holds(figure)).toBe(kept);
  expect(line(figure).startsWith(kept ? "holds " : "MISSES ")).toBe(true);
});

test("a line has the figure, its bound and what it is of in columns", () => {
  const figure = { name: "search", value: 1.23456, bound: { atMost: 1.3 }, detail: "of 10,000" };
  expect(line(figure)).toBe(`holds  search${" ".repeat(38)}    1.235  <= 1.3    of 10,000`);
});

test("rounds are read by the clock that is given, and a contender that fails ends them", async () => {
  let at = 0;
  const times = await interleaved(
    [
      { name: "a", run: () => (at += 3) },
      { name: "b", run: async () => (at += 5) },
    ],
    { rounds: 3, warmup: 2, now: () => at },
  );
  expect(Object.fromEntries(times)).toEqual({ a: [3, 3, 3], b: [5, 5, 5] });
  const fails = () => Promise.reject(new Error("away"));
  await expect(interleaved([{ name: "a", run: fails }])).rejects.toThrow("away");
});
