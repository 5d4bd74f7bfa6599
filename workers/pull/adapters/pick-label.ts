import type { Taxonomy } from "@isnad/lib/service/config";

/**
 * Of the labels that a provider gives an article, the one that says most: the first that maps to a category with the
 * highest confidence, else the first. Undefined when there is none.
 */
export function pickLabel(
  taxonomy: Pick<Taxonomy, "mapLabel">,
  provider: string,
  labels: readonly string[],
): string | undefined {
  let best: string | undefined;
  let confidence = -1;
  for (const label of labels) {
    const mapped = taxonomy.mapLabel(provider, label)?.confidence ?? -0.5;
    if (mapped <= confidence) continue;
    best = label;
    confidence = mapped;
  }
  return best;
}
