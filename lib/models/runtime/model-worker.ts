import { type Context, serve, Transferred } from "../../service/threads/mod.ts";
import type { ModelCard } from "../cards/registry.ts";

/** Says what every model's thread is started with: the folder of the model, its card, and threads of one run. */
export type ModelData = { dir: string; card: ModelCard; threads: number };

/** A loaded model in the thread that runs it. */
interface WorkerModel<In, Packed> {
  /**
   * Returns the results of a whole batch, in a form that can be sent to another thread; blocks the thread while it
   * computes. Between two steps of a long batch it throws when the signal has aborted: nobody waits for the results
   * then.
   */
  run(batch: readonly In[], context: Context): Promise<Packed>;
  release(): Promise<void>;
  /** Returns the buffers of a result that are handed over instead of copied. */
  transfer?(packed: Packed): ArrayBuffer[];
}

/** A model's thread as its host sees it, which knows the type of the answer. */
export type ModelStart<In> = (data: unknown) => {
  run(batch: readonly In[], context: Context): Promise<never>;
  /** Answers when the thread comes to it. */
  ping(): void;
};

/**
 * Serves a model in a Worker: loads it with what the Worker was started with, then answers runs one after the other, or
 * `sideBySide`, taking turns between their steps. The whole of a Worker's file is one call of this.
 */
export function serveModel<Data, In, Packed>(
  load: (data: Data) => Promise<WorkerModel<In, Packed>>,
  { sideBySide = false }: { sideBySide?: boolean } = {},
): void {
  const start = async (data: Data) => {
    const model = await load(data);
    return {
      async run(batch: readonly In[], context: Context) {
        const packed = await model.run(batch, context);
        return model.transfer === undefined ? packed : new Transferred(packed, model.transfer(packed));
      },
      ping: () => undefined,
      close: () => model.release(),
    };
  };
  serve(start, { oneAtATime: !sideBySide });
}
