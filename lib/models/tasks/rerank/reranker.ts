import type { ThreadsLogger, ThreadsState } from "../../../service/threads/mod.ts";
import type { Registry } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createCrossEncoder } from "./cross-encoder.ts";
import type { Passage } from "./passage.ts";
import { createVectorReranker } from "./vector-reranker.ts";

/** Judges how well passages answer a query. */
export interface Reranker {
  /** `name@revision`; of a dual encoder with what else its vectors follow from, as `vectorsId` says. */
  readonly modelId: string;
  /** Numbers of a vector that it judges passages by ({@link Passage.vectors}); 0 where it reads texts alone. */
  readonly dims: number;
  /**
   * A score a passage, in order, higher for better; scores of different calls compare roughly. `passages` stand in the
   * order in which they were found, best first: a dual encoder takes that order as evidence too, and keyword scores
   * where they are given. Any strings are allowed. A dual encoder reads the first 128 pieces of a query and 64 of a
   * passage that has no vectors, title first; a cross-encoder at most 512 of both.
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
  /** Passages that may wait. Default as many as are read in `timeoutMs`; of a cross-encoder 1,024. */
  maxQueue?: number;
  /** Milliseconds that a call may take. Default 3,000; of a cross-encoder, which reads them with each query, 30,000. */
  timeoutMs?: number;
  logger?: ThreadsLogger;
};

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createReranker(options: RerankerOptions): Promise<Reranker> {
  const { registry } = options;
  const name = options.model ?? registry.default("rerank");
  const { task, architecture } = registry.card(name);
  if (task === "rerank" && architecture === "cross-encoder") return createCrossEncoder(name, options);
  if (task === "rerank" && architecture === "dual-encoder") return createVectorReranker(name, options);
  throw new InferenceError("model-invalid", `${name} is no reranker that can be run here`, { model: name });
}
