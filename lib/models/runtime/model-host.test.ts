import { afterEach, describe, expect, test } from "bun:test";
import { fileURLToPath, URL } from "node:url";
import { createLogger } from "../../service/process/mod.ts";
import { openRegistry } from "../cards/registry.ts";
import { createEmbedder } from "../tasks/embed/embedder.ts";
import { InferenceError } from "./errors.ts";
import {
  checkIfOpen,
  createModelHost,
  createWorkQueue,
  loadOptional,
  type ModelHost,
  type ModelHostOptions,
  type WorkQueue,
} from "./model-host.ts";

describe("model host", () => {
  const worker = new URL("./testing/trial-worker.ts", import.meta.url);
  const opened: ModelHost<string, number>[] = [];
  const open = async (changes: Partial<ModelHostOptions<string, number, Float64Array>> = {}) => {
    const host = await createModelHost<string, number, Float64Array>({
      worker,
      data: {},
      model: "trial",
      units: (text) => text.length,
      unpack: (lengths) => [...lengths],
      ...changes,
    });
    opened.push(host);
    return host;
  };
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((host) => host.close()));
  });
  const failure = (promise: Promise<unknown>): Promise<unknown> => promise.then(String, (error: unknown) => error);

  test("calls are answered in the order in which they were made", async () => {
    const host = await open({ maxBatch: 1 });
    const order: number[] = [];
    const texts = ["a", "bb", "ccc", "dddd"];
    const answers = texts.map((text, i) => host.run([text]).then(([length]) => order.push(i) && length));
    expect(await Promise.all(answers)).toEqual([1, 2, 3, 4]);
    expect(order).toEqual([0, 1, 2, 3]);
  });

  test("a model that is given back is opened by its first run, rests after it, and is opened again", async () => {
    const host = await open({ idleMs: 10 });
    expect(host.threads()).toMatchObject({ alive: 0, failing: 0, restarts: 0 });
    expect(host.check()).toBeUndefined();
    for (const _ of [1, 2]) {
      expect(await host.run(["ccc"])).toEqual([3]);
      while (host.threads().alive > 0) await Bun.sleep(5);
    }
    expect(host.threads()).toMatchObject({ alive: 0, failing: 0, restarts: 0, lastError: undefined });
  });

  test("the files of a model that is not opened at once are checked at once", async () => {
    const altered = new InferenceError("model-altered", "trial: model.onnx does not have the checksum of its card");
    const verify = () => Promise.reject(altered);
    expect(await failure(open({ idleMs: 10, verify }))).toBe(altered);
    expect((await open({ verify })).threads().alive).toBe(1);
    const own = await open({ idleMs: 10, verify, isShipped: false });
    while (own.threads().alive > 0) await Bun.sleep(5);
    expect(await own.run(["ccc"])).toEqual([3]);
  });

  test("a host finishes what it was asked before it ends, and takes nothing after", async () => {
    const host = await open({ maxBatch: 8 });
    const answer = host.run(new Array<string>(200).fill("weather"));
    await Promise.all([host.close(), host.close()]);
    expect(await answer).toEqual(new Array(200).fill(7));
    expect(await failure(host.run(["late"]))).toMatchObject({ code: "closed", model: "trial" });
    expect(host.threads().alive).toBe(0);
  });

  test("a thread that ends fails the runs that it held, says why, and is replaced", async () => {
    const host = await open({ maxBatch: 1 });
    const outcomes = ["a", "exit", "bb"].map((text) => failure(host.run([text])));
    expect(await outcomes[0]).toBe("1");
    expect(await outcomes[1]).toMatchObject({
      name: "InferenceError",
      code: "worker-failed",
      model: "trial",
      retryable: true,
      message: "trial: its thread has ended: exit code 5",
    });
    expect(await host.run(["ccc"])).toEqual([3]);
    expect(host.threads()).toMatchObject({ alive: 1, restarts: 1 });
  });

  test("an error of the model keeps its code", async () => {
    const host = await open();
    expect(await failure(host.run(["invalid"]))).toMatchObject({ code: "model-invalid", retryable: false });
    expect(await host.run(["as before"])).toEqual([9]);
  });

  test("a model that cannot be loaded leaves no thread behind", async () => {
    expect(await failure(open({ data: { loads: false } }))).toMatchObject({ code: "model-altered", model: "trial" });
  });

  test("a thread whose code cannot be loaded says why", async () => {
    const error = await failure(open({ worker: new URL("./testing/not-there.ts", import.meta.url) }));
    expect(error).toMatchObject({ code: "worker-failed" });
    expect(String(error)).toContain("trial: its thread could not start: ");
    expect(String(error)).toContain("not-there.ts");
  });

  test("a run that nobody waits for any more is abandoned, and so is what waits behind it", async () => {
    const host = await open({ maxBatch: 1 });
    const stop = new AbortController();
    const given = ["long", "long", "long"].map((text) => failure(host.run([text], { signal: stop.signal })));
    const late = failure(host.run(["long"], { signal: AbortSignal.timeout(20) }));
    stop.abort(new Error("the process stops"));
    for (const error of await Promise.all(given)) expect(error).toBe(stop.signal.reason);
    expect(await late).toMatchObject({ name: "TimeoutError" });
    expect(await host.run(["next"])).toEqual([4]);
  });

  test("a run goes on while one of its calls waits", async () => {
    const host = await open();
    const stop = new AbortController();
    const [gone, stays] = [failure(host.run(["a"], { signal: stop.signal })), host.run(["bb"])];
    stop.abort();
    expect(await gone).toMatchObject({ name: "AbortError" });
    expect(await stays).toEqual([2]);
  });

  test("an idle thread does not keep its process alive", async () => {
    const index = fileURLToPath(new URL("../mod.ts", import.meta.url));
    const script = `
    import { createEmbedder, openRegistry } from ${JSON.stringify(index)};
    const embedder = await createEmbedder({ registry: openRegistry() });
    await embedder.embed(["text"], "query");
    process.stdout.write("answered");
  `;
    const child = Bun.spawn([process.execPath, "-e", script], { stdout: "pipe", stderr: "inherit" });
    expect(await child.exited).toBe(0);
    expect(await new Response(child.stdout).text()).toBe("answered");
  });

  test("a shipped model finishes what it was asked before it ends", async () => {
    const embedder = await createEmbedder({ registry: openRegistry() });
    const answer = embedder.embed(new Array<string>(200).fill("an article about the weather"), "passage");
    await embedder.close();
    expect((await answer).map(({ length }) => length)).toEqual(new Array(200).fill(embedder.dims));
  });

  test("a thread that takes no message is stuck, until it takes one again", async () => {
    const gate = new SharedArrayBuffer(4);
    const host = await open({ data: { gate }, stuckMs: 20 });
    host.check();
    const answer = host.run(["stuck"]);
    const stuck = async (): Promise<unknown> => {
      for (;;) {
        try {
          host.check();
        } catch (error) {
          return error;
        }
        await Bun.sleep(5);
      }
    };
    expect(await stuck()).toMatchObject({ code: "worker-failed", message: "trial: its thread is stuck" });
    Atomics.store(new Int32Array(gate), 0, 1);
    Atomics.notify(new Int32Array(gate), 0);
    expect(await answer).toEqual([5]);
    await host.run(["a"]);
    host.check();
  });

  const task = { task: "entities", without: "articles wait" };

  /** A logger, and what it wrote. */
  function listening() {
    const said: unknown[] = [];
    const logger = createLogger({
      service: "test",
      stream: { write: (line: string) => void said.push(JSON.parse(line)) },
    });
    return { said, logger };
  }

  test("a model that loads is there, and nothing is said", async () => {
    const { said, logger } = listening();
    expect(await loadOptional(task, async () => "a tagger", logger)).toEqual({ model: "a tagger" });
    expect(said).toEqual([]);
  });

  test("a model that cannot be used is said once, with task, code and file, and there is none", async () => {
    const { said, logger } = listening();
    const altered = new InferenceError("model-altered", "tiny: model.onnx has 3 bytes, not 4", { model: "tiny" });
    expect(await loadOptional(task, () => Promise.reject(altered), logger)).toEqual({ problem: altered });
    expect(said).toMatchObject([
      {
        level: "error",
        task: "entities",
        model: "tiny",
        code: "model-altered",
        reason: altered.message,
        msg: "a model cannot be used: articles wait",
      },
    ]);
  });

  test("a fault of the code is not taken for a damaged model", async () => {
    const { said, logger } = listening();
    await expect(loadOptional(task, () => Promise.reject(new TypeError("oops")), logger)).rejects.toThrow("oops");
    expect(said).toEqual([]);
  });

  test("a model that rests is not opened for a check, one that runs or failed is asked", async () => {
    const asked: number[] = [];
    const check = (state: { alive: number; failing: number }) => {
      const threads = () => ({ threads: 1, restarts: 0, lastError: undefined, ...state });
      return checkIfOpen({ threads }, async () => asked.push(state.alive - state.failing));
    };
    await check({ alive: 0, failing: 0 });
    await check({ alive: 1, failing: 0 });
    await check({ alive: 0, failing: 1 });
    expect(asked).toEqual([1, -1]);
  });
});

