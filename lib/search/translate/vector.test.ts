import { describe, expect, test } from "bun:test";
import { embedAcross } from "./vector.ts";

const { signal } = new AbortController();
const VECTORS: Record<string, number[]> = { سفينة: [1, 0], "ship vessel": [0, 1] };
const asked: (readonly string[])[] = [];
const embed = async (texts: readonly string[]) => {
  asked.push(texts);
  return texts.map((text) => Float32Array.from(VECTORS[text] ?? [0, 0]));
};

describe("embedAcross()", () => {
  test("moves a query towards its translation and leaves its length 1", async () => {
    const [x = 0, y = 0] = await embedAcross(embed, async () => "ship vessel")("سفينة", signal);
    expect(asked.splice(0)).toEqual([["سفينة", "ship vessel"]]);
    expect(Math.hypot(x, y)).toBeCloseTo(1, 6);
    expect(Math.min(x, y)).toBeGreaterThan(0.5);
  });

  test("leaves a query without a translation as it is, also where translating fails", async () => {
    expect([...(await embedAcross(embed, async () => "")("سفينة", signal))]).toEqual([1, 0]);
    const failing = embedAcross(embed, () => Promise.reject(new Error("down")));
    expect([...(await failing("سفينة", signal))]).toEqual([1, 0]);
    const forever = embedAcross(embed, () => new Promise(() => {}), { translationMs: 5 });
    expect([...(await forever("سفينة", signal))]).toEqual([1, 0]);
  });

  test("fails where the embedder fails", async () => {
    const failing = embedAcross(
      () => Promise.reject(new Error("no model")),
      async () => "ship",
    );
    await expect(failing("سفينة", signal)).rejects.toThrow("no model");
  });
});
