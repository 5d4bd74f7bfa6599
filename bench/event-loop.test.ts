import { expect, test } from "bun:test";
import { watchLoop } from "./event-loop.ts";

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
