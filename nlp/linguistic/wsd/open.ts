import {
  createSenseEncoder,
  type Embedder,
  type OptionalModel,
  type Registry,
  type SenseEncoder,
} from "@isnad/lib/inference";
import type { Logger } from "@isnad/lib/process";
import { errorMessage } from "@isnad/lib/std";
import { PartUnavailable } from "../part-unavailable.ts";
import { createSenseChooser, type SenseChooser } from "./choose.ts";
import { type Inventory, openInventory } from "./inventory.ts";
import { openSenseVectors, SENSES_MODEL, type SenseVectors } from "./sense-vectors.ts";

/** The senses and what chooses among them; each throws PartUnavailable where its files could not be opened. */
export type Senses = { inventory(): Inventory; chooser(): SenseChooser };

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

/** Opens the inventory now; what went wrong is thrown by those who ask for it, as PartUnavailable. */
export function attemptInventory(open: () => Inventory = openInventory): () => Inventory {
  try {
    const inventory = open();
    return () => inventory;
  } catch (cause) {
    return () => {
      throw new PartUnavailable(`senses: ${errorMessage(cause)}`, { cause });
    };
  }
}

/** The senses of an inventory, to be chosen by the models. */
export function openSenses(
  { embedder, senses }: { embedder: OptionalModel<Pick<Embedder, "embed">>; senses: OptionalModel<SenseModelParts> },
  inventory: () => Inventory,
): Senses {
  const chooser =
    embedder.model === undefined || senses.model === undefined
      ? undefined
      : createSenseChooser({ embedder: embedder.model, ...senses.model });
  return {
    inventory,
    chooser() {
      if (chooser !== undefined) return chooser;
      const { model, message } = embedder.problem ?? senses.problem ?? {};
      throw new PartUnavailable(`model ${model ?? "of senses"}: ${message ?? "it was not loaded"}`);
    },
  };
}
