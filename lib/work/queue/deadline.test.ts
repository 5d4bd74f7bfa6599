import { describe, expect, test } from "bun:test";
import { within } from "./deadline.ts";

describe("within", () => {
  test("settles as the work does", async () => {
    expect(await within(1000, "it", Promise.resolve(7))).toBe(7);
    await expect(within(1000, "it", Promise.reject(new Error("no")))).rejects.toThrow("no");
  });

  test("rejects when the work takes too long, naming it", async () => {
    await expect(within(10, "adding", new Promise(() => {}))).rejects.toThrow("adding took longer than 10 ms");
  });
});
