import { expect, test } from "bun:test";
import { Notifier, pause } from "./pause.ts";

async function took(work: Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work;
  return performance.now() - startedAt;
}

test("a pause lasts its time", async () => {
  expect(await took(pause(30, new AbortController().signal))).toBeGreaterThan(25);
});

test("a pause ends at once when the signal aborts, or has aborted before", async () => {
  const stop = new AbortController();
  setTimeout(() => stop.abort(), 10);
  expect(await took(pause(5_000, stop.signal))).toBeLessThan(1_000);
  expect(await took(pause(5_000, stop.signal))).toBeLessThan(100);
});

test("a notifier wakes who listens, and is remembered for who listens later", async () => {
  const notifier = new Notifier();
  setTimeout(() => notifier.notify(), 10);
  expect(await took(notifier.wait(5_000))).toBeLessThan(1_000);
  notifier.notify();
  expect(await took(notifier.wait(5_000))).toBeLessThan(100);
});

test("a notifier that nobody rings is waited for in vain", async () => {
  expect(await took(new Notifier().wait(30))).toBeGreaterThan(25);
});
