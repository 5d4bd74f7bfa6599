import type { Taxonomy } from "@isnad/lib/service/config";
import type { Feed, FeedEntry } from "@isnad/lib/web/feeds";
import { isAuthor, type ItemDraft, LIMITS } from "@isnad/lib/contract";
import type { Source } from "@isnad/lib/store";
import { codePointLength } from "@isnad/lib/text";
import { contentLanguage } from "../content-language.ts";
import { itemId } from "../item-id.ts";
import { pickLabel } from "../pick-label.ts";

/** What entries of one feed have in common. */
export type FeedFacts = { source: Source; feed: Pick<Feed, "language">; taxonomy: Pick<Taxonomy, "mapLabel"> };

/**
 * An entry as an article. Its text is the entry's content when that is long enough, else its summary, else the longer
 * of both: linked pages are read by the scraper, not here.
 */
export function feedItem(entry: FeedEntry, { source, feed, taxonomy }: FeedFacts): ItemDraft {
  const url = entry.link ?? (/^https?:\/\//i.test(entry.id) ? entry.id : undefined);
  const published = entry.publishedAt ?? entry.updatedAt;
  const provider = source.provider ?? "rss";
  const images = entry.enclosures
    .filter(({ type }) => type?.toLowerCase().startsWith("image/"))
    .map(({ url }) => url)
    .filter((url) => url.length <= LIMITS.url);
  const lang = contentLanguage(feed.language) ?? contentLanguage(source.language);
  const label = pickLabel(taxonomy, provider, entry.categories);
  return {
    source_id: source.key,
    external_id: itemId(entry.id),
    ...(url !== undefined && { url }),
    title: entry.title,
    content: textOf(entry),
    ...(lang !== undefined && { lang }),
    ...(published !== null && { published_at: published }),
    ...(entry.author !== "" && isAuthor(entry.author) && { authors: [entry.author] }),
    ...(images.length > 0 && { images: [...new Set(images)].slice(0, LIMITS.images) }),
    ...(label !== undefined && { category_label: label }),
    provider,
    raw: {
      provider,
      feed_url: source.feedUrl,
      guid: entry.id,
      categories: [...entry.categories],
      updated_at: entry.updatedAt,
    },
  };
}

function textOf({ contentText, summaryText }: FeedEntry): string {
  const long = (text: string) => codePointLength(text) >= LIMITS.contentMin;
  if (long(contentText)) return contentText;
  if (long(summaryText)) return summaryText;
  return contentText.length >= summaryText.length ? contentText : summaryText;
}
