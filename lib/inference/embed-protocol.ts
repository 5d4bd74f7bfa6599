import type { ModelCard } from "./card.ts";
import type { InferenceErrorCode } from "./errors.ts";

/** What the Worker is started with. */
export type EmbedWorkerData = { dir: string; card: ModelCard; threads: number };

/** To the Worker. After `close` it answers nothing more and ends by itself. */
export type EmbedRequest = { kind: "embed"; id: number; texts: string[] } | { kind: "close" };

/** From the Worker: `ready` or `failed` once, then `vectors` or `error` for each request. */
export type EmbedReply =
  | { kind: "ready" }
  | { kind: "failed"; code: InferenceErrorCode; message: string }
  | { kind: "vectors"; id: number; vectors: Float32Array<ArrayBuffer> }
  | { kind: "error"; id: number; message: string };
