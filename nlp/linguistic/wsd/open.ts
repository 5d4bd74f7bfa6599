import type { Embedder, OptionalModel } from "@isnad/lib/inference";
import { errorMessage } from "@isnad/lib/std";
import { PartUnavailable } from "../part-unavailable.ts";
import { createSenseChooser, type SenseChooser } from "./choose.ts";
import { type Inventory, openInventory } from "./inventory.ts";
import type { SenseModelParts } from "./sense-model.ts";

/** The senses and what chooses among them; each throws PartUnavailable where its files could not be opened. */
export type Senses = { inventory(): Inventory; chooser(): SenseChooser };

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
