import { describe, expect, test } from "bun:test";
import { InferenceError } from "./errors.ts";
import { createWorkQueue } from "./work-queue.ts";

describe("work queue", () => {
  const patient = { timeoutMs: 10_000 };

  /** Results that say which text they belong to. */
  function lengths(texts: readonly string[]): number[] {
    return texts.map((text) => text.length);
  }

  function queueOf(capacity: number) {
    return createWorkQueue<string, number>({ capacity, model: "m", units: (text) => text.length });
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

  /** Takes what waits, two at a time, until nothing does, and answers each; returns it in that order. */
  function drained(queue: ReturnType<typeof queueOf>): string[] {
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
