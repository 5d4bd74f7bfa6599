import { expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { addsExactly } from "./exact-products.ts";
import { openSession } from "./open-session.ts";

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
