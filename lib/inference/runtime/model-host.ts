import type { URL } from "node:url";
import { InferenceError } from "./errors.ts";
import { type ModelThread, startModelThread } from "./model-thread.ts";
import { createWorkQueue, type Taken } from "./work-queue.ts";

/** A model in a thread of its own; calls made at the same time share its runs. */
export interface ModelHost<In, Out> {
  /** One result an input, in order.
   * @throws InferenceError `queue-full`, `timed-out`, `closed`, `worker-failed`; the signal's reason when aborted */
  run(inputs: readonly In[], signal?: AbortSignal): Promise<Out[]>;
  /** Takes no new calls, finishes those accepted, and ends the thread. */
  close(): Promise<void>;
}

export type ModelHostOptions<In, Out, Packed> = {
  /** The Worker file, which calls `serveModel`. */
  worker: URL;
  /** What the Worker's `load` gets. */
  data: unknown;
  /** The model's name, for errors. */
  model: string;
  /** The single results in what the Worker sends for a batch of `count` inputs. */
  unpack(packed: Packed, count: number): readonly Out[];
  /** How much work an input is. */
  units(input: In): number;
  /** Inputs of one run. Default 64. */
  maxBatch?: number;
  /** Units of one run; an input larger than this is run alone. Default 100,000. */
  maxUnits?: number;
  /** Inputs that may wait. Default 4096. */
  maxQueue?: number;
  /** Milliseconds that a call may take. Default 30,000. */
  timeoutMs?: number;
};

/** One run computes while the next one is already in the Worker's inbox. */
const MAX_RUNS = 2;

/** Starts the model's thread and waits until it is loaded.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function createModelHost<In, Out, Packed>(
  options: ModelHostOptions<In, Out, Packed>,
): Promise<ModelHost<In, Out>> {
  const { worker, data, model, unpack, units } = options;
  const { maxBatch = 64, maxUnits = 100_000, maxQueue = 4096, timeoutMs = 30_000 } = options;
  const start = () => startModelThread<In, Packed>({ worker, data, model });
  let thread: Promise<ModelThread<In, Packed>> = start();
  await thread;

  const queue = createWorkQueue<In, Out>({ capacity: maxQueue, model, units });
  let runs = 0;
  let open = true;
  let idle: (() => void) | undefined;

  /** A thread that died (out of memory, a fault in native code) is replaced at the next run. */
  const living = async (): Promise<ModelThread<In, Packed>> => {
    const current = await thread.catch(() => undefined);
    if (current?.alive()) return current;
    thread = start();
    return thread;
  };

  const run = async (taken: Taken<In, Out>): Promise<void> => {
    try {
      const current = await living();
      taken.deliver(unpack(await current.run(taken.inputs), taken.inputs.length));
    } catch (error) {
      taken.fail(error);
    }
    runs--;
    pump();
  };

  const pump = (): void => {
    while (runs < MAX_RUNS) {
      const taken = queue.take(maxBatch, maxUnits);
      if (taken === undefined) break;
      runs++;
      void run(taken);
    }
    if (runs === 0) idle?.();
  };

  return {
    async run(inputs, signal) {
      if (!open) throw new InferenceError("closed", `${model} is closed`, { model });
      if (inputs.length === 0) return [];
      const answer = queue.add(inputs, { signal, timeoutMs });
      // calls made in the same turn of the event loop go into the same run
      queueMicrotask(pump);
      return answer;
    },
    async close() {
      open = false;
      if (runs > 0 || queue.size() > 0) {
        await new Promise<void>((resolve) => {
          idle = resolve;
        });
      }
      await thread.then(
        (current) => current.close(),
        () => undefined,
      );
    },
  };
}
