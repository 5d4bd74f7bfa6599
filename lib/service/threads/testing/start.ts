import { readFileSync } from "node:fs";
import { getPriority } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { threadId } from "node:worker_threads";
import { type Context, Transferred } from "../protocol.ts";

/** An error with a reason of its own, as services have them. */
export class OddError extends Error {
  override readonly name = "OddError";
  readonly reason: "odd" | "even";
  constructor(reason: "odd" | "even", message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** A thread for tests. `failAt` names the start, counted from 0, from which on starts fail. */
export function start({ greeting = "", failAt = Number.POSITIVE_INFINITY }, { restarts }: { restarts: number }) {
  if (restarts >= failAt) throw new OddError("odd", "the start does not like it", { cause: new TypeError("why") });
  const seen: string[] = [];
  return {
    greet: (name: string) => `${greeting}${name}`,
    thread: () => threadId,
    restarts: async () => restarts,
    priority: () => getPriority(),
    /** Returns how Linux schedules the thread: 0 as others are, 5 behind all others. */
    policy: () => Number(readFileSync("/proc/thread-self/stat", "utf8").split(") ")[1]?.split(" ")[38]),
    /** Answers after `ms`; says in which order calls began. */
    async wait({ name, ms }: { name: string; ms: number }, { signal }: Context) {
      seen.push(name);
      await sleep(ms, undefined, { signal });
      return [...seen];
    },
    length: (bytes: Uint8Array) => bytes.length,
    bytes(length: number) {
      const bytes = new Uint8Array(length);
      return new Transferred(bytes, [bytes.buffer]);
    },
    unclonable: () => () => "a function",
    fail(how: "range" | "odd" | "text" | "code") {
      if (how === "range") throw new RangeError("out of range");
      if (how === "odd") throw new OddError("even", "not odd", { cause: new Error("beneath") });
      if (how === "code") throw Object.assign(new Error("no entry"), { name: "FileError", code: "ENOENT", errno: -2 });
      throw "only a text";
    },
    exit: (code: number) => process.exit(code),
    /** Throws where nobody awaits it. */
    async crash() {
      setTimeout(() => {
        throw new TypeError("thrown beside the calls");
      });
      await new Promise(() => undefined);
    },
    /** Computes for so many milliseconds. */
    work(ms: number) {
      for (const endsAt = performance.now() + ms; performance.now() < endsAt; ) Math.random();
    },
    spin() {
      for (;;) Math.random();
    },
  };
}
