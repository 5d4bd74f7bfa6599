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
