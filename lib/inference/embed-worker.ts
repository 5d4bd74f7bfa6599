import { parentPort, workerData } from "node:worker_threads";
import { type EmbedModel, loadEmbedModel } from "./embed-model.ts";
import type { EmbedReply, EmbedRequest, EmbedWorkerData } from "./embed-protocol.ts";
import { InferenceError } from "./errors.ts";

const port = parentPort;
if (port === null) throw new Error("embed-worker.ts runs only as a Worker");

const { dir, card, threads }: EmbedWorkerData = workerData;
const reply = (message: EmbedReply): void => port.postMessage(message);
const text = (error: unknown): string => (error instanceof Error ? error.message : String(error));

async function answer(model: EmbedModel, request: { id: number; texts: string[] }): Promise<void> {
  try {
    const vectors = new Float32Array(await model.embed(request.texts));
    port?.postMessage({ kind: "vectors", id: request.id, vectors } satisfies EmbedReply, [vectors.buffer]);
  } catch (error) {
    reply({ kind: "error", id: request.id, message: text(error) });
  }
}

async function serve(): Promise<void> {
  const model = await loadEmbedModel(dir, card, threads);
  let last: Promise<void> = Promise.resolve();
  port?.on("message", (request: EmbedRequest) => {
    last = last.then(async () => {
      if (request.kind === "embed") return answer(model, request);
      await model.release();
      port?.close();
    });
  });
  reply({ kind: "ready" });
}

serve().catch((error: unknown) => {
  const code = error instanceof InferenceError ? error.code : "worker-failed";
  reply({ kind: "failed", code, message: text(error) });
  port.close();
});
