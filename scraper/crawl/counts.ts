import type { CrawlCounts } from "./types.ts";

/** A run that has done nothing yet, or what an earlier part of it counted. */
export function startCounts(earlier?: CrawlCounts): CrawlCounts {
  return {
    discovered: 0,
    fetched: 0,
    extracted: 0,
    sent: 0,
    duplicate: 0,
    conflict: 0,
    failed: 0,
    skipped: 0,
    ...earlier,
  };
}
