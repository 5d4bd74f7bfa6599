import { URL } from "node:url";
import type { ThreadsLogger, ThreadsState } from "../../../threads/index.ts";
import { modelId } from "../../models/card.ts";
import type { EmbedWorkerData } from "./embed-worker.ts";
import { createModelHost } from "../../runtime/model-host.ts";
import type { Registry } from "../../models/registry.ts";

/** What a text is for: some models put a prefix before it. */
export type TextKind = "query" | "passage";

/** Texts to vectors; calls made at the same time share runs of the model. */
export interface Embedder {
  /** `name@revision`; vectors of different ids must not be compared. */
  readonly modelId: string;
  readonly dims: number;
  /** One unit-length Float32Array of `dims` numbers a text, in order. Any string is allowed: a text in which the model
   * knows nothing (empty, only emoji, an unknown script) gets the vector of the unknown token.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  embed(texts: readonly string[], kind: TextKind, signal?: AbortSignal): Promise<Float32Array[]>;
  /** How the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type EmbedderOptions = {
  registry: Registry;
  /** Name of the model; the registry's default for `embed` when it is not given. */
  model?: string;
  /** Threads of one run of the model. Default 1. */
  threads?: number;
  /** Texts that may wait. Default 4096. */
  maxQueue?: number;
  /** Milliseconds that a call may take. Default 30,000. */
  timeoutMs?: number;
  /** Nobody waits for the vectors: its thread lets all others of the machine go first. */
  background?: boolean;
  logger?: ThreadsLogger;
};

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createEmbedder(options: EmbedderOptions): Promise<Embedder> {
  const { registry, threads = 1, maxQueue, timeoutMs, background, logger } = options;
  const name = options.model ?? registry.default("embed");
  const card = registry.card(name);
  const dims = card.dims ?? 0;
  const host = await createModelHost<string, Float32Array, Float32Array>({
    worker: new URL("./embed-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads } satisfies EmbedWorkerData,
    model: name,
    units: (text) => text.length,
    unpack: (vectors, count) =>
      Array.from({ length: count }, (_, place) => vectors.slice(place * dims, (place + 1) * dims)),
    maxQueue,
    timeoutMs,
    background,
    logger,
  });
  return {
    modelId: modelId(card),
    dims,
    embed(texts, kind, signal) {
      const prefix = card.prefixes?.[kind] ?? "";
      return host.run(prefix === "" ? texts : texts.map((text) => prefix + text), signal);
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}
