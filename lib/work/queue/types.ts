import type { JobsOptions, Processor } from "bullmq";

/** The queues of the platform. */
export const QUEUE_NAMES = ["ingestion", "analysis"] as const;
export type QueueName = (typeof QUEUE_NAMES)[number];

/**
 * Holds what a job carries: the articles that were queued. It is a wake-up call, on which no promise rests: the table
 * of work says what is to be done, and a call that is lost, late or doubled costs nothing.
 */
export type JobData = { articleIds: number[] };

/** A job. One whose id is already waiting is not added again. The id holds no colon and is no number. */
export type NewJob = { id: string; data: JobData };

/** Hears of one job. */
export type JobHandler = (job: NewJob) => void | Promise<void>;

/** Says how many jobs are where. */
type QueueCounts = { waiting: number; active: number; delayed: number };

/** A running worker of one queue. */
export type QueueWorker = { close(): Promise<void> };

/** The queues, over Postgres or Redis. */
export type Queues = {
  /** Adds a job. Rejects when the backend does not take it within 5 s. */
  add(name: QueueName, job: NewJob): Promise<void>;
  /** Starts a worker that hears of one job after the other. */
  work(name: QueueName, handler: JobHandler): Promise<QueueWorker>;
  counts(name: QueueName): Promise<QueueCounts>;
  /** Rejects when the backend does not answer. */
  ping(): Promise<void>;
  /** Closes the workers and all connections. */
  close(): Promise<void>;
};

/** Holds what the queues need of a logger; pino's fits. */
export type QueueLogger = { warn(fields: object, message: string): void };

/** The parts of a BullMQ queue that are used here and do not depend on where it is kept. */
export type AnyQueue = {
  waitUntilReady(): Promise<unknown>;
  add(name: string, data: JobData, opts: JobsOptions): Promise<unknown>;
  getJobCounts(...types: ("waiting" | "active" | "delayed")[]): Promise<Record<string, number>>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
};

/** The same of a BullMQ worker. */
type AnyWorker = {
  waitUntilReady(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
};

/** Says where the queues are kept. */
export type Backend = {
  queue(name: QueueName): AnyQueue;
  worker(name: QueueName, processor: Processor<JobData, void>): AnyWorker;
  ping(): Promise<void>;
  /** Ends what the backend itself has opened. */
  close(): Promise<void>;
};

/** Holds what a wake-up call is to the library: heard once, and nothing kept of it. */
export const jobOptions = {
  attempts: 1,
  // What is kept would keep a job of the same id from being added again.
  removeOnComplete: true,
  removeOnFail: true,
  stackTraceLimit: 0,
};

/** Returns how a worker keeps its jobs: those of one that was killed go to others after `stallMs` to 1.5 times that. */
export function workerOptions(stallMs: number) {
  return {
    lockDuration: stallMs,
    stalledInterval: stallMs / 2,
    maxStalledCount: 10,
    // After a lost connection: look again soon, the library's own wait is 15 s.
    runRetryDelay: 1_000,
    drainDelay: 5,
  };
}
