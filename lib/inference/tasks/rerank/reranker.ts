import { URL } from "node:url";
import type { ThreadsLogger, ThreadsState } from "../../../threads/index.ts";
import { modelId } from "../../models/card.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost } from "../../runtime/model-host.ts";
import type { Registry } from "../../models/registry.ts";
import { createCrossEncoder } from "./cross-encoder.ts";
import type { Passage, RerankInput } from "./passage.ts";
import type { RerankWorkerData } from "./rerank-worker.ts";

/** Judges how well passages answer a query. */
export interface Reranker {
  /** `name@revision`. */
  readonly modelId: string;
  /**
   * A score a passage, in order, higher for better; scores of different calls do not compare. `passages` stand in the
   * order in which they were found, best first: a late-interaction model takes that order as evidence too. Any strings
   * are allowed. A late-interaction model reads 48 tokens of a query and 320 of a passage with its title, and of that
   * the best stretch in context, a cross-encoder at most 512 of both.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  rerank(query: string, passages: readonly Passage[], options?: { signal?: AbortSignal }): Promise<Float32Array>;
  /** How the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type RerankerOptions = {
  registry: Registry;
  /** Name of the model; the registry's default for `rerank` when it is not given. */
  model?: string;
  /** Threads of one run of the model. Default 1; of a cross-encoder half of the processors. */
  threads?: number;
  /** Calls that may wait. Default 256; of a cross-encoder passages, default 1,024. */
  maxQueue?: number;
  /** Milliseconds that a call may take. Default 1,000; of a cross-encoder, hundreds of times as large, 30,000. */
  timeoutMs?: number;
  logger?: ThreadsLogger;
};

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createReranker(options: RerankerOptions): Promise<Reranker> {
  const { registry, threads = 1, maxQueue = 256, timeoutMs = 1_000, logger } = options;
  const name = options.model ?? registry.default("rerank");
  const card = registry.card(name);
  if (card.task === "rerank" && card.architecture === "cross-encoder") return createCrossEncoder(name, options);
  const host = await createModelHost<RerankInput, Float32Array, Float32Array[]>({
    worker: new URL("./rerank-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads } satisfies RerankWorkerData,
    model: name,
    units: ({ passages }) => passages.length,
    unpack: (scores) => scores,
    maxBatch: 8,
    maxUnits: 100,
    maxQueue,
    timeoutMs,
    logger,
  });
  return {
    modelId: modelId(card),
    async rerank(query, passages, { signal } = {}) {
      if (passages.length === 0) return new Float32Array();
      const [scores] = await host.run([{ query, passages }], signal);
      if (scores === undefined) throw new InferenceError("worker-failed", `${name} gave no scores`, { model: name });
      return scores;
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}
