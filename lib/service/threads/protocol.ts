import type { URL } from "node:url";
import type { Deadline, EncodedError, ErrorDecoders } from "./errors.ts";

/**
 * Says that a thread steps aside: true for those whose answers somebody waits for, `"idle"` for others like it, too.
 */
export type Background = boolean | "idle";

/** Describes what a handler gets beside its question. */
export type Context = {
  /** Aborts when nobody waits for the answer any more; long work ends then, by throwing. */
  readonly signal: AbortSignal;
};

/**
 * The start of a thread, run in it: makes the handlers from the data that the thread was opened with. `restarts` says
 * how many threads stood in its place before. `close`, where there is one, is called once, last of all.
 */
export type Start = (data: never, context: { restarts: number }) => object | Promise<object>;

/** The handlers that a start makes. */
export type HandlersOf<S extends Start> = Awaited<ReturnType<S>>;

/** The data that a start takes; undefined where it takes none. */
export type DataOf<S extends Start> = Parameters<S> extends [] ? undefined : Parameters<S>[0];

/** The names that can be called. */
export type CallName<S extends Start> = Exclude<keyof HandlersOf<S>, "close"> & string;

/** The arguments of a call. */
export type Arguments<F> = F extends () => unknown
  ? [ask?: undefined, options?: CallOptions]
  : F extends (ask: infer Ask, context: Context) => unknown
    ? [ask: Ask, options?: CallOptions]
    : never;

/** Describes what a call resolves to. */
export type AnswerOf<F> = F extends (...args: never) => infer Answer ? Received<Awaited<Answer>> : never;

type Received<Answer> = Answer extends Transferred<infer Value> ? Value : Answer;

/** Describes how a call is made. */
export type CallOptions = {
  /** Rejects the call with its reason. A thread that works on it already learns so from its context. */
  signal?: AbortSignal | undefined;
  /** Buffers of the question that are handed over instead of copied. */
  transfer?: ArrayBuffer[];
  /**
   * Asks another thread, once, when the one that was asked ends before it answers: for questions that change nothing.
   */
  retry?: boolean;
  /** Names what takes turns with others where the pool has a limit for each. Default: the name of the call. */
  kind?: string;
  /** Says how much work it is beside others of its kind, for instance the length of a text. Default 1. */
  cost?: number;
};

/** An answer of which some buffers are handed over instead of copied. */
export class Transferred<Value> {
  readonly value: Value;
  readonly buffers: ArrayBuffer[];
  constructor(value: Value, buffers: ArrayBuffer[]) {
    this.value = value;
    this.buffers = buffers;
  }
}

/** Describes what a Worker is started with: what its `start` gets. */
export type WorkerData<Data> = { data: Data; restarts: number; background: Background };

/** To a thread. After `close` it finishes the calls that it holds, closes its handlers and ends by itself. */
export type Request<Ask> =
  | { kind: "call"; id: number; name: string; ask: Ask }
  | { kind: "abort"; id: number }
  | { kind: "close" };

/** From a thread: `ready` or `failed` once, then one answer to each call. */
export type Reply<Answer> =
  | { kind: "ready" }
  | { kind: "failed"; error: EncodedError }
  | { kind: "answer"; id: number; answer: Answer }
  | { kind: "error"; id: number; error: EncodedError };

/** Takes one event a line; the first argument holds its fields. */
export type ThreadsLogger = Record<"info" | "error", (fields: Record<string, unknown>, message: string) => void>;

/** Describes how threads are run. */
export type PoolOptions = {
  /** Says what the threads are for, in errors and in the log. */
  name: string;
  /** The Worker's file, which calls `serve`. */
  url: URL;
  /** Threads. Default 1. */
  size?: number | undefined;
  /**
   * A call that takes longer is abandoned together with its thread: only for threads without native code. Such a thread
   * gets one call at a time, and others wait.
   */
  deadline?: Deadline | undefined;
  /**
   * Calls of one kind that a thread holds; further ones wait, kinds take turns, and the short ones of a kind go before
   * the long. Default: no limit, in order of arrival, as threads need whose answers depend on what was called before.
   */
  perKind?: number | undefined;
  /**
   * Milliseconds without a call after which threads are ended, so that their memory is given back; the next call starts
   * one. Default: they stay.
   */
  idleMs?: number | undefined;
  /**
   * Nobody waits for its answers: once started, such a thread lets all others of the machine go first; an `"idle"` one
   * those in the background, too. Where priorities belong to processes (elsewhere than on Linux) it does not.
   */
  background?: Background | undefined;
  /** Back to the caller's own classes of errors. */
  errors?: ErrorDecoders | undefined;
  logger?: ThreadsLogger | undefined;
};

/** Describes how threads stand. */
export type ThreadsState = {
  threads: number;
  /** Those that take calls now; a thread that nobody has needed yet does not run. */
  alive: number;
  /** Those that ended, or could not start, and do not run again yet. */
  failing: number;
  /** Says how often one was started in the place of another. */
  restarts: number;
  /** Why the last thread that ended did so. */
  lastError: string | undefined;
};
