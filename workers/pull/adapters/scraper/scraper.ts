import { type Adapter, PullError } from "../../adapter.ts";
import type { ScraperClient } from "./client.ts";
import { scrapedItem } from "./item.ts";

/** Provider `scraper`: has the scraper scrape the profile of the source now, and takes the items from its answer. */
export function scraperAdapter(client: ScraperClient): Adapter {
  return async function* pullFromScraper(source, { options, signal }) {
    const profiles = await client.profiles(signal);
    const profile =
      profiles.find(({ source: { id } }) => id === source.key) ?? profiles.find(({ name }) => name === source.key);
    if (profile === undefined) throw new PullError(`the scraper has no profile for source "${source.key}"`);
    const { max } = options;
    const { results, metadata } = await client.scrape([profile.name], {
      limit: typeof max === "number" ? max : undefined,
      signal,
    });
    for (const item of results) yield scrapedItem(item);
    const failure = metadata.errors?.[profile.name];
    if (failure !== undefined) throw new PullError(`the scraper could not do it all: ${failure}`);
    return undefined;
  };
}
