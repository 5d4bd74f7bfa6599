import { afterEach, describe, expect, test } from "bun:test";
import { fileURLToPath, URL } from "node:url";
import { createLogger } from "../../service/process/mod.ts";
import { openRegistry } from "../cards/registry.ts";
import { createEmbedder } from "../tasks/embed/embedder.ts";
import { InferenceError } from "./errors.ts";
import { checkIfOpen, createModelHost, loadOptional, type ModelHost, type ModelHostOptions } from "./model-host.ts";

describe("model host", () => {
  const module = new URL("./testing/trial-model.ts", import.meta.url);
  const opened: ModelHost<string, number>[] = [];
  const open = async (changes: Partial<ModelHostOptions<string, number, Float64Array>> = {}) => {
    const host = await createModelHost<string, number, Float64Array>({
      module,
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
    const error = await failure(open({ module: new URL("./testing/not-there.ts", import.meta.url) }));
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
