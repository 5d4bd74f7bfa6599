import { createSenseEncoder, type Registry, type SenseEncoder } from "../../models/mod.ts";
import type { Logger } from "../../service/process/mod.ts";
import { openSenseVectors, SENSES_MODEL, type SenseVectors } from "./sense-vectors.ts";

/** What reads words in their sentences, and the vectors of senses that go with it. */
export type SenseModelParts = { encoder: Pick<SenseEncoder, "encode" | "close">; vectors: SenseVectors };

/** Opens the model of senses that ships. Rejects with an InferenceError when a file is missing or damaged. */
export async function openSenseModel(options: { registry: Registry; logger?: Logger }): Promise<SenseModelParts> {
  const [vectors, encoder] = await Promise.allSettled([
    openSenseVectors(options.registry),
    createSenseEncoder({ ...options, model: SENSES_MODEL }),
  ]);
  if (vectors.status === "fulfilled" && encoder.status === "fulfilled") {
    return { vectors: vectors.value, encoder: encoder.value };
  }
  if (encoder.status === "fulfilled") await encoder.value.close();
  throw [vectors, encoder].find((each) => each.status === "rejected")?.reason;
}
