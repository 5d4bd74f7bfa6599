import { describe, expect, test } from "bun:test";
import { setImmediate } from "node:timers/promises";
import { createMetrics } from "../process/mod.ts";
import { createLimiters, type Limiter, type WaitOptions } from "./limiter.ts";
import { AppError } from "./problem.ts";

/** Work that ends when it is told to. */
type Task = { began(): boolean; outcome: Promise<unknown>; end(): Promise<void>; fail(): Promise<void> };

/** A limiter for `concurrency` units, its clock, and work to give to it. */
function setUp(concurrency: number, over: Partial<WaitOptions> = {}) {
  const registry = createMetrics();
  let time = 0;
  const options = { maxWaiting: 1_000, maxWaitMs: 60_000, now: () => time, ...over };
  const limiter = createLimiters(registry, options)("test", concurrency);
  const start = (cost = 1, signal?: AbortSignal, client?: string): Task => taskOf(limiter, cost, signal, client);
  return {
    start,
    pass: (ms: number) => {
      time += ms;
    },
    metric: async (line: string) => {
      const found = (await registry.metrics()).split("\n").find((each) => each.startsWith(`${line} `));
      return Number(found?.split(" ").at(-1));
    },
  };
}

function taskOf(limiter: Limiter, cost: number, signal?: AbortSignal, client?: string): Task {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let began = false;
  const work = (): Promise<string> => {
    began = true;
    return promise;
  };
  const outcome = limiter
    .run(work, { cost, ...(signal && { signal }), ...(client !== undefined && { client }) })
    .catch((error: unknown) => error);
  const after = async (settle: () => void): Promise<void> => {
    settle();
    await outcome;
    // Whoever comes next has begun then.
    await setImmediate();
  };
  return {
    began: () => began,
    outcome,
    end: () => after(() => resolve("done")),
    fail: () => after(() => reject(new Error("broken"))),
  };
}

const begun = (tasks: readonly Task[]): number[] => tasks.flatMap(({ began }, i) => (began() ? [i] : []));
/** What became of each so far. */
const statesOf = async (tasks: readonly Task[]): Promise<unknown[]> => {
  const open = Promise.resolve().then(() => "open");
  const outcomes = await Promise.all(tasks.map(({ outcome }) => Promise.race([outcome, open])));
  return outcomes.map((outcome) => (isRefused(outcome) ? "refused" : outcome));
};
const isRefused = (outcome: unknown): boolean => outcome instanceof AppError && outcome.slug === "overloaded";

