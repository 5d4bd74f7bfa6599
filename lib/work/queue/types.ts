/** The queues of the platform. */
export type QueueName = "ingestion" | "analysis";

/** What a job carries: the articles to look at. It is a wake-up call; their rows say what is to be done. */
export type JobData = { articleIds: number[] };

/**
 * A job to add. One whose id is already waiting or in work is not added again. The id holds no colon and is no number.
 */
export type NewJob = { id: string; data: JobData };

/** A job as its handler gets it. */
export type QueueJob = NewJob & {
  /** When it was added, in ms since 1970. */
  queuedAtMs: number;
  /** 1 for the first try. */
  attempt: number;
  /** Whether the job is given up when this try fails. */
  lastAttempt: boolean;
};

/**
 * Does the work of one job. When it rejects, the job is tried again later, with growing back-off, up to its last
 * attempt. `signal` aborts when the worker has to stop: reject then, and the job goes back without losing an attempt.
 */
export type JobHandler = (job: QueueJob, signal: AbortSignal) => Promise<void>;

/** How many jobs are where. */
export type QueueCounts = { waiting: number; active: number; delayed: number };

/** A running worker of one queue. */
export type QueueWorker = {
  /**
   * Takes no more jobs, lets those in work finish for up to `graceMs` (8,000), then aborts them and gives them back.
   */
  close(graceMs?: number): Promise<void>;
};

/** The queues, over Postgres or Redis. */
export type Queues = {
  /** Adds jobs with one round trip. Rejects when the backend does not take them within 5 s. */
  add(name: QueueName, jobs: readonly NewJob[]): Promise<void>;
  /** Starts a worker that runs at most `concurrency` (1) jobs at a time. */
  work(name: QueueName, handler: JobHandler, options?: { concurrency?: number }): Promise<QueueWorker>;
  counts(name: QueueName): Promise<QueueCounts>;
  /** Rejects when the backend does not answer. */
  ping(): Promise<void>;
  /** Closes the workers and all connections. */
  close(): Promise<void>;
};

/** What the queues need of a logger; pino's fits. */
export type QueueLogger = { warn(fields: object, message: string): void };
