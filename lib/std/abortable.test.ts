import { describe, expect, test } from "bun:test";
import { abortable } from "./abortable.ts";

const forever = new Promise<never>(() => {});

describe("abortable()", () => {
  test("settles as the promise does, in time", async () => {
    const { signal } = new AbortController();
    expect(await abortable(Promise.resolve(7), signal)).toBe(7);
    await expect(abortable(Promise.reject(new Error("away")), signal)).rejects.toThrow("away");
  });

  test("rejects with the reason of a signal that aborts, or has", async () => {
    const controller = new AbortController();
    const waiting = abortable(forever, controller.signal);
    controller.abort(new Error("late"));
    await expect(waiting).rejects.toThrow("late");
    await expect(abortable(forever, controller.signal)).rejects.toThrow("late");
  });
});
