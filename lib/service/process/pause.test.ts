import { expect, test } from "bun:test";
import { createLogger } from "./logger.ts";
import { every, Notifier, pause } from "./pause.ts";

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

const logger = createLogger({ service: "test", level: "silent" });

test("the work is repeated until it is told to stop, failures notwithstanding", async () => {
  const stop = new AbortController();
  let runs = 0;
  await every(
    1,
    "count",
    async () => {
      runs++;
      if (runs === 2) throw new Error("once");
      if (runs === 4) stop.abort();
    },
    logger,
    stop.signal,
  );
  expect(runs).toBe(4);
});

test("what is under way at the stop is finished first", async () => {
  const stop = new AbortController();
  let finished = false;
  const running = every(
    60_000,
    "slow",
    async () => {
      await Bun.sleep(30);
      finished = true;
    },
    logger,
    stop.signal,
  );
  stop.abort();
  await running;
  expect(finished).toBe(true);
});

test("work that is interrupted by the stop is not logged as a failure", async () => {
  const stop = new AbortController();
  const lines: string[] = [];
  const heard = createLogger({ service: "test", stream: { write: (line: string) => void lines.push(line) } });
  const work = async () => {
    stop.abort(new Error("stopped"));
    stop.signal.throwIfAborted();
  };
  await every(1, "interrupted", work, heard, stop.signal);
  expect(lines).toEqual([]);
});
