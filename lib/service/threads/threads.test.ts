import { afterEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { constants, getPriority, setPriority, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL, URL } from "node:url";
import { Allowance, isStarved } from "./background-thread.ts";
import { type ErrorDecoders, openThreads, type Threads } from "./mod.ts";
import type { ThreadsOptions } from "./pool.ts";
import { until } from "../../std/testing-until.ts";
import { OddError, type start } from "./testing/start.ts";

type Options = Partial<ThreadsOptions<typeof start>>;

const url = new URL("./testing/worker.ts", import.meta.url);
const errors: ErrorDecoders = {
  OddError: (message, { reason }: Pick<OddError, "reason">, cause) => new OddError(reason, message, { cause }),
};
const opened: Threads<typeof start>[] = [];
const open = (options: Options = {}) => {
  const threads = openThreads<typeof start>({ name: "trial", url, data: {}, ...options });
  opened.push(threads);
  return threads;
};
afterEach(async () => {
  await Promise.all(opened.splice(0).map((threads) => threads.terminate()));
});
const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    (value) => `no failure but ${value}`,
    (error: unknown) => error,
  );
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

test.skipIf(process.platform !== "linux")(
  "a thread in the background has a lower priority, an idle one a lower one still, this one and others do not",
  async () => {
    const allowanceMs = 0;
    const background = open({ background: true, allowanceMs });
    const [idle, other] = [open({ background: "idle", allowanceMs }), open()];
    const own = getPriority();
    const { PRIORITY_BELOW_NORMAL: below } = constants.priority;
    expect(await background.call("priority")).toBe(Math.max(own, below));
    expect(await idle.call("priority")).toBeGreaterThan(below);
    expect([await other.call("priority"), getPriority()]).toEqual([own, own]);
  },
);

test.skipIf(process.platform !== "linux")(
  "an idle thread lets others go first at once where the process may raise it again, one in the background does not",
  async () => {
    const allowanceMs = 0;
    const [background, idle] = [open({ background: true, allowanceMs }), open({ background: "idle", allowanceMs })];
    expect(await idle.call("policy")).toBe(isPrivileged() ? 5 : 0);
    expect([await background.call("policy"), await idle.call("greet", "x")]).toEqual([0, "x"]);
  },
);

/** Tells whether this process may take a smaller number of nice. */
function isPrivileged(): boolean {
  const own = getPriority();
  try {
    setPriority(own - 1);
    setPriority(own);
    return true;
  } catch {
    return false;
  }
}

test.skipIf(process.platform !== "linux")(
  "a thread in the background does its first work as all others do, and steps aside when it goes on",
  async () => {
    const threads = open({ background: true, allowanceMs: 50 });
    const own = getPriority();
    expect(await threads.call("priority")).toBe(own);
    await until(async () => {
      await threads.call("work", 20);
      return (await threads.call("priority")) > own;
    });
  },
);

describe("an allowance", () => {
  const elapsedMs = 1_000;
  const rest = { ran: 0, waited: 0, elapsedMs, isBusy: false };
  const work = { ran: 600, waited: 10, elapsedMs, isBusy: true };
  const starved = { ran: 10, waited: 900, elapsedMs, isBusy: true };

  test("is taken up by work, so that a little is done beside others and more behind them", () => {
    const allowance = new Allowance(1_000);
    expect([work, work, work].map((look) => allowance.look(look))).toEqual([false, true, true]);
    const restful = new Allowance(1_000);
    expect([work, ...times(20, () => rest), work].map((look) => restful.look(look))).not.toContain(true);
  });

  test("is whole again after a long rest, and not before", () => {
    const allowance = new Allowance(1_000);
    for (const look of [work, work]) allowance.look(look);
    const places = times(40, () => allowance.look(rest));
    expect(places.slice(0, 15)).not.toContain(false);
    expect(places.at(-1)).toBe(false);
  });

  test("lets a thread come forward that starves, for as much as it has got back", () => {
    const allowance = new Allowance(1_000);
    for (const look of [work, work, work, work]) allowance.look(look);
    let looks = 0;
    while (allowance.look(starved)) looks++;
    expect(looks).toBeGreaterThan(3);
    // With what it gets then it works, and is aside again.
    expect([work, work].map((look) => allowance.look({ ...look, ran: 1_000 }))).toEqual([true, true]);
  });
});

