import type { Taxonomy } from "@isnad/lib/service/config";
import { type PoliteClient, readValidators } from "@isnad/lib/web/egress";
import { FEED_TYPES } from "@isnad/lib/web/feeds";
import { isObject } from "@isnad/lib/std";
import type { Json } from "@isnad/lib/store";
import { type Adapter, PullError } from "../../adapter.ts";
import type { FeedThread } from "./feed-thread.ts";
import { feedItem } from "./item.ts";

/** What the adapter stands on. */
export type RssDeps = {
  client: PoliteClient;
  feeds: Pick<FeedThread, "read">;
  taxonomy: Pick<Taxonomy, "mapLabel">;
};

/** What is remembered of a feed: the validators of its last answer, and the SHA-256 of its bytes. */
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
