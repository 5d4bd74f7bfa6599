import { NO_COUNTS } from "@isnad/lib/store";
import type { CrawlCounts } from "./types.ts";

/** A run that has done nothing yet, or what an earlier part of it counted. */
export function startCounts(earlier?: CrawlCounts): CrawlCounts {
  return { ...NO_COUNTS, ...earlier };
}
