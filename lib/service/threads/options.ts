import type { URL } from "node:url";
import type { Deadline } from "./deadline.ts";
import type { ErrorDecoders } from "./errors.ts";
import type { Background } from "./step-aside.ts";

/** Takes one event a line; the first argument holds its fields. */
export type ThreadsLogger = Record<"info" | "error", (fields: Record<string, unknown>, message: string) => void>;

/** How threads are run. */
export type PoolOptions = {
  /** What the threads are for, in errors and in the log. */
  name: string;
  /** The Worker's file, which calls `serve`. */
  url: URL;
  /** Threads. Default 1. */
  size?: number | undefined;
  /**
   * A call that takes longer is given up together with its thread: only for threads without native code. Such a thread
   * gets one call at a time, and others wait.
   */
  deadline?: Deadline | undefined;
  /**
   * Nobody waits for its answers: once started, such a thread lets all others of the machine go first; an `"idle"` one
   * those in the background, too. Where priorities belong to processes (elsewhere than on Linux) it does not.
   */
  background?: Background | undefined;
  /** Back to the caller's own classes of errors. */
  errors?: ErrorDecoders | undefined;
  logger?: ThreadsLogger | undefined;
};

/** How threads stand. */
export type ThreadsState = {
  threads: number;
  /** Those that take calls now; a thread that nobody has needed yet does not run. */
  alive: number;
  /** Those that ended, or could not start, and do not run again yet. */
  failing: number;
  /** How often one was started in the place of another. */
  restarts: number;
  /** Why the last thread that ended did so. */
  lastError: string | undefined;
};
