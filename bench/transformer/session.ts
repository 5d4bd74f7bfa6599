import type { InferenceSession, Tensor } from "onnxruntime-node";
import { loadOnnxruntime } from "../../lib/models/runtime/onnxruntime.ts";

/** Inputs of a model by name. */
export type Feeds = Record<string, Tensor>;

/** A session on one thread, with the options that the services use unless others are given. */
export async function openOrt(
  model: Uint8Array,
  options: InferenceSession.SessionOptions = {},
): Promise<InferenceSession> {
  const { InferenceSession } = await loadOnnxruntime();
  return InferenceSession.create(model, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    enableCpuMemArena: false,
    ...options,
  });
}

/** Runs a model once and lets go of what it gave. */
export async function runOnce(session: InferenceSession, feeds: Feeds): Promise<void> {
  for (const tensor of Object.values(await session.run(feeds))) tensor.dispose();
}
