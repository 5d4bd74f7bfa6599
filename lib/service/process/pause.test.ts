import { expect, test } from "bun:test";
import { Notifier, pause } from "./pause.ts";

/** Longer than any test may take. */
const HOUR_MS = 3_600_000;

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
  await pause(HOUR_MS, stop.signal);
  await pause(HOUR_MS, stop.signal);
});

test("a notifier wakes who listens, and is remembered for who listens later", async () => {
  const notifier = new Notifier();
  setTimeout(() => notifier.notify(), 10);
  await notifier.wait(HOUR_MS);
  notifier.notify();
  await notifier.wait(HOUR_MS);
});

test("a wait that nobody ends lasts its time", async () => {
  expect(await took(new Notifier().wait(30))).toBeGreaterThan(25);
});
