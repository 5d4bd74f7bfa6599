import { describe, expect, test } from "bun:test";
import { queryVectors } from "./query-vectors.ts";

const { signal } = new AbortController();

describe("queryVectors()", () => {
  test("embeds a query once, and forgets the one that was not used for longest", async () => {
    const asked: string[] = [];
    const embed = queryVectors(
      {
        embed: async (texts) => {
          asked.push(...texts);
          return texts.map((text) => new Float32Array([text.length]));
        },
      },
      { size: 2 },
    );
    for (const text of ["a", "bb", "a", "ccc", "bb", "a"])
      expect((await embed([text], signal))[0]?.[0]).toBe(text.length);
    expect(asked.splice(0)).toEqual(["a", "bb", "ccc", "bb", "a"]);
    expect((await embed(["bb", "dddd", "a", "eeeee"], signal)).map(([length]) => length)).toEqual([2, 4, 1, 5]);
    expect(asked).toEqual(["dddd", "eeeee"]);
  });

  test("does not remember a failure", async () => {
    let fails = true;
    const embed = queryVectors({
      embed: async () => (fails ? Promise.reject(new Error("down")) : [new Float32Array(1)]),
    });
    await expect(embed(["x"], signal)).rejects.toThrow("down");
    fails = false;
    expect(await embed(["x"], signal)).toHaveLength(1);
  });
});
