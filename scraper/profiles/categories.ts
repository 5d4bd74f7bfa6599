import type { Taxonomy } from "@isnad/lib/service/config";
import type { Profile } from "./schema.ts";

/**
 * The canonical categories that a profile's map, or the category of one of its feeds and pages, can yield, in the
 * taxonomy's order.
 */
export function categoriesOf(profile: Profile, { categories }: Pick<Taxonomy, "categories">): string[] {
  const { category_map, feeds, sitemaps, list_pages } = profile;
  const labels = [...feeds, ...sitemaps, ...list_pages].flatMap(({ category }) => category ?? []);
  const yielded = new Set([...Object.values(category_map), ...labels.map((label) => category_map[label] ?? label)]);
  return categories.filter((category) => yielded.has(category));
}
