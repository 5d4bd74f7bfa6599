import { expect, test } from "bun:test";
import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { fileURLToPath, URL } from "node:url";
import { ANSWER_THREADS, openSession } from "./open-session.ts";

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
