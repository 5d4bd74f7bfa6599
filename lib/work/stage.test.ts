import { expect, test } from "bun:test";
import { Gate } from "./stage.ts";

test("exclusive work waits for what is in flight, and keeps what comes after it out", async () => {
  const gate = new Gate();
  const order: string[] = [];
  const held = Promise.withResolvers<void>();
  const alone = Promise.withResolvers<void>();
  const first = gate.shared(async () => {
    order.push("first");
    await held.promise;
  });
  const exclusive = gate.exclusive(async () => {
    order.push("exclusive");
    await alone.promise;
  });
  const second = gate.shared(async () => void order.push("second"));
  await Bun.sleep(0);
  expect(order).toEqual(["first"]);
  held.resolve();
  await first;
  await Bun.sleep(0);
  expect(order).toEqual(["first", "exclusive"]);
  alone.resolve();
  await Promise.all([exclusive, second]);
  expect(order).toEqual(["first", "exclusive", "second"]);
});

test("what fails opens the gate again", async () => {
  const gate = new Gate();
  const fails = async () => {
    throw new Error("no");
  };
  await expect(gate.exclusive(fails)).rejects.toThrow("no");
  await expect(gate.shared(fails)).rejects.toThrow("no");
  expect(await gate.exclusive(async () => 1)).toBe(1);
});

test("a gate rests from the end of the last work on, and not while any goes on", async () => {
  const gate = new Gate();
  const held = Promise.withResolvers<void>();
  const work = [gate.shared(() => held.promise), gate.shared(async () => {})];
  await work[1];
  await Bun.sleep(5);
  expect(gate.restedMs()).toBe(0);
  held.resolve();
  await work[0];
  const rested = gate.restedMs();
  await Bun.sleep(5);
  expect(gate.restedMs()).toBeGreaterThan(rested);
  await gate.exclusive(async () => expect(gate.restedMs()).toBe(0));
});
