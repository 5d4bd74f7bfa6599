import type { SourceStatus, SourceView } from "@isnad/lib/contract";
import type { SourceOverview } from "@isnad/lib/store";

/** A source that is pulled and brings nothing for so long is silent, in milliseconds. */
const SILENT_MS = 7 * 86_400_000;

/** Returns a source as clients see it; its feed's address, which may hold a credential, only `withFeed`. */
export function sourceView(source: SourceOverview, { withFeed, now }: { withFeed: boolean; now: number }): SourceView {
  const { key, name, provider, feedUrl, homepage, language, tier, active, lastPull, lastArticle } = source;
  const shown = { key, name, provider, ...(withFeed && { feed_url: feedUrl }), homepage, language, tier, active };
  return {
    ...shown,
    ...stateOf(source, now),
    last_pull: lastPull === null ? null : { ...pullView(lastPull), error: withFeed ? lastPull.error : null },
    last_article: lastArticle === null ? null : { article_id: lastArticle.articleId, at: lastArticle.at },
    articles_per_day: source.articlesPerDay,
    created_at: source.createdAt,
    updated_at: source.updatedAt,
  };
}

function pullView({ runId, by, status, at }: NonNullable<SourceOverview["lastPull"]>) {
  return { run_id: runId, by, status, at };
}

/** Tells how a source stands, for programs and in words. */
export function stateOf(source: SourceOverview, now: number): { status: SourceStatus; state: string } {
  const { provider, active, offSince, lastPull, lastArticle, articlesPerDay } = source;
  const last = lastArticle === null ? "no article yet" : `last article ${day(lastArticle.at)}`;
  if (offSince !== null) return { status: "off", state: `switched off since ${day(offSince)}; ${last}` };
  if (!active || provider === null) {
    const isKnown = lastPull === null && lastArticle !== null;
    return { status: "not-pulled", state: `${isKnown ? "known from its articles, " : ""}not pulled; ${last}` };
  }
  const verb = lastPull?.by === "scraper" ? "scraped" : "pulled";
  if (lastPull === null) return { status: "waiting", state: `not ${verb} yet; ${last}` };
  const rate = `${articlesPerDay} ${articlesPerDay === 1 ? "article" : "articles"} a day`;
  if (lastPull.status === "queued") return { status: "waiting", state: `waits to be ${verb}; ${rate}` };
  if (lastPull.status === "running") return { status: "running", state: `is being ${verb}; ${rate}` };
  if (lastPull.status === "failed")
    return { status: "failing", state: `the last time failed (${day(lastPull.at)}); ${last}` };
  const isSilent = lastArticle === null || now - Date.parse(lastArticle.at) > SILENT_MS;
  if (isSilent) return { status: "silent", state: `${verb} ${day(lastPull.at)}; ${last}` };
  return { status: "ok", state: `${verb} ${day(lastPull.at)}; ${rate}` };
}

function day(time: string): string {
  return time.slice(0, 10);
}
