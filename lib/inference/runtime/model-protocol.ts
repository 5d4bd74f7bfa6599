import type { InferenceErrorCode } from "./errors.ts";

/** To a model's Worker. After `close` it answers nothing more and ends by itself. */
export type ModelRequest<In> = { kind: "run"; id: number; batch: In[] } | { kind: "close" };

/** From a model's Worker: `ready` or `failed` once, then `done` or `error` for each run. */
export type ModelReply<Packed> =
  | { kind: "ready" }
  | { kind: "failed"; code: InferenceErrorCode; message: string }
  | { kind: "done"; id: number; packed: Packed }
  | { kind: "error"; id: number; message: string };
