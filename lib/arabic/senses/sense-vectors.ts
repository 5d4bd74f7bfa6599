import { createHash } from "node:crypto";
import { z } from "zod";
import type { SenseEntry } from "../../contract/mod.ts";
import { createSenseEncoder, openRegistry, type Registry, type SenseEncoder, textOf } from "../../models/mod.ts";
import type { Logger } from "../../service/process/mod.ts";

/** The model that ships. */
export const SENSES_MODEL = "senses-ar";

/** The embedder that likeness is told by: what it weighs was learned with its vectors, whichever one search uses. */
export const SENSES_EMBEDDER = "static-ar-en-256";

/** Holds what the signs of a sense's being meant weigh, see {@link senseScore}. */
export const SenseWeights = z.strictObject({
  fit: z.number(),
  likeness: z.number(),
  rank: z.number(),
  letters: z.number(),
  vowels: z.number(),
});
export type SenseWeights = z.output<typeof SenseWeights>;

/** Vectors of senses, to be compared with those that the model gives to words in their sentences. */
export type SenseVectors = {
  weights: SenseWeights;
  /** Of unit length; undefined for a sense that was added or reworded since they were made. */
  of(sense: SenseEntry): Float32Array | undefined;
};

/**
 * Returns what a sense is in the list of those that have a vector: its id and a checksum of what the vector was made
 * of.
 */
export function senseKey({ id, gloss, en }: SenseEntry): string {
  return `${id} ${createHash("sha256").update(glossText({ gloss, en })).digest("hex").slice(0, 8)}`;
}

/** Returns what a vector is made of. */
export function glossText({ gloss, en }: Pick<SenseEntry, "gloss" | "en">): string {
  return `${gloss}. ${en.join(", ")}`;
}

/** Opens them, their checksums verified. Rejects when a file is missing or damaged, with an InferenceError. */
export async function openSenseVectors(registry = openRegistry()): Promise<SenseVectors> {
  const read = (file: string) => registry.read(SENSES_MODEL, file);
  const [settings, list, table] = await Promise.all([read("settings.json"), read("senses.txt"), read("vectors.bin")]);
  const weights = SenseWeights.parse(JSON.parse(textOf(settings)));
  const keys = textOf(list).trimEnd().split("\n");
  const rowBytes = table.length / keys.length;
  const rows = new Map(keys.map((key, row) => [key, row]));
  const known = new WeakMap<SenseEntry, { vector: Float32Array | undefined }>();
  const vectorOf = (sense: SenseEntry): Float32Array | undefined => {
    const row = rows.get(senseKey(sense));
    if (row === undefined) return undefined;
    return unpacked(table.subarray(row * rowBytes, (row + 1) * rowBytes));
  };
  return {
    weights,
    of(sense) {
      const kept = known.get(sense) ?? { vector: vectorOf(sense) };
      known.set(sense, kept);
      return kept.vector;
    },
  };
}

/**
 * Returns a vector of unit length, in 4 bits a number: 8 stands for zero, the first of each two is the low half of a
 * byte.
 */
function unpacked(bytes: Uint8Array): Float32Array {
  const vector = new Float32Array(2 * bytes.length);
  bytes.forEach((byte, place) => {
    vector[2 * place] = (byte & 15) - 8;
    vector[2 * place + 1] = (byte >> 4) - 8;
  });
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** Holds what reads words in their sentences, and the vectors of senses that go with it. */
export type SenseModelParts = { encoder: Pick<SenseEncoder, "encode" | "close">; vectors: SenseVectors };

/** Opens the model of senses that ships. Rejects with an InferenceError when a file is missing or damaged. */
export async function openSenseModel(options: {
  registry: Registry;
  logger?: Logger;
  idleMs?: number;
}): Promise<SenseModelParts> {
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
