import { expect, test } from "bun:test";
import { longestTurn, watchLoop } from "./event-loop.ts";

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
  expect(watch.longest()).toBeGreaterThan(50);
  busy(1_000);
  watch.resume();
  await Bun.sleep(5);
  watch.pause();
  expect(watch.longest()).toBeLessThan(1_000);
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
