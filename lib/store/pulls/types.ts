import type { Json } from "../json.ts";

/** Who asked for a pull. */
export type PullTrigger = "schedule" | "cli";

/** `partial`: not all of it came, but something did. */
export type PullStatus = "queued" | "running" | "succeeded" | "partial" | "failed";

/**
 * What became of the items that a pull met; `conflict`: known under the same pair with other content, changed at its
 * source.
 */
export type PullCounts = {
  discovered: number;
  accepted: number;
  duplicate: number;
  conflict: number;
  failed: number;
};

/**
 * What the adapter is asked for beyond its source: a query, dates, a limit. `{}`: what the source is pulled for
 * regularly.
 */
export type PullOptions = { [key: string]: Json };

/** The record of one pull. Times are ISO 8601 in UTC. */
export type PullRun = {
  /** UUID v7. */
  runId: string;
  sourceKey: string;
  /** The source's provider when the pull was asked for. */
  provider: string | null;
  trigger: PullTrigger;
  status: PullStatus;
  options: PullOptions;
  counts: PullCounts;
  error: string | null;
  /** How often the pull was started. */
  attempts: number;
  createdAt: string;
  startedAt: string | null;
  finishedAt: string | null;
};

/** What is asked for. */
export type PullRequest = { sourceKey: string; provider: string | null; trigger: PullTrigger; options?: PullOptions };

/** How a pull ended. `state`, when given, is kept for the next pull of its source. */
export type PullEnd = {
  status: "succeeded" | "partial" | "failed";
  counts: PullCounts;
  error?: string | undefined;
  state?: Json | undefined;
};

/** The counts of a pull that has met nothing yet. */
export const NO_PULL_COUNTS: Readonly<PullCounts> = {
  discovered: 0,
  accepted: 0,
  duplicate: 0,
  conflict: 0,
  failed: 0,
};