test("a thread is starved that wanted to run and hardly did, not one that ran or waited for something else", () => {
  const look = { elapsedMs: 1_000, isBusy: true };
  expect(isStarved({ ...look, ran: 10, waited: 900 })).toBe(true);
  expect(isStarved({ ...look, ran: 150, waited: 800 })).toBe(false);
  expect(isStarved({ ...look, ran: 0, waited: 10 })).toBe(false);
});

describe("calls", () => {
  test("are answered with what the handler returns, whether at once or later", async () => {
    const threads = open({ data: { greeting: "Hello " } });
    expect(await threads.call("greet", "Amal")).toBe("Hello Amal");
    expect(await threads.call("restarts")).toBe(0);
  });

  test("run side by side in one thread while they wait for something", async () => {
    const threads = open();
    const slow = threads.call("wait", { name: "slow", ms: 50 });
    expect(await threads.call("wait", { name: "quick", ms: 0 })).toEqual(["slow", "quick"]);
    await slow;
  });

  test("begin one after the other, in the order in which they were made, where the thread serves one at a time", async () => {
    const threads = open({ url: new URL("./testing/serial-worker.ts", import.meta.url) });
    const answers = await Promise.all(
      [30, 0, 10].map((ms, i) => threads.call("wait", { name: `${i}`, ms }).then((seen) => seen.join(""))),
    );
    expect(answers).toEqual(["0", "01", "012"]);
  });

  test("are shared between the threads", async () => {
    const threads = open({ size: 2 });
    await threads.start();
    const waits = times(2, () => threads.call("wait", { name: "", ms: 30 }));
    expect(await Promise.all(waits)).toEqual([[""], [""]]);
  });

  test("hand buffers over in both directions", async () => {
    const threads = open();
    const bytes = new Uint8Array(1000);
    expect(await threads.call("length", bytes, { transfer: [bytes.buffer] })).toBe(1000);
    expect(bytes.length).toBe(0);
    expect(await threads.call("bytes", 2000)).toEqual(new Uint8Array(2000));
  });
});

describe("errors of a handler", () => {
  test("keep their class where it is of the language or declared, and name, code and cause in any case", async () => {
    const threads = open({ errors });
    expect(await failure(threads.call("fail", "range"))).toBeInstanceOf(RangeError);
    const odd = await failure(threads.call("fail", "odd"));
    expect(odd).toBeInstanceOf(OddError);
    expect(odd).toMatchObject({ reason: "even", message: "not odd", cause: { message: "beneath" } });
    const other = await failure(threads.call("fail", "code"));
    expect(other).toMatchObject({ name: "FileError", message: "no entry", code: "ENOENT", errno: -2 });
    expect(await failure(threads.call("fail", "text"))).toMatchObject({ message: "only a text" });
  });

  test("fail that call alone, and so does what cannot be sent in either direction", async () => {
    const threads = open();
    const { call } = threads;
    const asked: unknown = () => "a function";
    const outcomes = await Promise.all([
      failure(call("unclonable")),
      failure(Reflect.apply(call, undefined, ["greet", asked])),
      call("greet", "as before"),
    ]);
    expect(outcomes).toEqual([
      expect.objectContaining({ name: "DataCloneError" }),
      expect.objectContaining({ name: "DataCloneError" }),
      "as before",
    ]);
    expect(threads.state()).toMatchObject({ alive: 1, restarts: 0 });
  });
});

