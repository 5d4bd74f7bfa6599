import type { JobsOptions, Processor } from "bullmq";
import type { JobData, QueueName } from "./types.ts";

/** The parts of a BullMQ queue that are used here and do not depend on where it is kept. */
export type AnyQueue = {
  waitUntilReady(): Promise<unknown>;
  addBulk(jobs: { name: string; data: JobData; opts: JobsOptions }[]): Promise<unknown>;
  getJobCounts(...types: ("waiting" | "active" | "delayed")[]): Promise<Record<string, number>>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
};

/** The same of a BullMQ worker. */
export type AnyWorker = {
  waitUntilReady(): Promise<unknown>;
  on(event: "error", listener: (error: Error) => void): unknown;
  close(): Promise<void>;
};

/** Where the queues are kept. */
export type Backend = {
  queue(name: QueueName): AnyQueue;
  worker(name: QueueName, processor: Processor<JobData, void>): AnyWorker;
  ping(): Promise<void>;
  /** Ends what the backend itself has opened. */
  close(): Promise<void>;
};
