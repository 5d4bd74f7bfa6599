import { isAuthor, type ItemDraft, type NormalizedItem } from "@isnad/lib/contract";
import { type Adapter, PullError } from "../../adapter.ts";
import type { ScraperClient } from "./client.ts";

/**
 * A normalized item of the scraper as an article. It has the same source and identifier as when the scraper pushes it,
 * so that pull and push of one source never take an article twice.
 */
function scrapedItem(item: NormalizedItem): ItemDraft {
  const { source, id, url, title, content, canonical_url, language, published_at, authors, images, category } = item;
  const { provider } = item;
  return {
    source_id: source,
    external_id: id,
    url,
    title,
    content,
    canonical_url,
    lang: language === "" ? null : language,
    published_at,
    authors: authors.filter(isAuthor),
    images,
    ...(category !== "" && { category_label: category }),
    provider,
    raw: { provider },
  };
}

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

/** Provider `scraper-push`: yields nothing, because the scraper brings the items itself, through the ingest route. */
export const scraperPushAdapter: Adapter = async function* pullNothing() {
  yield* [];
  return undefined;
};
