import { URL } from "node:url";
import type { Background, ThreadsLogger, ThreadsState } from "../../../service/threads/mod.ts";
import type { Registry } from "../../cards/registry.ts";
import { createModelHost, type RunOptions } from "../../runtime/model-host.ts";
import type { EncoderInput } from "./dual-encoder-model.ts";
import type { DualEncoderWorkerData } from "./dual-encoder-worker.ts";
import { vectorsId } from "./passage.ts";

/** Reads queries and passages to vectors that compare, in a thread of its own. */
export interface DualEncoder {
  /** Identifies its model and its vectors: {@link vectorsId}. */
  readonly modelId: string;
  readonly dims: number;
  /** A vector a text, in order: Float32Array of unit length.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  read(texts: readonly EncoderInput[], options?: RunOptions): Promise<Float32Array[]>;
  /** How the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type DualEncoderOptions = {
  /** Milliseconds of rest after which the model is given back; its first use opens it. Default: it stays. */
  idleMs?: number | undefined;
  registry: Registry;
  /** Threads of one run of the model. Default 1. */
  threads?: number | undefined;
  /** Texts that may wait. */
  maxQueue: number;
  /** Texts of one run: whoever comes later waits for two of them at the least. Default 32. */
  runTexts?: number | undefined;
  /** Milliseconds that a call may take. */
  timeoutMs: number;
  /** Runs the thread at the lowest priority of the machine. */
  background?: Background | undefined;
  logger?: ThreadsLogger | undefined;
};

/** Texts of one run: a call that is given up leaves no more than two runs behind it. */
const RUN_TEXTS = 32;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createDualEncoder(name: string, options: DualEncoderOptions): Promise<DualEncoder> {
  const { registry, threads = 1, runTexts = RUN_TEXTS, ...rest } = options;
  const card = registry.card(name);
  const host = await createModelHost<EncoderInput, Float32Array, Float32Array[]>({
    worker: new URL("./dual-encoder-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads } satisfies DualEncoderWorkerData,
    model: name,
    verify: () => registry.verify(name),
    isShipped: registry.isShipped(name),
    units: ({ text }) => text.length,
    unpack: (vectors) => vectors,
    maxBatch: runTexts,
    ...rest,
  });
  return {
    modelId: vectorsId(card),
    dims: card.dims ?? 0,
    read: (texts, options) => host.run(texts, options),
    threads: () => host.threads(),
    close: () => host.close(),
  };
}
