import type { Background, ThreadsLogger, ThreadsState } from "../../../service/threads/mod.ts";
import type { Registry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createDualEncoder } from "./dual-encoder.ts";

/** Reads passages beforehand to vectors that the reranker compares with a query. */
export interface PassageReader {
  /** As that of the reranker whose vectors these are; vectors of different ones do not compare. */
  readonly modelId: string;
  /** A vector a passage, in order: int8, of which the direction alone counts.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  read(passages: readonly string[], signal?: AbortSignal): Promise<Int8Array[]>;
  /** How the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type PassageReaderOptions = {
  /** Milliseconds of rest after which the model is given back; its first use opens it. Default: it stays. */
  idleMs?: number;
  registry: Registry;
  /** Name of the model; the registry's default for `rerank` when it is not given. */
  model?: string;
  /** Runs the thread at the lowest priority of the machine. */
  background?: Background;
  /** Milliseconds that a call may take. Default 60,000. */
  timeoutMs?: number;
  logger?: ThreadsLogger;
};

/** Passages that may wait. */
const MAX_QUEUE = 4096;

/**
 * Starts a thread with the reranking model, after checking its files; undefined for a model that reads passages
 * together with their query alone.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed`
 */
export async function createPassageReader(options: PassageReaderOptions): Promise<PassageReader | undefined> {
  const { registry, model: name = registry.default("rerank"), timeoutMs = 60_000, ...rest } = options;
  const card = registry.card(name);
  if (card.task !== "rerank") {
    throw new InferenceError("model-invalid", `${name} is no reranker`, { model: name });
  }
  if (card.architecture !== "dual-encoder") return undefined;
  const encoder = await createDualEncoder(name, { registry, timeoutMs, maxQueue: MAX_QUEUE, ...rest });
  return {
    modelId: encoder.modelId,
    async read(passages, signal) {
      const vectors = await encoder.read(
        passages.map((text) => ({ kind: "passage", text })),
        { signal },
      );
      return vectors.map(int8);
    },
    threads: () => encoder.threads(),
    close: () => encoder.close(),
  };
}

/** The vector, so that its largest number is 127. */
function int8(vector: Float32Array): Int8Array {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  return Int8Array.from(vector, (value) => Math.round((value / largest) * 127));
}
