import { URL } from "node:url";
import type { ThreadsState } from "../../../service/threads/mod.ts";
import { type ModelCard, modelId, readVerified } from "../../cards/registry.ts";
import { InferenceError } from "../../runtime/errors.ts";
import { createModelHost, type ModelOptions, ofRegistry } from "../../runtime/model-host.ts";
import type { ModelData, ThreadModel } from "../../runtime/model-worker.ts";
import { openSession, unusable } from "../../runtime/onnxruntime.ts";
import { loadPieces } from "../../tokenizers/pieces.ts";
import { windowsOf } from "../entities/windows.ts";

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
    module: new URL(import.meta.url),
    ...ofRegistry(registry, name, threads),
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

/** The words of a sentence, and the places of those whose meaning is asked for, ascending. */
type SenseInput = { words: readonly string[]; places: readonly number[] };

/** Holds what words mean in their sentences, as vectors, in this thread. */
interface SenseModel {
  readonly dims: number;
  /** Unit vectors of the places, one after the other; blocks the calling thread while it computes. */
  vectors(input: SenseInput): Promise<Float32Array>;
  release(): Promise<void>;
}

/**
 * Loads the model, and the pieces that it shares with other models, after checking their files.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`
 */
async function loadSenseModel(dir: string, card: ModelCard, threads: number): Promise<SenseModel> {
  const { dims } = card;
  if (card.task !== "senses" || dims === undefined) {
    throw new InferenceError("model-invalid", `${card.name} gives no vectors of senses`, { model: card.name });
  }
  const pieces = await loadPieces(dir, card);
  const lower = await openSession(await readVerified(dir, card, "lower.onnx"), card, threads, () => undefined);
  const head = await openSession(await readVerified(dir, card, "model.onnx"), card, threads, () => undefined);
  const { Tensor } = lower;
  return {
    dims,
    async vectors({ words, places }) {
      const asked = new Set(places);
      const out = new Float32Array(asked.size * dims);
      let before = 0;
      let filled = 0;
      for (const { ids, firsts } of windowsOf([words], pieces.tokenizer.idsOf)) {
        const here = firsts.filter((_, place) => asked.has(before + place));
        before += firsts.length;
        if (here.length === 0) continue;
        const rows = new Tensor("float32", pieces.rowsOf(ids), [1, ids.length, pieces.width]);
        const { states } = await lower.session.run({ words: rows });
        if (states === undefined) throw unusable(card, new Error("the lower layers gave no states"));
        const first = new Tensor("int32", Int32Array.from(here), [here.length]);
        const { vectors } = await head.session.run({ states, firsts: first });
        const { data } = vectors ?? {};
        if (!(data instanceof Float32Array) || data.length !== here.length * dims) {
          throw unusable(card, new Error(`the model's output is not ${dims} numbers for each word`));
        }
        out.set(data, filled);
        filled += data.length;
      }
      return out;
    },
    async release() {
      for (const { session } of [lower, head]) await session.release();
    },
  };
}

/** Opens the model in the thread that runs it. */
export async function openModel({ dir, card, threads }: ModelData): Promise<ThreadModel<SenseInput, Float32Array[]>> {
  const model = await loadSenseModel(dir, card, threads);
  return {
    async run(batch, { signal }) {
      const vectors: Float32Array[] = [];
      for (const input of batch) {
        signal.throwIfAborted();
        vectors.push(await model.vectors(input));
      }
      return vectors;
    },
    release: () => model.release(),
  };
}
