import { setImmediate } from "node:timers/promises";
import { InferenceError } from "../errors.ts";
import type { ThreadModel } from "../model-worker.ts";

/**
 * A model for tests: the length of each text, where it is not `exit`, which ends the thread, `long`, which takes as
 * long as anybody waits for it, `stuck`, which blocks the thread until `gate` is opened, or `invalid`, which it does
 * not take. `loads: false` is a model that cannot be loaded.
 */
export async function openModel({
  loads = true,
  gate,
}: {
  loads?: boolean;
  gate?: SharedArrayBuffer;
}): Promise<ThreadModel<string, Float64Array<ArrayBuffer>>> {
  if (!loads) throw new InferenceError("model-altered", "trial: a file was changed", { model: "trial" });
  return {
    async run(batch, { signal }) {
      for (const text of batch) {
        if (text === "exit") process.exit(5);
        if (text === "invalid") throw new InferenceError("model-invalid", "trial: no such text", { model: "trial" });
        if (text === "stuck" && gate !== undefined) Atomics.wait(new Int32Array(gate), 0, 0);
        while (text === "long") {
          signal.throwIfAborted();
          await setImmediate();
        }
      }
      return Float64Array.from(batch, ({ length }) => length);
    },
    async release() {},
    transfer: ({ buffer }) => [buffer],
  };
}
