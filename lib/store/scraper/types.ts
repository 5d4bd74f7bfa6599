import type { Json } from "../values.ts";

/** An object of JSON. */
export type JsonObject = { [key: string]: Json };

/** A run is active while `queued` or `running`; the other states are final. */
export type RunStatus = "queued" | "running" | "succeeded" | "partial" | "failed";

/** Holds what asked for a run. */
type RunTrigger = "schedule" | "api" | "cli";

/** Holds what a run did, by article. `conflict` counts articles that changed at their source (`updated_at_source`). */
export type RunCounts = {
  discovered: number;
  fetched: number;
  extracted: number;
  sent: number;
  duplicate: number;
  conflict: number;
  failed: number;
  skipped: number;
};

/** Why an article did not come; `retried`: it is tried again in a later run. */
export type RunError = { url: string; reason: string; at: string; retried: boolean };

/** Holds what a feed, sitemap or list page answered in a run. */
export type RunFeed = {
  url: string;
  kind: "feed" | "sitemap" | "list";
  /** HTTP status of its answer; null when there was none. */
  status: number | null;
  /** Articles that the listing names; null when it was not read, or has not changed since it was last read. */
  entries: number | null;
  /** Entries that were skipped as too old. */
  tooOld: number;
  error: string | null;
};

/** On how many pages a selector of the profile found something, and on how many nothing. */
export type SelectorPages = { matched: number; unmatched: number };

/** Holds what a run has to say beside its counts. */
export type RunDetails = {
  /** The newest hundred, oldest of them first. */
  errors: readonly RunError[];
  feeds: readonly RunFeed[];
  /** Page counts by the name of the selector in the profile's `article`. */
  selectors: Readonly<Record<string, SelectorPages>>;
  /** Articles that were read and passed over as too old, by the origin of the date that decided. */
  tooOld: Readonly<Record<string, number>>;
};

/** A run of a profile. Times are ISO 8601 in UTC. */
export type Run = {
  /** UUID version 7: later runs sort after earlier ones. */
  runId: string;
  profileId: string;
  provider: string;
  trigger: RunTrigger;
  status: RunStatus;
  /** Most articles to fetch; null: as the profile says. */
  limit: number | null;
  options: Json;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
  counts: RunCounts;
  error: string | null;
  /** Says how often the run was started: more than once when its process ended early. */
  attempts: number;
  /** Holds what the profile's selectors found on pages, by their names. */
  selectors: Readonly<Record<string, SelectorPages>>;
};

/** A run with everything that is kept of it. */
export type DetailedRun = Run & RunDetails;

/** A run to be queued. */
export type NewRun = {
  profileId: string;
  provider: string;
  trigger: RunTrigger;
  /** The key of the profile's source. */
  sourceKey?: string;
  limit?: number | null;
  options?: Json;
};

/** Says which runs to list, newest first. `since` and `until` are inclusive and apply to `createdAt`. */
export type RunFilter = {
  profileId?: string | undefined;
  status?: RunStatus | undefined;
  trigger?: RunTrigger | undefined;
  since?: string | undefined;
  until?: string | undefined;
  limit: number;
  /** `nextCursor` of the page before. */
  cursor?: string | undefined;
};

/** An article that a feed, sitemap or list page names. */
export type Discovery = {
  url: string;
  /** Holds what was said of it there: title, time, author, categories, summary, content. */
  entry: JsonObject;
  category: string | null;
  /**
   * Names this version of the entry: when it differs from the kept one, the article is fetched again. Empty: not known.
   */
  stamp: string;
};

/** Holds what a feed or page said of itself when it was fetched last, for the next conditional request. */
export type Validators = { etag: string | null; lastModified: string | null; contentHash: string | null };

/** Says how many of the discovered articles were never seen, are to be fetched again, and need nothing. */
export type Discovered = { fresh: number; changed: number; known: number };

/** An article to be fetched. */
export type FrontierRow = {
  url: string;
  /** The run that discovered it, null outside of one. */
  runId: string | null;
  entry: JsonObject;
  category: string | null;
  /** Says how often the item was claimed before. */
  attempts: number;
  discoveredAt: string;
};

/** Holds what became of a frontier row. `retry` gives it back, to be taken again after `delayS` (0) seconds. */
export type FrontierOutcome = {
  state: "done" | "failed" | "skipped" | "retry";
  reason?: string | undefined;
  delayS?: number | undefined;
  /** Holds what this adds to the counts of the run that visited it, in the same transaction. */
  counted?: { runId: string; counts: Partial<RunCounts> } | undefined;
};

/** A normalized article, as it is pushed and replayed. */
export type ScrapedItem = {
  /** Stable: derived from source and canonical URL. The `external_id` of the ingest endpoint. */
  id: string;
  /** The `source_id` of the ingest endpoint. */
  sourceId: string;
  /** Name of the source. */
  source: string;
  url: string;
  canonicalUrl: string | null;
  title: string;
  content: string;
  /** ISO 8601 in UTC. */
  publishedAt: string | null;
  language: string | null;
  /** Canonical category. */
  category: string | null;
  /** The source's own label. */
  categoryLabel: string | null;
  provider: string;
  authors: string[];
  images: string[];
  /** Says how the article was extracted, and further facts. */
  details: JsonObject;
};

/**
 * `kept`: not to be sent. `pending`: to be sent. The others say what the platform answered; `conflict` is an article
 * that had been sent with other content.
 */
export type ItemState = "kept" | "pending" | "sent" | "duplicate" | "conflict" | "failed";

/** An article to be kept. */
export type NewItem = {
  profileId: string;
  runId: string | null;
  /** The frontier row that it came from is settled as `done` with it, where there is one. */
  url: string;
  item: ScrapedItem;
  /** Names the content: an item of the same hash is unchanged. */
  contentHash: string;
  /** True when the item is to be sent to the platform. */
  deliver: boolean;
  /**
   * Holds what this adds to the counts of its run, in the same transaction; an unchanged one counts as skipped besides.
   */
  counts?: Partial<RunCounts>;
};

/** A kept article. `id` orders items by when they were first kept. */
export type StoredItem = {
  id: number;
  profileId: string;
  runId: string | null;
  url: string;
  item: ScrapedItem;
  contentHash: string;
  /** Grows with each change of content. */
  revision: number;
  state: ItemState;
  articleId: number | null;
  reason: string | null;
  /** Says when this content was kept. */
  keptAt: string;
  /** Since when its page is gone; null while it is there. */
  goneAt: string | null;
};

/** An item handed out to be sent. `attempts` counts the times that it was handed out before. */
export type PendingItem = StoredItem & { attempts: number };

/**
 * Holds what became of an item that was handed out. `pending` gives it back, to be handed out again after `delayS` (0)
 * seconds. When the item has changed since (its revision is another one) it stays pending, whatever is said here.
 */
export type ItemSettlement = {
  id: number;
  revision: number;
  state: Exclude<ItemState, "kept">;
  articleId?: number | undefined;
  reason?: string | undefined;
  delayS?: number | undefined;
};

/** Says which items to find, newest first. `since` and `until` are inclusive and apply to `keptAt`. */
export type ItemFilter = {
  profileId?: string | undefined;
  runId?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  state?: ItemState | undefined;
  limit: number;
  /** `id` of the last item of the page before. */
  afterId?: number | undefined;
};
