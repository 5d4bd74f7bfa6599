import { parentPort, workerData } from "node:worker_threads";
import { InferenceError } from "./errors.ts";
import type { ModelReply, ModelRequest } from "./model-protocol.ts";

/** A loaded model in the thread that runs it. */
export interface WorkerModel<In, Packed> {
  /** The results of a whole batch, in a form that can be sent to another thread; blocks the thread while it computes. */
  run(batch: readonly In[]): Promise<Packed>;
  release(): Promise<void>;
  /** The buffers of a result that are handed over instead of copied. */
  transfer?(packed: Packed): ArrayBuffer[];
}

/**
 * Serves a model in a Worker: loads it with what the Worker was started with, then answers runs one after the other. The
 * whole of a Worker's file is one call of this. An InferenceError of `load` reaches who started the thread by its code.
 */
export function serveModel<Data, In, Packed>(load: (data: Data) => Promise<WorkerModel<In, Packed>>): void {
  const port = parentPort;
  if (port === null) throw new Error("a model's Worker file runs only as a Worker");
  const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));
  const reply = (message: ModelReply<Packed>, transfer: ArrayBuffer[] = []): void =>
    port.postMessage(message, transfer);

  const answer = async (model: WorkerModel<In, Packed>, id: number, batch: In[]): Promise<void> => {
    try {
      const packed = await model.run(batch);
      reply({ kind: "done", id, packed }, model.transfer?.(packed));
    } catch (error) {
      reply({ kind: "error", id, message: text(error) });
    }
  };

  const serve = async (): Promise<void> => {
    const model = await load(workerData);
    let last: Promise<void> = Promise.resolve();
    port.on("message", (request: ModelRequest<In>) => {
      last = last.then(async () => {
        if (request.kind === "run") return answer(model, request.id, request.batch);
        await model.release();
        port.close();
      });
    });
    reply({ kind: "ready" });
  };

  serve().catch((error: unknown) => {
    const code = error instanceof InferenceError ? error.code : "worker-failed";
    reply({ kind: "failed", code, message: text(error) });
    port.close();
  });
}