describe("work queue", () => {
  const patient = { timeoutMs: 10_000 };

  /** Results that say which text they belong to. */
  function lengths(texts: readonly string[]): number[] {
    return texts.map((text) => text.length);
  }

  function queueOf(capacity: number): WorkQueue<string, number> {
    return createWorkQueue({ capacity, model: "m", units: (text) => text.length });
  }

  test("texts of several calls are taken together, and each call gets its own vectors", async () => {
    const queue = queueOf(100);
    const first = queue.add(["a", "bb"], patient);
    const second = queue.add(["ccc"], patient);
    const taken = queue.take(64, 1000);
    expect(taken?.inputs).toHaveLength(3);
    taken?.deliver(lengths(taken.inputs));
    expect(await first).toEqual([1, 2]);
    expect(await second).toEqual([3]);
  });

  /** What is taken next, two at a time, until nothing waits; each is answered. */
  function drained(queue: WorkQueue<string, number>): string[] {
    const order: string[] = [];
    for (let taken = queue.take(2, 1000); taken !== undefined; taken = queue.take(2, 1000)) {
      order.push(...taken.inputs);
      taken.deliver(lengths(taken.inputs));
    }
    return order;
  }

  test("a short call does not wait for the end of a long one, nor that for more than it is long", async () => {
    const queue = queueOf(100);
    const long = queue.add(["l1", "l2", "l3", "l4", "l5"], patient);
    expect(queue.take(2, 1000)?.inputs).toEqual(["l1", "l2"]);
    const short = ["a", "b", "c", "d", "e", "f", "g"].map((text) => queue.add([text], patient));
    expect(drained(queue).join(" ")).toBe("a b c d e l3 l4 l5 f g");
    expect(await Promise.all(short)).toEqual(Array(7).fill([1]));
    void long.catch(() => undefined);
    queue.clear(new InferenceError("closed", "end"));
  });

  test("the kinds of calls take turns, however many of one wait", async () => {
    const queue = queueOf(100);
    for (const name of ["r1", "r2", "r3"]) {
      queue.add([name, name], { ...patient, kind: "/re" }).catch(() => undefined);
    }
    queue.add(["n"], { ...patient, kind: "/ner" }).catch(() => undefined);
    expect(drained(queue).join(" ")).toBe("r1 n r1 r2 r2 r3 r3");
  });

  test("calls of one length are taken in the order in which they came, a longer one behind them", () => {
    const queue = queueOf(100);
    for (const texts of [
      ["a1", "a2"],
      ["b1", "b2"],
      ["c1", "c2", "c3"],
      ["d1", "d2"],
    ]) {
      queue.add(texts, patient).catch(() => undefined);
    }
    expect(drained(queue).join(" ")).toBe("a1 a2 b1 b2 d1 d2 c1 c2 c3");
  });

  test("a call larger than one run is answered when its last part is there", async () => {
    const queue = queueOf(100);
    const answer = queue.add(["a", "bb", "ccc"], patient);
    for (let taken = queue.take(2, 1000); taken !== undefined; taken = queue.take(2, 1000)) {
      taken.deliver(lengths(taken.inputs));
    }
    expect(await answer).toEqual([1, 2, 3]);
  });

  test("a run ends before it holds too many characters, but never empty", () => {
    const queue = queueOf(100);
    queue.add(["x".repeat(50), "y".repeat(60), "z"], patient).catch(() => undefined);
    expect(queue.take(64, 40)?.inputs).toHaveLength(1);
    expect(queue.take(64, 61)?.inputs).toHaveLength(2);
    queue.clear(new InferenceError("closed", "end"));
  });

  test("a call that would pass the limit is refused by name", async () => {
    const queue = queueOf(3);
    const waiting = queue.add(["a", "b"], patient);
    expect(() => queue.add(["c", "d"], patient)).toThrow(expect.objectContaining({ code: "queue-full", model: "m" }));
    const taken = queue.take(64, 1000);
    taken?.deliver(lengths(taken.inputs));
    expect(await waiting).toHaveLength(2);
    expect(queue.size()).toBe(0);
  });

  test("an empty queue takes a call of any size", () => {
    const queue = queueOf(3);
    queue.add(["a", "b", "c", "d"], patient).catch(() => undefined);
    expect(queue.size()).toBe(4);
    queue.clear(new InferenceError("closed", "end"));
  });

  test("a call that waits too long is given up, and its place is free again", async () => {
    const queue = queueOf(3);
    await expect(queue.add(["a", "b", "c"], { timeoutMs: 5 })).rejects.toMatchObject({ code: "timed-out" });
    expect(queue.size()).toBe(0);
    expect(queue.take(64, 1000)).toBeUndefined();
  });

  test("an aborted call leaves the queue with the signal's reason", async () => {
    const queue = queueOf(10);
    const abort = new AbortController();
    const answer = queue.add(["a"], { signal: abort.signal, ...patient });
    abort.abort(new Error("client went away"));
    await expect(answer).rejects.toThrow("client went away");
    expect(queue.size()).toBe(0);
  });

  test("a signal that was aborted before is refused at once", () => {
    const queue = queueOf(10);
    expect(() => queue.add(["a"], { signal: AbortSignal.abort(), ...patient })).toThrow();
    expect(queue.size()).toBe(0);
  });

  test("vectors that arrive after an abort are dropped without harm to the others of the run", async () => {
    const queue = queueOf(10);
    const abort = new AbortController();
    const gone = queue.add(["a"], { signal: abort.signal, ...patient });
    const stays = queue.add(["bb"], patient);
    const taken = queue.take(64, 1000);
    abort.abort();
    await expect(gone).rejects.toThrow();
    taken?.deliver(lengths(taken.inputs));
    expect(await stays).toEqual([2]);
  });

  test("a failed run fails the calls that were in it, and only those", async () => {
    const queue = queueOf(10);
    const first = queue.add(["a"], patient);
    const taken = queue.take(1, 1000);
    const second = queue.add(["b"], patient);
    taken?.fail(new InferenceError("worker-failed", "died"));
    await expect(first).rejects.toMatchObject({ code: "worker-failed" });
    expect(queue.size()).toBe(1);
    const rest = queue.take(1, 1000);
    rest?.deliver(lengths(rest.inputs));
    expect(await second).toHaveLength(1);
  });

  test("a run that brings too few results fails its calls", async () => {
    const queue = queueOf(10);
    const answer = queue.add(["a", "b"], patient);
    queue.take(2, 1000)?.deliver([1]);
    await expect(answer).rejects.toMatchObject({ code: "worker-failed" });
  });
});
