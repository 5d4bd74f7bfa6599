import { describe, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, URL } from "node:url";
import { addsExactly, ANSWER_THREADS, openSession } from "./onnxruntime.ts";

describe("onnxruntime", () => {
  const PROGRAM = fileURLToPath(new URL("./testing/load-models.ts", import.meta.url));

  /** Runs a command in a network of its own, which reaches nothing. */
  const ALONE = ["unshare", "--map-root-user", "--net"];
  const isAlone = Bun.which("unshare") !== null && Bun.spawnSync([...ALONE, "true"]).exitCode === 0;

  // Its telemetry looks up a host some nine seconds after it has opened its files, and never without them.
  test.skipIf(!isAlone)("loaded models leave no file of telemetry (skipped without a network namespace)", async () => {
    const home = mkdtempSync(join(tmpdir(), "isnad-alone-"));
    const child = Bun.spawn([...ALONE, process.execPath, PROGRAM], {
      // Nothing that a machine of CI or a careful user may have set.
      env: { PATH: process.env.PATH, HOME: home, TMPDIR: home, BUN_RUNTIME_TRANSPILER_CACHE_PATH: "0" },
      stdout: "pipe",
      stderr: "inherit",
    });
    expect([await new Response(child.stdout).text(), await child.exited]).toEqual(["loaded", 0]);
    expect(readdirSync(home)).toEqual([]);
    rmSync(home, { recursive: true });
  });
});

describe("open session", () => {
  const graph = readFileSync(fileURLToPath(new URL("./largest-products.onnx", import.meta.url)));
  const card = { name: "largest-products" };
  const ROWS = 4;
  const DEPTH = 64;

  const threadsOfProcess = (): number => readdirSync("/proc/self/task").length;

  test("a run that somebody waits for has two threads, where there are two processors", () => {
    expect(ANSWER_THREADS).toBe(availableParallelism() > 1 ? 2 : 1);
  });

  test.skipIf(process.platform !== "linux")("a session has no more threads than there are processors", async () => {
    const asked = availableParallelism() + 200;
    const before = threadsOfProcess();
    const { session } = await openSession(graph, card, asked, () => undefined);
    expect(threadsOfProcess() - before).toBeLessThan(availableParallelism() + 100);
    await session.release();
  });

  test("a session that keeps its memory answers what one does that gives it back, run after run", async () => {
    const inputs = [0, 1, 255].map((value) => new Uint8Array(ROWS * DEPTH).fill(value));
    const sums = async (keepMemory: boolean): Promise<number[][]> => {
      const { session, Tensor } = await openSession(graph, card, 1, () => undefined, { keepMemory });
      const all: number[][] = [];
      for (const bytes of [...inputs, ...inputs]) {
        const { sums } = await session.run({ bytes: new Tensor("uint8", bytes, [ROWS, DEPTH]) });
        if (!(sums?.data instanceof Float32Array)) throw new TypeError("the graph gave no sums");
        all.push([...sums.data]);
      }
      await session.release();
      return all;
    };
    const kept = await sums(true);
    expect(kept).toEqual(await sums(false));
    expect(kept.slice(0, inputs.length)).toEqual(kept.slice(inputs.length));
    expect(kept[0]).not.toEqual(kept[2]);
  });
});

describe("exact products", () => {
  const graph = readFileSync(new URL("./largest-products.onnx", import.meta.url));
  const LARGEST_SUM = 64 * 255 * 127;

  async function sumsOf(weightBits: number): Promise<number[]> {
    const { session, Tensor } = await openSession(graph, { name: "largest-products" }, 1, () => undefined, {
      weightBits,
    });
    const { sums } = await session.run({ bytes: new Tensor("uint8", new Uint8Array(4 * 64).fill(255), [4, 64]) });
    await session.release();
    return [...(sums?.data ?? [])].map(Number);
  }

  test("a session over weights of 8 bits adds the largest products exactly, whatever the processor", async () => {
    expect(await sumsOf(8)).toEqual(Array(4 * 16).fill(LARGEST_SUM));
  });

  test("addsExactly() says whether a session that widens nothing does so, too", async () => {
    expect(await addsExactly()).toBe((await sumsOf(7)).every((sum) => sum === LARGEST_SUM));
  });
});
