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
  const vectors = await openSenseVectors(options.registry);
  return { vectors, encoder: await createSenseEncoder({ ...options, model: SENSES_MODEL }) };
}

/** Opens the senses that ship, to be chosen by the models. */
export function openSenses(
  embedder: OptionalModel<Pick<Embedder, "embed">>,
  senses: OptionalModel<SenseModelParts>,
  open = openInventory,
): Senses {
  let inventory: Inventory | undefined;
  let problem: unknown;
  try {
    inventory = open();
  } catch (error) {
    problem = error;
  }
  const chooser =
    embedder.model === undefined || senses.model === undefined
      ? undefined
      : createSenseChooser({ embedder: embedder.model, ...senses.model });
  return {
    inventory() {
      if (inventory === undefined) throw new PartUnavailable(`senses: ${errorMessage(problem)}`, { cause: problem });
      return inventory;
    },
    chooser() {
      if (chooser !== undefined) return chooser;
      const { model, message } = embedder.problem ?? senses.problem ?? {};
      throw new PartUnavailable(`model ${model ?? "of senses"}: ${message ?? "it was not loaded"}`);
    },
  };
}