describe("a thread that ends", () => {
  test("fails the calls that it held, says why, and is replaced", async () => {
    const threads = open();
    const held = failure(threads.call("wait", { name: "", ms: 60_000 }));
    const exit = await failure(threads.call("exit", 3));
    expect(exit).toMatchObject({ name: "ThreadError", code: "ended" });
    expect(exit).toMatchObject({ message: "trial: its thread has ended: exit code 3" });
    expect(await held).toBe(exit);
    expect(await threads.call("restarts")).toBe(1);
    expect(threads.state()).toEqual({
      threads: 1,
      alive: 1,
      failing: 0,
      restarts: 1,
      lastError: "trial: its thread has ended: exit code 3",
    });
  });

  test("gives the error that ended it to the calls and to the log", async () => {
    const lines: Record<string, unknown>[] = [];
    const logger = { error: (fields: object) => lines.push({ ...fields }), info: () => undefined };
    const threads = open({ logger });
    const error = await failure(threads.call("crash"));
    expect(error).toMatchObject({ message: "trial: its thread has ended: thrown beside the calls" });
    expect(error).toHaveProperty("cause", expect.any(TypeError));
    expect(lines).toEqual([{ threads: "trial", err: error, calls: 1 }]);
  });

  test("leaves the others at work until it runs again, and calls that allow it go to them", async () => {
    const threads = open({ size: 2 });
    await threads.start();
    const safe = times(6, (i) => threads.call("wait", { name: `${i}`, ms: 20 }, { retry: true }));
    expect(await failure(threads.call("exit", 1))).toMatchObject({ code: "ended" });
    expect(threads.state()).toMatchObject({ threads: 2, alive: 1, failing: 1 });
    expect(await threads.call("greet", "meanwhile")).toBe("meanwhile");
    expect((await Promise.all(safe)).length).toBe(6);
    while (threads.state().alive < 2) await Bun.sleep(5);
    expect(threads.state()).toMatchObject({ threads: 2, alive: 2, failing: 0, restarts: 1 });
  });

  test("is not asked a second time after a repetition", async () => {
    const threads = open({ size: 3 });
    await threads.start();
    expect(await failure(threads.call("exit", 9, { retry: true }))).toMatchObject({ code: "ended" });
    while (threads.state().alive < 3) await Bun.sleep(5);
    expect(threads.state().restarts).toBe(2);
  });

  test("again and again is started after growing pauses, in which calls are refused at once", async () => {
    const threads = open({ data: { failAt: 1 }, errors });
    await threads.start();
    expect(await failure(threads.call("exit", 1))).toMatchObject({ code: "ended" });
    for (let i = 0; i < 200; i++) {
      const refused = await failure(threads.call("restarts"));
      expect(refused).toMatchObject({ name: "OddError", message: "the start does not like it" });
    }
    expect(threads.state()).toMatchObject({ alive: 0, failing: 1 });
    expect(threads.state().restarts).toBeLessThan(8);
  });
});

describe("a thread that cannot start", () => {
  test("says why, and is no thread any more", async () => {
    const threads = open({ data: { failAt: 0 }, size: 2 });
    const error = await failure(threads.start());
    expect(error).toMatchObject({ name: "ThreadError", code: "start-failed", cause: { name: "OddError" } });
    expect(error).toMatchObject({ message: "trial: its thread could not start: the start does not like it" });
    expect(await failure(threads.call("restarts"))).toMatchObject({ code: "closed" });
  });

  test("fails with its own error where that is declared", async () => {
    const threads = open({ data: { failAt: 0 }, errors });
    const error = await failure(threads.start());
    expect(error).toBeInstanceOf(OddError);
    expect(error).toMatchObject({ reason: "odd", cause: { name: "TypeError", message: "why" } });
  });

  test("names the module that is not there", async () => {
    const dir = mkdtempSync(join(tmpdir(), "isnad-threads-"));
    writeFileSync(join(dir, "worker.ts"), 'import "./not-there.ts";\n');
    const threads = open({ url: pathToFileURL(join(dir, "worker.ts")) });
    const outcomes = await Promise.all(times(3, () => failure(threads.call("restarts"))));
    for (const error of outcomes) {
      expect(error).toMatchObject({ code: "start-failed" });
      expect(String(error)).toContain("its thread could not start: Cannot find module './not-there.ts'");
    }
    expect(threads.state()).toMatchObject({ alive: 0, failing: 1 });
    rmSync(dir, { recursive: true });
  });
});

