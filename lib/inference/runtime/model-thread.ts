import type { URL } from "node:url";
import { Worker } from "node:worker_threads";
import { InferenceError } from "./errors.ts";
import type { ModelReply, ModelRequest } from "./model-protocol.ts";

/** A Worker that holds one model. */
export interface ModelThread<In, Packed> {
  /** The results of `batch`. @throws InferenceError `worker-failed` */
  run(batch: In[]): Promise<Packed>;
  /** False once the Worker has ended, by itself or by close(). */
  alive(): boolean;
  /** Lets the Worker finish what it was sent, then end: it is never stopped inside a native call. */
  close(): Promise<void>;
}

/** How a model's thread is started: the file that calls `serveModel`, and what its `load` gets. */
export type ThreadStart = { worker: URL; data: unknown; model: string };

type Waiting<Packed> = { resolve(packed: Packed): void; reject(error: InferenceError): void };

/** Starts the Worker and waits until its model is loaded.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function startModelThread<In, Packed>(start: ThreadStart): Promise<ModelThread<In, Packed>> {
  const { promise: loaded, resolve: ready, reject: failed } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const waiting = new Map<number, Waiting<Packed>>();
  const { model } = start;
  let running = true;
  let next = 0;

  const fail = (cause: unknown): void => {
    running = false;
    const error = new InferenceError("worker-failed", `${model}: its thread has ended`, { model, cause });
    failed(error);
    for (const call of waiting.values()) call.reject(error);
    waiting.clear();
  };
  const settle = (id: number): Waiting<Packed> | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return call;
  };

  const worker = new Worker(start.worker, { workerData: start.data });
  worker.on("error", fail);
  worker.on("exit", (code) => {
    fail(new Error(`exit code ${code}`));
    end();
  });
  worker.on("message", (reply: ModelReply<Packed>) => {
    if (reply.kind === "ready") ready();
    else if (reply.kind === "failed") failed(new InferenceError(reply.code, reply.message, { model }));
    else if (reply.kind === "done") settle(reply.id)?.resolve(reply.packed);
    else settle(reply.id)?.reject(new InferenceError("worker-failed", reply.message, { model }));
  });
  await loaded;
  worker.unref(); // an idle model keeps no process alive

  const post = (request: ModelRequest<In>): void => worker.postMessage(request);
  return {
    run(batch) {
      const { promise, resolve, reject } = Promise.withResolvers<Packed>();
      if (!running)
        return Promise.reject(new InferenceError("worker-failed", `${model}: its thread has ended`, { model }));
      const id = next++;
      waiting.set(id, { resolve, reject });
      worker.ref();
      post({ kind: "run", id, batch });
      return promise;
    },
    alive: () => running,
    async close() {
      if (!running) return ended;
      running = false;
      worker.ref();
      post({ kind: "close" });
      await ended;
    },
  };
}
