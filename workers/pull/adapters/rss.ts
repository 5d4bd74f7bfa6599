import { URL } from "node:url";
import { isAuthor, type ItemDraft, LIMITS } from "@isnad/lib/contract";
import type { Taxonomy } from "@isnad/lib/service/config";
import { openThreads, type ThreadErrorCode, type ThreadsLogger, type ThreadsState } from "@isnad/lib/service/threads";
import { isObject } from "@isnad/lib/std";
import type { Json, Source } from "@isnad/lib/store";
import { codePointLength } from "@isnad/lib/text";
import { type PoliteClient, readValidators } from "@isnad/lib/web/egress";
import { type Feed, FEED_TYPES, type FeedEntry } from "@isnad/lib/web/feeds";
import { type Adapter, contentLanguage, itemId, pickLabel, PullError } from "../adapter.ts";
import type { start } from "./feed-worker.ts";

/** Holds what entries of one feed have in common. */
type FeedFacts = { source: Source; feed: Pick<Feed, "language">; taxonomy: Pick<Taxonomy, "mapLabel"> };

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

type RssDeps = {
  client: PoliteClient;
  feeds: Pick<FeedThread, "read">;
  taxonomy: Pick<Taxonomy, "mapLabel">;
};

/** Holds what is remembered of a feed: the validators of its last answer, and the SHA-256 of its bytes. */
type FeedState = { feed_url: string; etag: string | null; last_modified: string | null; hash: string | null };

/**
 * Provider `rss`: the entries of the source's feed, whatever its format. A feed that has not changed since the last
 * complete pull, by its own word or by its bytes, yields nothing.
 */
export function rssAdapter({ client, feeds, taxonomy }: RssDeps): Adapter {
  return async function* pullFeed(source, { state, signal }) {
    const { feedUrl } = source;
    if (feedUrl === null) throw new PullError(`source "${source.key}" has no feed address`);
    const seen = stateOf(state, feedUrl);
    const answer = await client(feedUrl, {
      signal,
      headers: { accept: FEED_TYPES },
      etag: seen?.etag ?? undefined,
      lastModified: seen?.last_modified ?? undefined,
    });
    if (answer.notModified) return undefined;
    if (!answer.ok) throw new PullError(`the feed answers ${answer.status} (${feedUrl})`);
    const { validators, changed } = readValidators(answer, { contentHash: seen?.hash ?? null });
    if (changed) {
      const feed = await feeds.read(answer.text().text, answer.url);
      for (const entry of feed.entries) yield feedItem(entry, { source, feed, taxonomy });
    }
    const { etag, lastModified: last_modified, contentHash: hash } = validators;
    return { feed_url: feedUrl, hash, etag, last_modified } satisfies FeedState;
  };
}

/** The state, when it is one and of this address. */
function stateOf(state: Json | undefined, feedUrl: string): FeedState | undefined {
  if (!isObject(state) || state.feed_url !== feedUrl || typeof state.hash !== "string") return undefined;
  const { hash, etag, last_modified } = state;
  return {
    feed_url: feedUrl,
    hash,
    etag: typeof etag === "string" ? etag : null,
    last_modified: typeof last_modified === "string" ? last_modified : null,
  };
}

/** A thread that reads feeds, so that neither a large nor a hostile one stops the event loop. */
type FeedThread = {
  /**
   * Reads the text of a feed that came from `url`. Rejects with {@link PullError} when it is none, or takes too long.
   */
  read(text: string, url: string): Promise<Feed>;
  /** Tells how the thread stands. */
  threads(): ThreadsState;
  /** Ends the thread. */
  close(): Promise<void>;
};

/** Says how the thread is run: `timeoutMs` for one feed, from when it is taken up. Default 15,000. */
type FeedThreadOptions = { timeoutMs?: number; logger?: ThreadsLogger | undefined };

/** Makes the thread. It starts with the first feed, and again with the next one after it has ended. */
export function createFeedThread({ timeoutMs = 15_000, logger }: FeedThreadOptions = {}): FeedThread {
  const unread = (message: string, cause: unknown) =>
    new PullError(`the feed could not be read: ${message}`, { cause });
  const threads = openThreads<typeof start>({
    name: "feed reader",
    url: new URL("./feed-worker.ts", import.meta.url),
    deadline: { ms: timeoutMs },
    errors: {
      FeedError: (message, _, cause) =>
        new PullError(`what the feed's address serves is no feed: ${message}`, { cause }),
      ThreadError: (message, { code }: { code: ThreadErrorCode }, cause) =>
        code === "too-slow"
          ? new PullError(`the feed could not be read within ${timeoutMs} ms`)
          : unread(message, cause),
      Error: (message, _, cause) => unread(message, cause),
    },
    logger,
  });
  return {
    read: (text, url) => threads.call("read", { text, url }),
    threads: () => threads.state(),
    close: () => threads.terminate(),
  };
}
