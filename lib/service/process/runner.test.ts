import { describe, expect, test } from "bun:test";
import { createLogger } from "./logger.ts";
import { createRunner, every, type LeasedWork, Notifier, pause, type RunnerOptions, startHeartbeat } from "./runner.ts";

describe("runner", () => {
  /** Work that is kept in memory: what waits, who holds what, and what became of it. */
  function kept(...names: string[]) {
    const waiting = [...names];
    const held = new Map<string, string>();
    const settled: string[] = [];
    const released: string[] = [];
    const began = new Map(names.map((name) => [name, Promise.withResolvers<void>()]));
    let perform: LeasedWork<string>["perform"] = async () => 0;
    const work: LeasedWork<string> = {
      name: "test",
      claim: async (owner) => {
        const name = waiting.shift();
        if (name !== undefined) held.set(owner, name);
        return name;
      },
      heartbeat: async (owner) => held.has(owner),
      async perform(name, context) {
        began.get(name)?.resolve();
        const restMs = await perform(name, context);
        settled.push(name);
        held.delete(context.owner);
        return restMs;
      },
      release: async (owner, name) => {
        held.delete(owner);
        released.push(name);
      },
    };
    return {
      work,
      waiting,
      held,
      settled,
      released,
      began: (name: string) => began.get(name)?.promise,
      performs: (how: typeof perform) => {
        perform = how;
      },
    };
  }

  /** A runner that is under way; what it logged. */
  function running(work: LeasedWork<string>, options: Partial<RunnerOptions> = {}) {
    const lines: Record<string, unknown>[] = [];
    const logger = createLogger({
      service: "test",
      stream: { write: (line: string) => void lines.push(JSON.parse(line)) },
    });
    const stopping = new AbortController();
    const runner = createRunner(work, { logger, instance: "i", leaseS: 60, pollMs: 1, ...options });
    const ended = runner.run(stopping.signal);
    return {
      runner,
      lines,
      stop: async () => {
        stopping.abort(new Error("stop"));
        await ended;
      },
      stopping,
      ended,
    };
  }

  async function until(done: () => boolean): Promise<void> {
    while (!done()) await Bun.sleep(1);
  }

  /** Goes on until its signal aborts, and rejects then. */
  const endless: LeasedWork<string>["perform"] = (_name, { signal }) =>
    new Promise((_resolve, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

  test("work is done in its order, and what comes later, too", async () => {
    const { work, waiting, settled } = kept("a", "b");
    const { stop } = running(work);
    await until(() => settled.length === 2);
    waiting.push("c");
    await until(() => settled.length === 3);
    await stop();
    expect(settled).toEqual(["a", "b", "c"]);
  });

  test("work that was announced is taken at once", async () => {
    const { work, waiting, settled } = kept("a");
    const { runner, stop } = running(work, { pollMs: 3_600_000 });
    await until(() => settled.length === 1);
    waiting.push("b");
    runner.wake();
    await until(() => settled.length === 2);
    await stop();
  });

  test("no more is done at a time than allowed", async () => {
    const { work, settled, performs } = kept("a", "b", "c", "d", "e");
    let now = 0;
    let most = 0;
    performs(async () => {
      most = Math.max(most, ++now);
      await Bun.sleep(5);
      now--;
      return 0;
    });
    const { stop } = running(work, { concurrency: 2 });
    await until(() => settled.length === 5);
    await stop();
    expect(most).toBe(2);
  });

  test("a stop gives back what is under way, and nothing is taken after it", async () => {
    const { work, waiting, settled, released, performs, began } = kept("a", "b", "c");
    performs(endless);
    const { stop } = running(work, { concurrency: 2 });
    await began("b");
    await stop();
    expect(released.toSorted()).toEqual(["a", "b"]);
    expect(settled).toEqual([]);
    expect(waiting).toEqual(["c"]);
  });

  test("a claim that is on its way when the stop comes is given back", async () => {
    const { work, settled, released, began } = kept("a");
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<void>();
    const claim: typeof work.claim = async (owner) => {
      asked.resolve();
      await answer.promise;
      return work.claim(owner);
    };
    const { stopping, ended } = running({ ...work, claim });
    await asked.promise;
    stopping.abort(new Error("stop"));
    answer.resolve();
    await ended;
    expect(released).toEqual(["a"]);
    expect(settled).toEqual([]);
    expect(await Promise.race([began("a"), "never begun"])).toBe("never begun");
  });

  test("work whose lease is another's is stopped, and not given back", async () => {
    const { work, held, released, performs, began } = kept("a", "b");
    performs((name, context) => (name === "a" ? endless(name, context) : Promise.resolve(0)));
    const { stop, lines } = running(work, { heartbeatMs: 1 });
    await began("a");
    held.clear();
    await began("b");
    await stop();
    expect(released).toEqual([]);
    expect(lines).toContainEqual(expect.objectContaining({ level: "warn", task: "test" }));
  });

  test("work that could not be done is given back, and the runner goes on after a while", async () => {
    const { work, settled, released, performs } = kept("a", "b");
    performs(async (name) => {
      if (name === "a") throw new Error("no disk");
      return 0;
    });
    const { stop, lines } = running(work);
    await until(() => settled.length === 1);
    await stop();
    expect(released).toEqual(["a"]);
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "error", msg: "work could not be done and is given back" }),
    );
  });

  test("a claim that fails is tried again", async () => {
    const { work, settled } = kept("a");
    let claims = 0;
    const claim: typeof work.claim = (owner) =>
      ++claims === 1
        ? Promise.reject(Object.assign(new Error("refused"), { code: "ECONNREFUSED" }))
        : work.claim(owner);
    const { stop, lines } = running({ ...work, claim });
    await until(() => settled.length === 1);
    await stop();
    expect(lines).toContainEqual(
      expect.objectContaining({ level: "warn", task: "test", msg: "database cannot be reached" }),
    );
  });

  test("between two pieces of work the runner rests for as long as the first one asks", async () => {
    const { work, settled, performs } = kept("a", "b");
    performs(async () => 3_600_000);
    const { stop } = running(work);
    await until(() => settled.length === 1);
    await Bun.sleep(10);
    expect(settled).toEqual(["a"]);
    await stop();
  });
});

