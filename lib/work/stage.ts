import type { Step, WorkItem } from "../store/mod.ts";

/** What a run of a stage has to go by. */
export type StageRun = {
  /** Aborts when the process stops, the lease is lost, or the run has taken too long. */
  signal: AbortSignal;
  /** To be handed to the statement that stores what was made, so that it ends the stage in its transaction. */
  step: Step;
};

/** An article that could not be worked on, and why. */
export type StageFailure = { articleId: number; error: unknown };

/** What a run came to: the articles that failed, and counts for its line in the log. */
export type StageOutcome = { failures?: readonly StageFailure[]; counts?: Record<string, number> };

/**
 * A step on the way of an article: what it stores is the article's next state. To add one is to write its file and its
 * line in the table of stages.
 */
export type Stage = {
  /** Its name in the table of work, in metrics and logs. */
  name: string;
  /** The stage that it follows; undefined for the first one, whose work is written when an article is admitted. */
  after?: string;
  /** Articles of a run. */
  batch: number;
  /** Seconds after which the articles of a process that ended are claimed by another. */
  leaseS: number;
  /** Runs at a time in one process (1). */
  concurrency?: number;
  /** Longest time of a run, in seconds (600); it then counts as failed. */
  timeoutS?: number;
  /** How long a failed article waits: longer each time. */
  retry?: { baseMs: number; maxMs: number };
  /** What it works with, such as a model: what one version set aside is tried again by another. */
  version?: string | undefined;
  /** Returns whether an error says that what every article needs is away: no attempt counts then. */
  isAway?: (error: unknown) => boolean;
  /**
   * Works on articles. Those that it neither stores nor names as failed are ended without more. When it rejects, each
   * of several articles is tried again by itself. Undefined while it cannot run here: its articles wait.
   */
  run: ((articles: readonly WorkItem[], run: StageRun) => Promise<StageOutcome>) | undefined;
};

/** Returns the names of the stages that follow one. */
export function followersOf(stages: readonly Stage[], name: string): string[] {
  return stages.filter(({ after }) => after === name).map((stage) => stage.name);
}