describe("a deadline", () => {
  test.each([[{ ms: 1_500 }], [{ cpuMs: 200 }]])(
    "of %o ends the call that passes it and no other",
    async (deadline) => {
      const threads = open({ deadline });
      await threads.call("restarts");
      const [before, slow, after, last] = await Promise.all([
        threads.call("greet", "before"),
        failure(threads.call("spin")),
        threads.call("greet", "after"),
        threads.call("restarts"),
      ]);
      expect([before, after, last]).toEqual(["before", "after", 1]);
      expect(slow).toMatchObject({ name: "ThreadError", code: "too-slow" });
      expect(threads.state()).toMatchObject({ alive: 1, failing: 0, lastError: undefined });
    },
  );

  test("gives a thread one call at a time, in order, and the others wait", async () => {
    const threads = open({ deadline: { ms: 60_000 } });
    const order: number[] = [];
    await Promise.all(times(5, (i) => threads.call("wait", { name: `${i}`, ms: 5 - i }).then(() => order.push(i))));
    expect(order).toEqual([0, 1, 2, 3, 4]);
  });
});

describe("a pool with a limit for each kind of call", () => {
  /** Asks one thread, which takes one call at a time, for waits; returns the order of their names. */
  async function orderOf(calls: readonly { name: string; kind?: string; cost?: number }[]): Promise<string[]> {
    const threads = open({ deadline: { ms: 60_000 }, perKind: 1 });
    const seen = await Promise.all(calls.map(({ name, ...call }) => threads.call("wait", { name, ms: 0 }, call)));
    return seen.reduce((all, some) => (some.length > all.length ? some : all));
  }

  test("lets kinds take turns: one call waits for no more than one of another route", async () => {
    const many = times(4, (i) => ({ name: `m${i}`, kind: "/morph" }));
    expect(await orderOf([...many, { name: "n", kind: "/ner" }])).toEqual(["m0", "n", "m1", "m2", "m3"]);
  });

  test("lets a short call go before the long ones of its kind, which let only so much go before", async () => {
    const short = times(4, (i) => ({ name: `s${i}`, kind: "/re" }));
    expect(await orderOf([{ name: "long", kind: "/re", cost: 3 }, ...short])).toEqual(["s0", "s1", "s2", "long", "s3"]);
  });

  test("gives a thread no more calls of a kind at a time, and another kind's beside them", async () => {
    const threads = open({ perKind: 1 });
    const stop = new AbortController();
    const held = failure(threads.call("wait", { name: "a1", ms: 3_600_000 }, { kind: "a", signal: stop.signal }));
    const waits = threads.call("wait", { name: "a2", ms: 0 }, { kind: "a" });
    expect(await threads.call("wait", { name: "b", ms: 0 }, { kind: "b" })).toEqual(["a1", "b"]);
    stop.abort();
    await held;
    expect(await waits).toEqual(["a1", "b", "a2"]);
  });
});

test("a pool without such a limit keeps the order of arrival, whatever kinds and costs are", async () => {
  const threads = open({ deadline: { ms: 60_000 } });
  const calls = [
    { name: "a1", kind: "a", cost: 9 },
    { name: "a2", kind: "a", cost: 9 },
    { name: "b1", kind: "b", cost: 1 },
  ];
  const seen = await Promise.all(calls.map(({ name, ...call }) => threads.call("wait", { name, ms: 0 }, call)));
  expect(seen).toContainEqual(["a1", "a2", "b1"]);
});

