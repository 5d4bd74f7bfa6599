import { ARTICLE_FIELDS } from "../filters.ts";
import { HOST_FIELDS, suffixField } from "../opensearch/mapping.ts";

/** What a query reaches at most. */
export const MOST_HITS = 10_000;

/**
 * The settings of an index: our terms are searched as they are. No typos, no prefixes, no nearness of words: what ranks
 * is ours.
 */
export const SETTINGS = {
  searchableAttributes: ["title", "content", "sounds"],
  displayedAttributes: ["id", "ft", "fc", "length"],
  filterableAttributes: ["id", "arabic", ...ARTICLE_FIELDS, ...[...HOST_FIELDS].map(suffixField)],
  sortableAttributes: ["id"],
  rankingRules: ["words", "attribute", "exactness"],
  stopWords: [],
  typoTolerance: { enabled: false },
  prefixSearch: "disabled" as const,
  proximityPrecision: "byAttribute" as const,
  pagination: { maxTotalHits: MOST_HITS },
};
