import type { Lease } from "../lease.ts";

/** An article that a stage has claimed. */
export type WorkItem = {
  articleId: number;
  /** Counts this attempt. */
  attempts: number;
  /** When it was queued for this stage, in milliseconds since 1970. */
  queuedAtMs: number;
  /** Whether the process that held it before ended without a word. */
  orphaned: boolean;
};

/** A claim on a stage's articles. */
export type WorkClaim = Lease & { stage: string; limit: number };

/** In whose hands articles are, and where they go when their stage has ended. */
export type Step = { stage: string; owner: string; next: readonly string[] };

/** Why an attempt at an article failed, and after how long it may be tried again, in seconds. */
export type WorkFailure = { articleId: number; reason: string; delayS: number };

/** How failures are settled: after `maxAttempts` an article is set aside, by this version of its stage. */
export type FailureRule = { maxAttempts: number; version?: string | undefined };

/** How many articles of a stage wait or are in flight, and how many were set aside. */
export type StageBacklog = { stage: string; waiting: number; setAside: number };

/** Where an article stands in a stage that has not ended. */
export type ArticleStage = {
  stage: string;
  state: "waiting" | "running" | "set-aside";
  attempts: number;
  reason: string | null;
};

/** An article that was set aside, and why. */
export type SetAside = { articleId: number; stage: string; attempts: number; reason: string | null; at: string };

/** Which set-aside or failed articles are to be tried again: all conditions that are given must hold. */
export type RetryQuery = {
  articleIds?: readonly number[] | undefined;
  stage?: string | undefined;
  /** Only what was set aside by another version of the stage than this one. */
  notBy?: string | undefined;
};
