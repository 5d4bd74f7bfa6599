import type { Embedder, OptionalModel } from "../../models/mod.ts";
import { attempt } from "../attempt.ts";
import { PartUnavailable } from "../part-unavailable.ts";
import { createSenseChooser, type SenseChooser } from "./choose.ts";
import type { Inventory } from "./inventory.ts";
import { openRareSenses } from "./rare-senses.ts";
import type { SenseModelParts } from "./sense-model.ts";

/** The senses and what chooses among them; each throws PartUnavailable where its files could not be opened. */
export type Senses = { inventory(): Inventory; chooser(): SenseChooser };

/** The senses of an inventory, to be chosen by the models; `openRare` reads which of them are rare. */
export function openSenses(
  { embedder, senses }: { embedder: OptionalModel<Pick<Embedder, "embed">>; senses: OptionalModel<SenseModelParts> },
  inventory: () => Inventory,
  openRare = openRareSenses,
): Senses {
  const chooser = attempt(() => {
    if (embedder.model !== undefined && senses.model !== undefined) {
      return createSenseChooser({ embedder: embedder.model, ...senses.model, rare: openRare() });
    }
    const problem = embedder.problem ?? senses.problem;
    throw new PartUnavailable(problem?.message ?? "the model of senses was not loaded", { cause: problem });
  });
  return { inventory, chooser };
}
