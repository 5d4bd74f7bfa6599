import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { availableParallelism } from "node:os";
import { env, platform, versions } from "node:process";
import { fileURLToPath, URL } from "node:url";
import type { InferenceSession, Tensor } from "onnxruntime-node";
import { errorMessage } from "../../std/mod.ts";
import type { ModelCard } from "../cards/registry.ts";
import { InferenceError } from "./errors.ts";

/** Holds what the library of this version reads, once a process, when its first session is made. */
const SWITCH = { name: "ORT_DISABLE_TELEMETRY", value: "1" };

const LIBC = platform === "darwin" ? "libSystem.B.dylib" : "libc.so.6";

/** Holds what Bun calls a function of a native library with. */
type ForeignFunctions = {
  dlopen(
    library: string,
    functions: { setenv: { args: readonly string[]; returns: string } },
  ): { symbols: { setenv(name: Uint8Array, value: Uint8Array, overwrite: number): number } };
};

let isSilenced = false;

/**
 * Loads onnxruntime with the telemetry of its maker off: else it writes into the temporary folder and the user's cache,
 * looks up its maker's host and sends what is run. It is loaded nowhere else. It takes tens of megabytes, so the first
 * model of a thread loads it.
 */
function loadOnnxruntime(): Promise<typeof import("onnxruntime-node")> {
  if (!isSilenced) silence();
  isSilenced = true;
  return import("onnxruntime-node");
}

/** Sets the switch in the environment that native code reads. Throws where that cannot be done. */
function silence(): void {
  env[SWITCH.name] = SWITCH.value;
  // Bun keeps what a program sets to itself; Node and Deno hand it on.
  if (versions.bun === undefined) return;
  const ffi: ForeignFunctions = createRequire(import.meta.url)("bun:ffi");
  const { symbols } = ffi.dlopen(LIBC, { setenv: { args: ["cstring", "cstring", "i32"], returns: "i32" } });
  if (symbols.setenv(terminated(SWITCH.name), terminated(SWITCH.value), 1) !== 0) {
    throw new Error(`${SWITCH.name} could not be set`);
  }
}

function terminated(text: string): Uint8Array {
  return new TextEncoder().encode(`${text}\0`);
}

const GRAPH = fileURLToPath(new URL("./largest-products.onnx", import.meta.url));

/** Shape of what the graph takes. */
const [ROWS, DEPTH] = [4, 64];
const LARGEST_BYTE = 255;
const LARGEST_WEIGHT = 127;

let answer: Promise<boolean> | undefined;

/**
 * Tells whether onnxruntime adds products of uint8 and int8 exactly on this processor, as with VNNI. Without it two
 * products are added in 16 bits, and sums of large ones are cut off. Asked once a thread, by a graph of the largest
 * products.
 */
export function addsExactly(): Promise<boolean> {
  answer ??= largestSums().then((sums) => sums.every((sum) => sum === DEPTH * LARGEST_BYTE * LARGEST_WEIGHT));
  return answer;
}

async function largestSums(): Promise<Float32Array> {
  const { InferenceSession, Tensor } = await loadOnnxruntime();
  const session = await InferenceSession.create(await readFile(GRAPH), { intraOpNumThreads: 1, interOpNumThreads: 1 });
  const bytes = new Uint8Array(ROWS * DEPTH).fill(LARGEST_BYTE);
  const { sums } = await session.run({ bytes: new Tensor("uint8", bytes, [ROWS, DEPTH]) });
  await session.release();
  if (!(sums?.data instanceof Float32Array)) throw new TypeError("the graph of products gave no sums");
  return sums.data;
}

/** A session, how its tensors are made, and what stands before the model, for instance its tokenizer. */
type Opened<Front> = { session: InferenceSession; Tensor: typeof Tensor; front: Front };

/** Threads of a run that somebody waits for, where nothing says otherwise. */
export const ANSWER_THREADS = Math.min(2, availableParallelism());

/** Returns what a model that is not what its card says, or cannot be loaded, is answered with. */
export function unusable({ name }: Pick<ModelCard, "name">, cause: unknown): InferenceError {
  return new InferenceError("model-invalid", `${name}: the model cannot be loaded`, { model: name, cause });
}

/** Returns what a model is answered with whose trial run over its longest sequence failed when it was loaded. */
export function notRunnable({ name }: Pick<ModelCard, "name">, longest: number, cause: unknown): InferenceError {
  const why = errorMessage(cause);
  return new InferenceError("model-invalid", `${name} cannot be run over ${longest} tokens: ${why}`, {
    model: name,
    cause,
  });
}

type SessionOptions = {
  /** Bits of int8 weights that are used. Default 8. */
  weightBits?: number | undefined;
  /** Holds what its constants outside of it are read from, by the names that it has for them. */
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

/** Returns the text of a model's file. */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
