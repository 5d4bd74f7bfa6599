import { expect, test } from "bun:test";
import { EngineError } from "../engines/error.ts";
import { Refresher } from "./refresher.ts";

/** A refresher on a clock of its own, whose refreshes take `tookMs`; `refreshed` has the moment each began. */
function trial(tookMs: number, failure?: Error) {
  let now = 0;
  let timers: { at: number; work: () => void }[] = [];
  const refreshed: number[] = [];
  const refresher = new Refresher(
    async () => {
      refreshed.push(now);
      now += tookMs;
      if (failure !== undefined) throw failure;
    },
    {
      now: () => now,
      after(ms, work) {
        const timer = { at: now + ms, work };
        timers.push(timer);
        return () => {
          timers = timers.filter((each) => each !== timer);
        };
      },
    },
  );
  /** Lets the clock go on to `until`, with a write in each `everyMs`. */
  const pass = async (until: number, everyMs = Number.POSITIVE_INFINITY) => {
    for (let write = now + everyMs; now < until; ) {
      const next = Math.min(until, write, ...timers.map(({ at }) => at));
      now = Math.max(now, next);
      if (now >= write) {
        refresher.due();
        write = now + everyMs;
      }
      const ready = timers.filter(({ at }) => at <= now);
      timers = timers.filter(({ at }) => at > now);
      for (const { work } of ready) work();
      await Bun.sleep(0);
    }
  };
  return { refresher, refreshed, pass };
}

test("what is written once is refreshed once, soon after", async () => {
  const { refresher, refreshed, pass } = trial(20);
  refresher.due();
  refresher.due();
  await pass(60_000);
  expect(refreshed).toEqual([700]);
});

test("while writes go on, quick refreshes come each second, slow ones take a tenth of the time", async () => {
  const quick = trial(5);
  await quick.pass(10_000, 50);
  expect(quick.refreshed.length).toBeGreaterThan(10);
  const slow = trial(400);
  await slow.pass(100_000, 50);
  expect(slow.refreshed.length).toBeGreaterThan(20);
  expect(slow.refreshed.length).toBeLessThanOrEqual(23);
});

test("what is written during a refresh has one of its own, after ten seconds at the latest", async () => {
  const { refresher, refreshed, pass } = trial(5_000);
  refresher.due();
  await pass(700);
  refresher.due();
  await pass(40_000);
  expect(refreshed).toEqual([700, 15_700]);
});

test("an engine that is away is left to refresh by itself, and the next write is tried again", async () => {
  const { refresher, refreshed, pass } = trial(1, new EngineError("away", "gone"));
  refresher.due();
  await pass(2_000);
  refresher.due();
  await pass(4_000);
  expect(refreshed).toEqual([700, 2_700]);
});

test("closed, it refreshes what is not visible yet, and nothing else", async () => {
  const { refresher, refreshed, pass } = trial(1);
  await refresher.close();
  expect(refreshed).toEqual([]);
  refresher.due();
  await refresher.close();
  await pass(5_000);
  expect(refreshed).toEqual([0]);
});