describe("a limiter", () => {
  test("works on so many units at a time, the others in their order", async () => {
    const { start, metric } = setUp(2);
    const tasks = Array.from({ length: 5 }, () => start());
    expect(begun(tasks)).toEqual([0, 1]);
    expect([await metric('limiter_running{limiter="test"}'), await metric('limiter_waiting{limiter="test"}')]).toEqual([
      2, 3,
    ]);
    await tasks[1]?.end();
    expect(begun(tasks)).toEqual([0, 1, 2]);
    await tasks[0]?.fail();
    expect(begun(tasks)).toEqual([0, 1, 2, 3]);
    await tasks[3]?.end();
    await tasks[2]?.end();
    await tasks[4]?.end();
    expect(await Promise.all(tasks.map(({ outcome }) => outcome))).toEqual([
      expect.objectContaining({ message: "broken" }),
      ...Array(4).fill("done"),
    ]);
    expect(await metric('limiter_running{limiter="test"}')).toBe(0);
  });

  test("counts what a request costs; what costs more than all is done alone", async () => {
    const { start } = setUp(10);
    const tasks = [start(6), start(4), start(100), start(1)];
    expect(begun(tasks)).toEqual([0, 1]);
    await tasks[0]?.end();
    expect(begun(tasks)).toEqual([0, 1]);
    await tasks[1]?.end();
    expect(begun(tasks)).toEqual([0, 1, 2]);
    await tasks[2]?.end();
    expect(begun(tasks)).toEqual([0, 1, 2, 3]);
    await tasks[3]?.end();
  });

  test("refuses at once, before it has begun, when so many wait already", async () => {
    const { start, metric } = setUp(1, { maxWaiting: 2 });
    const tasks = Array.from({ length: 5 }, () => start());
    for (const task of tasks.slice(3)) {
      expect(await task.outcome).toMatchObject({ slug: "overloaded", status: 503, headers: { "Retry-After": "1" } });
    }
    for (const task of tasks.slice(0, 3)) await task.end();
    expect(begun(tasks)).toEqual([0, 1, 2]);
    expect(await metric('limiter_refused_total{limiter="test",reason="full"}')).toBe(2);
  });

  test("refuses those whose turn would come too late, as soon as that shows, the last come first", async () => {
    const { start, pass, metric } = setUp(2, { maxWaitMs: 1_000 });
    const tasks = Array.from({ length: 30 }, () => start());
    for (const task of tasks.slice(0, 3)) {
      pass(100);
      await task.end();
    }
    // 300 ms are over, and a unit takes 50 ms at the least: beside the two in work, fifteen may begin within the
    // second.
    expect(await statesOf(tasks)).toEqual([
      ...Array(3).fill("done"),
      ...Array(17).fill("open"),
      ...Array(10).fill("refused"),
    ]);
    pass(100);
    await tasks[3]?.end();
    // 400 ms are over: thirteen may.
    expect(await statesOf(tasks)).toEqual([
      ...Array(4).fill("done"),
      ...Array(15).fill("open"),
      ...Array(11).fill("refused"),
    ]);
    expect(await metric('limiter_refused_total{limiter="test",reason="expected"}')).toBe(11);
    for (const task of tasks) await task.end();
  });

  test("refuses at once what would have to wait too long, and says when to come again", async () => {
    const { start, pass } = setUp(1, { maxWaitMs: 5_000 });
    const tasks = [start(), start()];
    for (let n = 0; n < 20; n++) {
      pass(2_000);
      await tasks[n]?.end();
      tasks.push(start());
    }
    tasks.push(start(), start());
    const refused = start();
    expect(await refused.outcome).toMatchObject({ slug: "overloaded", headers: { "Retry-After": "6" } });
    expect(refused.began()).toBe(false);
    for (const task of tasks) {
      await task.end();
      expect(await task.outcome).toBe("done");
    }
  });

  test("refuses what has waited for the longest time", async () => {
    const { start, metric } = setUp(1, { maxWaitMs: 20 });
    const [first, second] = [start(), start()];
    expect(isRefused(await second.outcome)).toBe(true);
    expect(await metric('limiter_refused_total{limiter="test",reason="waited"}')).toBe(1);
    await first.end();
    expect(second.began()).toBe(false);
  });

  test("forgets whom nobody waits for any more", async () => {
    const { start, metric } = setUp(1);
    const gone = new AbortController();
    const tasks = [start(), start(1, gone.signal), start()];
    gone.abort(new Error("gone"));
    expect(await tasks[1]?.outcome).toMatchObject({ message: "gone" });
    expect(await metric('limiter_waiting{limiter="test"}')).toBe(1);
    await tasks[0]?.end();
    expect(begun(tasks)).toEqual([0, 2]);
    await tasks[2]?.end();
    expect(await start(1, gone.signal).outcome).toMatchObject({ message: "gone" });
  });
});

describe("clients of a limiter", () => {
  test("take turns, whatever each has sent before, and in shares of what their requests cost", async () => {
    const limiter = createLimiters(createMetrics(), { maxWaiting: 1_000, maxWaitMs: 60_000, now: () => 0 })("test", 2);
    const order: string[] = [];
    const ends: (() => void)[] = [];
    const ask = (client: string, cost: number, times: number) => {
      const work = () => {
        order.push(client);
        return new Promise<void>((resolve) => ends.push(resolve));
      };
      return Array.from({ length: times }, () => limiter.run(work, { client, cost }));
    };
    const asked = [...ask("greedy", 1, 12), ...ask("modest", 1, 3), ...ask("costly", 2, 3)];
    await setImmediate();
    // Two by right, and one of a client that had nothing in work, beside them.
    expect(order).toEqual(["greedy", "greedy", "modest"]);
    for (let end = ends.shift(); end !== undefined; end = ends.shift()) {
      end();
      await setImmediate();
    }
    await Promise.all(asked);
    expect(order.slice(0, 12).filter((client) => client === "modest")).toHaveLength(3);
    expect(order.slice(0, 12).filter((client) => client === "costly")).toHaveLength(3);
    expect(order.slice(12)).toEqual(Array(6).fill("greedy"));
  });

  test("a full queue makes room for one that waits less, by the last of the one that waits most", async () => {
    const { start } = setUp(1, { maxWaiting: 3 });
    const of = (client: string) => start(1, undefined, client);
    const greedy = Array.from({ length: 4 }, () => of("greedy"));
    const modest = [of("modest"), of("modest")];
    expect(begun(modest)).toEqual([0]);
    expect(await greedy[3]?.outcome).toMatchObject({ slug: "rate-limit-exceeded", status: 429 });
    expect(await statesOf([greedy[1], greedy[2], modest[1]].filter((task) => task !== undefined))).toEqual([
      "open",
      "open",
      "open",
    ]);
    const further = of("greedy");
    expect(await further.outcome).toMatchObject({ status: 429 });
  });

  test("one that is alone is told that there is too much to do, not that it has more than its share", async () => {
    const { start } = setUp(1, { maxWaiting: 1 });
    const tasks = [1, 2, 3].map(() => start(1, undefined, "alone"));
    expect(await tasks[2]?.outcome).toMatchObject({ slug: "overloaded", status: 503 });
  });
});