describe("heartbeat", () => {
  /** Resolves once `done` holds. */
  async function until(done: () => boolean): Promise<void> {
    while (!done()) await Bun.sleep(1);
  }

  test("a lease is renewed until the heartbeat is stopped", async () => {
    let beats = 0;
    const heart = startHeartbeat({ leaseS: 60, everyMs: 1, renew: async () => ++beats > 0 });
    await until(() => beats >= 3);
    await heart.stop();
    const before = beats;
    await Bun.sleep(10);
    expect(beats).toBe(before);
    expect(heart.lost.aborted).toBe(false);
  });

  test("an interval longer than the lease is cut to what the lease bears", async () => {
    let renewals = 0;
    const heart = startHeartbeat({ leaseS: 0.3, everyMs: 3_600_000, renew: async () => ++renewals > 0 });
    await until(() => renewals >= 2);
    await heart.stop();
  });

  test("a lease that is another's is lost", async () => {
    const heart = startHeartbeat({ leaseS: 60, everyMs: 1, renew: async () => false });
    await until(() => heart.lost.aborted);
    await heart.stop();
  });

  test("one heartbeat may fail; a lease that could not be renewed for its whole length is lost", async () => {
    const failures: unknown[] = [];
    let beats = 0;
    const passing = startHeartbeat({
      leaseS: 60,
      everyMs: 1,
      renew: async () => {
        if (++beats === 1) throw new Error("away");
        return true;
      },
      onFailure: (error) => failures.push(error),
    });
    await until(() => beats >= 3);
    await passing.stop();
    expect(failures).toHaveLength(1);
    expect(passing.lost.aborted).toBe(false);

    const away = startHeartbeat({ leaseS: 0.03, renew: () => Promise.reject(new Error("away")) });
    await until(() => away.lost.aborted);
    await away.stop();
  });

  test("stopping waits for a heartbeat that is under way", async () => {
    const asked = Promise.withResolvers<void>();
    const answer = Promise.withResolvers<boolean>();
    const heart = startHeartbeat({
      leaseS: 60,
      everyMs: 1,
      renew: () => {
        asked.resolve();
        return answer.promise;
      },
    });
    await asked.promise;
    let stopped = false;
    const stopping = heart.stop().then(() => {
      stopped = true;
    });
    await Bun.sleep(5);
    expect(stopped).toBe(false);
    answer.resolve(true);
    await stopping;
  });

  test("a lease whose heartbeat is never answered is lost when it has run out, and stopping does not hang", async () => {
    const failures: unknown[] = [];
    const silent = startHeartbeat({
      leaseS: 0.03,
      renew: () => new Promise(() => {}),
      onFailure: (error) => failures.push(error),
    });
    await until(() => silent.lost.aborted);
    await silent.stop();
    expect(failures).toEqual([silent.lost.reason]);
  });
});

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
