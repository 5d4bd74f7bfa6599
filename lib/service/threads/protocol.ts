import type { EncodedError } from "./errors.ts";
import type { Background } from "./step-aside.ts";

/** What a Worker is started with: what its `start` gets. */
export type WorkerData<Data> = { data: Data; restarts: number; background: Background };

/** To a thread. After `close` it finishes the calls that it holds, closes its handlers and ends by itself. */
export type Request<Ask> =
  | { kind: "call"; id: number; name: string; ask: Ask }
  | { kind: "abort"; id: number }
  | { kind: "close" };

/** From a thread: `ready` or `failed` once, then one answer to each call. */
export type Reply<Answer> =
  | { kind: "ready" }
  | { kind: "failed"; error: EncodedError }
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "error"; id: number; error: EncodedError };
