import type { KeywordEngine } from "./engine.ts";
import type { KeywordFault } from "./types.ts";

/** What the Worker is started with. */
export type KeywordWorkerData = { dir: string; mode: "read" | "write" };

/** The engine's methods that can be called from outside the Worker. */
export type KeywordMethod = Exclude<keyof KeywordEngine, "fresh">;

/** To the Worker. After `close` it answers nothing more and ends by itself. */
export type KeywordRequest = {
  [M in KeywordMethod]: { id: number; method: M; args: Parameters<KeywordEngine[M]> };
}[KeywordMethod];

/** From the Worker: `opened` or `failed` once, then one answer to each request. The caller knows the type of `value`. */
export type KeywordReply =
  | { kind: "opened"; fresh: boolean }
  | { kind: "failed"; reason: KeywordFault; message: string }
  | { kind: "result"; id: number; value: never }
  | { kind: "error"; id: number; reason: KeywordFault; message: string };
