import { SenseEntry } from "@isnad/lib/contract";
import { readEntries } from "../../lib/arabic/lexicon-files.ts";
import { createInventory } from "../../lib/arabic/senses/inventory.ts";
import { SENSES_MODEL, type SenseVectors } from "../../lib/arabic/senses/sense-vectors.ts";

/**
 * What is told of the vectors by which senses are chosen: those that were added or worded anew since then are chosen by
 * the words around alone, which is less sure, but no mistake.
 */
export function vectorSummary(folder: string, vectors: Pick<SenseVectors, "of">): string {
  const senses = readEntries(folder, SenseEntry);
  const inventory = createInventory(senses);
  const several = senses.filter((sense) => inventory.rivals(sense).length > 1);
  const missing = several.filter((sense) => vectors.of(sense) === undefined).map(({ id }) => id);
  const count = `${several.length - missing.length} of ${several.length} senses of words with several have a vector`;
  if (missing.length === 0) return `${count} in ${SENSES_MODEL}`;
  return `${count} in ${SENSES_MODEL}; python -m isnad_senses --vectors makes those of ${missing.join(", ")}`;
}
