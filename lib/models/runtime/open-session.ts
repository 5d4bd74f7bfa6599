import { availableParallelism } from "node:os";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { errorMessage } from "../../std/mod.ts";
import type { ModelCard } from "../cards/card.ts";
import { InferenceError } from "./errors.ts";
import { addsExactly } from "./exact-products.ts";
import { loadOnnxruntime } from "./onnxruntime.ts";

/** A session, how its tensors are made, and what stands before the model, for instance its tokenizer. */
export type Opened<Front> = { session: InferenceSession; Tensor: typeof Tensor; front: Front };

/** Threads of a run that somebody waits for, where nothing says otherwise. */
export const ANSWER_THREADS = Math.min(2, availableParallelism());

/** What a model that is not what its card says, or cannot be loaded, is answered with. */
export function unusable({ name }: Pick<ModelCard, "name">, cause: unknown): InferenceError {
  return new InferenceError("model-invalid", `${name}: the model cannot be loaded`, { model: name, cause });
}

/** What a model is answered with whose trial run over its longest sequence failed when it was loaded. */
export function notRunnable({ name }: Pick<ModelCard, "name">, longest: number, cause: unknown): InferenceError {
  const why = errorMessage(cause);
  return new InferenceError("model-invalid", `${name} cannot be run over ${longest} tokens: ${why}`, {
    model: name,
    cause,
  });
}

export type SessionOptions = {
  /** Bits of int8 weights that are used. Default 8. */
  weightBits?: number | undefined;
  /** What its constants outside of it are read from, by the names that it has for them. */
  files?: Record<string, Uint8Array>;
  /** Keeps the memory of a run for the next one: for runs whose size is bounded. Default false. */
  keepMemory?: boolean;
};

/**
 * Opens a session over the bytes of `model.onnx`, and makes what stands before the model. Each run of the session
 * blocks the calling thread while it computes, on `threads` threads, the calling one among them; no more than there are
 * processors. @throws InferenceError `model-invalid` when either cannot be made
 */
export async function openSession<Front>(
  weights: Uint8Array,
  card: Pick<ModelCard, "name">,
  threads: number,
  makeFront: () => Front,
  { weightBits = 8, files = {}, keepMemory = false }: SessionOptions = {},
): Promise<Opened<Front>> {
  const { InferenceSession, Tensor } = await loadOnnxruntime();
  try {
    const front = makeFront();
    const options = {
      intraOpNumThreads: Math.min(threads, availableParallelism()),
      interOpNumThreads: 1,
      enableCpuMemArena: keepMemory,
      // a plan is kept for every shape that ever came
      enableMemPattern: !keepMemory,
      externalData: Object.entries(files).map(([path, data]) => ({ path, data })),
      extra: {
        // the sum and the normalisation as one operator take four times as long as one after the other
        optimization: { disable_specified_optimizers: "SkipLayerNormFusion" },
        // Between two operators a thread turns, as it takes as long to wake it; not for longer, which would keep its
        // processor from everything else.
        session: { intra_op: { allow_spinning: "1", spin_duration_us: "50" } },
      },
    };
    // Where the processor adds products of int8 weights in 16 bits, weights of 8 bits are widened: it takes twice as
    // long. A graph in which two products share their weights cannot be rewritten so, and runs as it is.
    if (weightBits < 8 || (await addsExactly())) {
      return { session: await InferenceSession.create(weights, options), Tensor, front };
    }
    const precise = {
      ...options,
      logSeverityLevel: 4 as const,
      extra: { ...options.extra, session: { ...options.extra.session, x64quantprecision: "1" } },
    };
    const session = await InferenceSession.create(weights, precise).catch(() =>
      InferenceSession.create(weights, options),
    );
    return { session, Tensor, front };
  } catch (cause) {
    throw unusable(card, cause);
  }
}

/** The text of a model's file. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
