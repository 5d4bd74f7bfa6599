import type { Adapter } from "../adapter.ts";

/** Provider `scraper-push`: yields nothing, because the scraper brings the items itself, through the ingest route. */
export const scraperPushAdapter: Adapter = async function* pullNothing() {
  yield* [];
  return undefined;
};
