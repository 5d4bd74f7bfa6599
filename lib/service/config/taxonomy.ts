import { readFileSync } from "node:fs";
import { boundMarks, isObject } from "../../std/mod.ts";
import shipped from "./taxonomy.json" with { type: "json" };

/** The canonical category that a provider's label stands for; `confidence` is 0 to 100. */
type MappedCategory = { categoryId: string; confidence: number };

/** The canonical categories, their version, and the map from providers' labels to them. */
export type Taxonomy = {
  version: string;
  categories: readonly string[];
  /**
   * Looks a label up in the provider's own map, then in the map for every provider, then among the canonical
   * categories themselves. Case, Arabic diacritics and letter forms, and the kind of separator make no difference.
   */
  mapLabel(provider: string, label: string): MappedCategory | null;
};

/** A taxonomy file as it lies on disk. A label maps to a category, or to a category with a confidence below 100. */
type TaxonomyFile = {
  version: string;
  categories: readonly string[];
  labels: Record<string, Record<string, string | { category: string; confidence: number }>>;
};

/** A taxonomy file that cannot be read or contradicts itself; the message names the file and the entry. */
export class TaxonomyError extends Error {
  override name = "TaxonomyError";
}

const EVERY_PROVIDER = "*";

/** Reads the taxonomy file at `path`, or the shipped one. Throws {@link TaxonomyError}. */
export function loadTaxonomy(path?: string): Taxonomy {
  if (path === undefined) return createTaxonomy(shipped, "taxonomy.json");
  let parsed: unknown;
  try {
    parsed = JSON.parse(readFileSync(path, "utf8"));
  } catch (cause) {
    throw new TaxonomyError(`${path}: cannot be read as JSON`, { cause });
  }
  return createTaxonomy(parsed, path);
}

/** Builds a taxonomy from a parsed file; `name` is what errors call it. Throws {@link TaxonomyError}. */
export function createTaxonomy(file: unknown, name = "taxonomy"): Taxonomy {
  const { version, categories, labels } = checked(file, name);
  const maps = new Map(
    Object.entries(labels).map(([provider, entries]) => [labelKey(provider), labelMap(entries, categories, name)]),
  );
  const canonical = new Map(categories.map((id) => [labelKey(id), { categoryId: id, confidence: 100 }]));
  const everyProvider = maps.get(EVERY_PROVIDER);
  return {
    version,
    categories,
    mapLabel(provider, label) {
      const key = labelKey(label);
      const category = maps.get(labelKey(provider))?.get(key) ?? everyProvider?.get(key) ?? canonical.get(key);
      return category ? { ...category } : null;
    },
  };
}

function labelMap(
  entries: TaxonomyFile["labels"][string],
  categories: readonly string[],
  name: string,
): Map<string, MappedCategory> {
  const map = new Map<string, MappedCategory>();
  for (const [label, target] of Object.entries(entries)) {
    const { category, confidence } = typeof target === "string" ? { category: target, confidence: 100 } : target;
    if (!categories.includes(category)) {
      throw new TaxonomyError(`${name}: the label "${label}" maps to "${category}", which is no category of the file`);
    }
    map.set(labelKey(label), { categoryId: category, confidence: clampConfidence(confidence) });
  }
  return map;
}

/** Confidence as it is stored: within 0 to 100; what is no number counts as 0. */
export function clampConfidence(value: number): number {
  return Number.isNaN(value) ? 0 : Math.min(100, Math.max(0, value));
}

/**
 * Returns the form in which labels are compared: folded Arabic, lower case, words separated by one space, camel case
 * split.
 */
function labelKey(label: string): string {
  return boundMarks(label)
    .normalize("NFKC")
    .replace(/(\p{Ll})(\p{Lu})/gu, "$1 $2")
    .toLowerCase()
    .replace(/[\p{Mn}\u0640]/gu, "")
    .replace(/[\u0622\u0623\u0625]/g, "\u0627")
    .replace(/\u0649/g, "\u064A")
    .replace(/\u0629/g, "\u0647")
    .replace(/[^\p{L}\p{N}*]+/gu, " ")
    .trim();
}

function checked(file: unknown, name: string): TaxonomyFile {
  if (!isObject(file)) throw new TaxonomyError(`${name}: expected an object`);
  const { version, categories, labels } = file;
  if (typeof version !== "string" || version === "") throw new TaxonomyError(`${name}: "version" must be a string`);
  if (!Array.isArray(categories) || categories.length === 0 || !categories.every((c) => typeof c === "string")) {
    throw new TaxonomyError(`${name}: "categories" must be a list of names`);
  }
  if (!isObject(labels)) throw new TaxonomyError(`${name}: "labels" must be an object`);
  return { version, categories, labels: checkedLabels(labels, name) };
}

function checkedLabels(labels: Record<string, unknown>, name: string): TaxonomyFile["labels"] {
  const out: TaxonomyFile["labels"] = {};
  for (const [provider, entries] of Object.entries(labels)) {
    if (!isObject(entries)) throw new TaxonomyError(`${name}: "labels.${provider}" must be an object`);
    const map: TaxonomyFile["labels"][string] = {};
    for (const [label, target] of Object.entries(entries)) {
      if (typeof target === "string") map[label] = target;
      else if (isObject(target) && typeof target.category === "string" && typeof target.confidence === "number") {
        map[label] = { category: target.category, confidence: target.confidence };
      } else {
        throw new TaxonomyError(`${name}: "labels.${provider}.${label}" must name a category`);
      }
    }
    out[provider] = map;
  }
  return out;
}
