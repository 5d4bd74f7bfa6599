import { URL } from "node:url";
import { Worker } from "node:worker_threads";
import type { EmbedReply, EmbedRequest, EmbedWorkerData } from "./embed-protocol.ts";
import { InferenceError } from "./errors.ts";

/** A Worker that holds one embedding model. */
export interface EmbedThread {
  /** The vectors of `texts`, one after the other. @throws InferenceError `worker-failed` */
  embed(texts: string[]): Promise<Float32Array<ArrayBuffer>>;
  /** False once the Worker has ended, by itself or by close(). */
  alive(): boolean;
  /** Lets the Worker finish what it was sent, then end: it is never stopped inside a native call. */
  close(): Promise<void>;
}

type Waiting = { resolve(vectors: Float32Array<ArrayBuffer>): void; reject(error: InferenceError): void };

/** Starts the Worker and waits until its model is loaded.
 * @throws InferenceError `model-missing`, `model-altered`, `model-invalid`, `worker-failed` */
export async function startEmbedThread(data: EmbedWorkerData): Promise<EmbedThread> {
  const { promise: loaded, resolve: ready, reject: failed } = Promise.withResolvers<void>();
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  const waiting = new Map<number, Waiting>();
  const model = data.card.name;
  let running = true;
  let next = 0;

  const fail = (cause: unknown): void => {
    running = false;
    const error = new InferenceError("worker-failed", `${model}: its thread has ended`, { model, cause });
    failed(error);
    for (const call of waiting.values()) call.reject(error);
    waiting.clear();
  };
  const settle = (id: number): Waiting | undefined => {
    const call = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) worker.unref();
    return call;
  };

  const worker = new Worker(new URL("./embed-worker.ts", import.meta.url), { workerData: data });
  worker.on("error", fail);
  worker.on("exit", (code) => {
    fail(new Error(`exit code ${code}`));
    end();
  });
  worker.on("message", (reply: EmbedReply) => {
    if (reply.kind === "ready") ready();
    else if (reply.kind === "failed") failed(new InferenceError(reply.code, reply.message, { model }));
    else if (reply.kind === "vectors") settle(reply.id)?.resolve(reply.vectors);
    else settle(reply.id)?.reject(new InferenceError("worker-failed", reply.message, { model }));
  });
  await loaded;
  worker.unref(); // an idle model keeps no process alive

  const post = (request: EmbedRequest): void => worker.postMessage(request);
  return {
    embed(texts) {
      const { promise, resolve, reject } = Promise.withResolvers<Float32Array<ArrayBuffer>>();
      if (!running)
        return Promise.reject(new InferenceError("worker-failed", `${model}: its thread has ended`, { model }));
      const id = next++;
      waiting.set(id, { resolve, reject });
      worker.ref();
      post({ kind: "embed", id, texts });
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