describe("threads that are given back", () => {
  test("end once nothing was called for a while, and the next call starts them as the same", async () => {
    const threads = open({ idleMs: 10, size: 2 });
    await threads.start();
    while (threads.state().alive > 0) await Bun.sleep(5);
    expect(await threads.call("restarts")).toBe(0);
    expect(threads.state()).toMatchObject({ failing: 0, restarts: 0, lastError: undefined });
  });

  test("do not end while a call runs, however long it takes", async () => {
    const threads = open({ idleMs: 1 });
    expect(await threads.call("wait", { name: "long", ms: 50 })).toEqual(["long"]);
    expect(threads.state().restarts).toBe(0);
  });

  test("are waited for when all are closed", async () => {
    const threads = open({ idleMs: 5 });
    await threads.call("restarts");
    while (threads.state().alive > 0) await Bun.sleep(1);
    await threads.close();
    expect(await failure(threads.call("restarts"))).toMatchObject({ code: "closed" });
  });
});

describe("a signal", () => {
  test("takes back a call that waits", async () => {
    const threads = open({ deadline: { ms: 60_000 } });
    const stop = new AbortController();
    const first = threads.call("wait", { name: "first", ms: 20 });
    const second = failure(threads.call("wait", { name: "second", ms: 0 }, { signal: stop.signal }));
    stop.abort(new Error("not needed"));
    expect(await second).toMatchObject({ message: "not needed" });
    await first;
    expect(await threads.call("wait", { name: "third", ms: 0 })).toEqual(["first", "third"]);
    expect(await failure(threads.call("restarts", undefined, { signal: stop.signal }))).toBe(stop.signal.reason);
  });

  test("reaches the handler that works on the call, which ends it", async () => {
    const threads = open();
    const stop = new AbortController();
    await threads.call("restarts");
    const held = failure(threads.call("wait", { name: "", ms: 3_600_000 }, { signal: stop.signal }));
    stop.abort(new Error("not needed"));
    expect(await held).toMatchObject({ message: "not needed" });
    // The hour that it would have waited is over for the thread too.
    await threads.close();
  });
});

describe("closing", () => {
  test("answers what was asked, also what still waits, and refuses what comes after", async () => {
    const threads = open({ deadline: { ms: 60_000 } });
    const asked = times(4, (i) => threads.call("wait", { name: `${i}`, ms: 2 }));
    const closed = Promise.all([threads.close(), threads.close()]);
    expect(await failure(threads.call("restarts"))).toMatchObject({ code: "closed", message: "trial: closed" });
    await closed;
    expect((await Promise.all(asked)).at(-1)).toEqual(["0", "1", "2", "3"]);
    expect(threads.state()).toMatchObject({ alive: 0, failing: 0, lastError: undefined });
  });

  test("waits for a thread that is still starting", async () => {
    const threads = open({ size: 2 });
    const started = threads.start();
    await threads.close();
    await started;
    expect(threads.state().alive).toBe(0);
  });

  test("at once fails what was asked", async () => {
    const threads = open({ deadline: { ms: 60_000 } });
    const asked = [failure(threads.call("spin")), failure(threads.call("restarts"))];
    await threads.terminate();
    for (const error of await Promise.all(asked)) expect(error).toMatchObject({ code: "closed" });
  });
});

test("idle threads keep no process alive, calls do", async () => {
  const script = `
    import { openThreads } from ${JSON.stringify(fileURLToPath(new URL("./mod.ts", import.meta.url)))};
    const threads = openThreads({ name: "t", url: new URL(${JSON.stringify(url.href)}), data: {}, size: 2 });
    await threads.start();
    threads.call("wait", { name: "a", ms: 50 }).then(() => process.stdout.write("answered"));
  `;
  const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
  expect(await child.exited).toBe(0);
  expect(await new Response(child.stdout).text()).toBe("answered");
});
