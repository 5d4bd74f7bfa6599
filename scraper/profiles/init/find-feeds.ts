import { trimEnd } from "@isnad/lib/std";
import { type Feed, webAddress } from "@isnad/lib/web/feeds";
import type { NamedAddress } from "../../../lib/extraction/discovery/mod.ts";
import { ReaderError, type ReaderPool } from "../../../lib/extraction/reader/mod.ts";
import { offsetsIn } from "./guess-zone.ts";
import type { SiteClient } from "./site-client.ts";

/** A feed of a site, read. */
export interface SiteFeed {
  readonly url: string;
  readonly title: string;
  readonly feed: Feed;
  /** Minutes east of UTC of the clocks that wrote its times. */
  readonly offsets: readonly number[];
}

/** Where feeds usually are, below the front page and below the site's root. */
const USUAL = ["feed/", "rss", "rss.xml", "feed.xml", "atom.xml", "index.xml", "feed.json"];
const MAX_TRIES = 14;
const MAX_FEEDS = 8;
/** Two feeds that share so much of their entries are one in two forms, or one within the other. */
const SAME = 0.8;
const NO_NEWS = /comment|تعليق|podcast|jobs?\b|wp-json/i;

/**
 * The feeds of a site that have entries: those that its front page names, else those in the usual places. One whose
 * entries another has already is left out, and so are feeds of comments.
 */
export async function findFeeds(
  site: SiteClient,
  reader: Pick<ReaderPool, "feed">,
  home: { readonly url: string; readonly named: readonly NamedAddress[] },
): Promise<SiteFeed[]> {
  const named = home.named.filter(({ url, title }) => !NO_NEWS.test(`${url} ${title}`)).map(({ url }) => url);
  const feeds = await readAll(site, reader, named.slice(0, MAX_TRIES));
  if (feeds.length > 0) return feeds;
  const bases = new Set([`${trimEnd(home.url.replace(/[?#].*$/s, ""), /\//)}/`, new URL("/", home.url).href]);
  const usual = USUAL.flatMap((path) => [...bases].map((base) => new URL(path, base).href));
  return readAll(site, reader, usual.slice(0, MAX_TRIES), 1);
}

async function readAll(
  site: SiteClient,
  reader: Pick<ReaderPool, "feed">,
  addresses: readonly string[],
  enough = MAX_FEEDS,
): Promise<SiteFeed[]> {
  const feeds: SiteFeed[] = [];
  for (const address of addresses) {
    if (feeds.length >= enough) break;
    const answer = await site.get(address);
    const read = answer.ok ? await readSiteFeed(reader, answer) : null;
    if (read === null || read.feed.entries.length === 0 || feeds.some((other) => isPartOf(read.feed, other.feed)))
      continue;
    feeds.push(read);
  }
  return feeds;
}

/** Reads what was answered as a feed; null for what is none. */
export async function readSiteFeed(
  reader: Pick<ReaderPool, "feed">,
  { text, url }: { readonly text: string; readonly url: string },
): Promise<SiteFeed | null> {
  try {
    const feed = await reader.feed({ text, url });
    return { url, title: feed.title, feed, offsets: offsetsIn(text) };
  } catch (error) {
    if (error instanceof ReaderError && error.code !== "closed") return null;
    throw error;
  }
}

function isPartOf(feed: Feed, other: Feed): boolean {
  const links = new Set(other.entries.map(({ link }) => webAddress(link ?? "", undefined)));
  const shared = feed.entries.filter(({ link }) => links.has(webAddress(link ?? "", undefined)));
  return shared.length >= feed.entries.length * SAME;
}
