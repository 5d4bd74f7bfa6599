import { workerData } from "node:worker_threads";
import { type Context, serve, Transferred } from "../../service/threads/mod.ts";
import type { ModelCard } from "../cards/registry.ts";

/** Says what every model is opened with: its folder, its card, and threads of one run. */
export type ModelData = { dir: string; card: ModelCard; threads: number };

/** A loaded model in the thread that runs it. */
export interface ThreadModel<In, Packed> {
  /**
   * Returns the results of a whole batch, in a form that can be sent to another thread; blocks the thread while it
   * computes. Between two steps of a long batch it throws when the signal has aborted: nobody waits for the results
   * then.
   */
  run(batch: readonly In[], context: Context): Promise<Packed>;
  release(): Promise<void>;
  /** Opens what a batch asks for, where that is opened by its first use. */
  open?(batch: readonly In[]): Promise<void>;
  /** Returns the buffers of a result that are handed over instead of copied. */
  transfer?(packed: Packed): ArrayBuffer[];
}

/**
 * Says what a thread is started with: the address of the module whose `openModel` opens the model, what that takes, and
 * whether runs take turns between their steps, instead of one after the other.
 */
export type ModelThread = { module: string; data: unknown; sideBySide: boolean };

/** A model's thread as its host sees it, which knows the type of the answer. */
export type ModelStart<In> = (thread: ModelThread) => {
  run(batch: readonly In[], context: Context): Promise<never>;
  /** Answers when the thread comes to it; given inputs, once what they ask for is open. */
  ping(batch: readonly In[]): Promise<void>;
};

type ModelModule = { openModel(data: unknown): Promise<ThreadModel<unknown, unknown>> };

const { data: started }: { data: ModelThread } = workerData;

serve(
  async ({ module, data }: ModelThread) => {
    const { openModel }: ModelModule = await import(module);
    const model = await openModel(data);
    return {
      async run(batch: readonly unknown[], context: Context) {
        const packed = await model.run(batch, context);
        return model.transfer === undefined ? packed : new Transferred(packed, model.transfer(packed));
      },
      ping: async (batch: readonly unknown[]) => await model.open?.(batch),
      close: () => model.release(),
    };
  },
  { oneAtATime: !started.sideBySide },
);
