import { expect, test } from "bun:test";
import { every } from "./every.ts";
import { createLogger } from "./logger.ts";

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
