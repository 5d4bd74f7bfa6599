import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { modelId } from "../../cards/registry.ts";
import { createModelHost, type ModelOptions } from "../../runtime/model-host.ts";
import type { ModelData } from "../../runtime/model-worker.ts";
import type { SenseInput } from "./sense-worker.ts";

/** Holds what words mean in their sentences, as vectors; calls made at the same time share runs of the model. */
export interface SenseEncoder {
  /** `name@revision` */
  readonly modelId: string;
  readonly dims: number;
  /**
   * For each sentence the vectors of the places that are asked for: Float32Array of unit length, `dims` numbers each,
   * to be compared with the vectors of glosses that the model ships.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted
   */
  encode(sentences: readonly SenseInput[], signal?: AbortSignal): Promise<Float32Array[][]>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

type SenseEncoderOptions = Omit<ModelOptions, "maxQueue" | "background">;

/** Starts a thread with the model, after checking its files.
 * @throws InferenceError `model-unknown`, `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createSenseEncoder(options: SenseEncoderOptions): Promise<SenseEncoder> {
  const { registry, threads = 1, timeoutMs, idleMs, logger } = options;
  const name = options.model ?? registry.default("senses");
  const card = registry.card(name);
  const dims = card.dims ?? 0;
  const host = await createModelHost<SenseInput, Float32Array, readonly Float32Array[]>({
    worker: new URL("./sense-worker.ts", import.meta.url),
    data: { dir: registry.dir(name), card, threads } satisfies ModelData,
    model: name,
    verify: () => registry.verify(name),
    isShipped: registry.isShipped(name),
    units: ({ words }) => words.length,
    unpack: (outputs) => outputs,
    maxUnits: 5_000,
    timeoutMs,
    idleMs,
    logger,
  });
  return {
    modelId: modelId(card),
    dims,
    async encode(sentences, signal) {
      const packed = await host.run(sentences, { signal });
      return packed.map((all) =>
        Array.from({ length: all.length / dims }, (_, place) => all.slice(place * dims, (place + 1) * dims)),
      );
    },
    threads: () => host.threads(),
    close: () => host.close(),
  };
}
