import { createTaxonomy, type Taxonomy } from "@isnad/lib/service/config";
import type { CrawlProfile } from "../types.ts";

/** What an article is about: the canonical category, null where no map knows the label, and the source's own label. */
export interface Category {
  readonly canonical: string | null;
  readonly label: string | null;
}

/**
 * Finds the category that the labels of an article stand for, the first known one first: by the profile's own map, then
 * by the platform's for the provider, then as a canonical name. Without any, the first label is kept as it is.
 */
export function createCategorizer(
  profile: Pick<CrawlProfile, "provider" | "category_map">,
  taxonomy: Taxonomy,
): (labels: readonly (string | null)[]) => Category {
  const { provider, category_map: map = {} } = profile;
  const { version, categories } = taxonomy;
  const canonical = Object.fromEntries(Object.entries(map).filter(([, category]) => categories.includes(category)));
  const own = createTaxonomy({ version, categories, labels: { [provider]: canonical } });
  return (labels) => {
    const given = labels.map((label) => label?.trim() ?? "").filter((label) => label !== "");
    for (const map of [own, taxonomy]) {
      for (const label of given) {
        const mapped = map.mapLabel(provider, label);
        if (mapped !== null) return { canonical: mapped.categoryId, label };
      }
    }
    return { canonical: null, label: given[0] ?? null };
  };
}
