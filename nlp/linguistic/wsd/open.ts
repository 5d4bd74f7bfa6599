import type { Embedder, OptionalModel } from "@isnad/lib/inference";
import { errorMessage } from "@isnad/lib/std";
import { PartUnavailable } from "../part-unavailable.ts";
import { createSenseChooser, type SenseChooser } from "./choose.ts";
import { type Inventory, openInventory } from "./inventory.ts";

/** The senses and what chooses among them; each throws PartUnavailable where its files could not be opened. */
export type Senses = { inventory(): Inventory; chooser(): SenseChooser };

/** Opens the senses that ship, to be chosen by an embedder. */
export function openSenses(embedder: OptionalModel<Pick<Embedder, "embed">>, open = openInventory): Senses {
  let inventory: Inventory | undefined;
  let problem: unknown;
  try {
    inventory = open();
  } catch (error) {
    problem = error;
  }
  const chooser = embedder.model === undefined ? undefined : createSenseChooser(embedder.model);
  return {
    inventory() {
      if (inventory === undefined) throw new PartUnavailable(`senses: ${errorMessage(problem)}`, { cause: problem });
      return inventory;
    },
    chooser() {
      if (chooser !== undefined) return chooser;
      const { model, message } = embedder.problem ?? {};
      throw new PartUnavailable(`model ${model ?? "for embedding"}: ${message ?? "it was not loaded"}`);
    },
  };
}
