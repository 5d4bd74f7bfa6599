import { cpuUsage } from "node:process";
import type { URL } from "node:url";

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
export type WorkerData<Data> = { data: Data; restarts: number };

/** To a thread. After `close` it finishes the calls that it holds, closes its handlers and ends by itself. */
export type Request<Ask> =
  | { kind: "call"; id: number; name: string; ask: Ask }
  | { kind: "abort"; id: number }
  | { kind: "close" };

/**
 * From a thread: `ready` or `failed` once, then one answer to each call. `thread`: the number that Linux knows it by.
 */
export type Reply<Answer> =
  | { kind: "ready"; thread: number | undefined }
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
   * Nobody waits for most of its answers: after some work such a thread lets all others of the machine go first; an
   * `"idle"` one those in the background, too. Where priorities belong to processes (elsewhere than on Linux) it does
   * not.
   */
  background?: Background | undefined;
  /** Processor time that a thread has before it steps aside, in milliseconds; a second when left out. */
  allowanceMs?: number | undefined;
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

/** Why no thread answered: it could not start, has ended, needed longer than its deadline, or was closed. */
export type ThreadErrorCode = "start-failed" | "ended" | "too-slow" | "closed";

/** A call that no thread answered; `cause` is what the thread threw, where it threw something. */
export class ThreadError extends Error {
  override readonly name = "ThreadError";
  readonly code: ThreadErrorCode;
  constructor(code: ThreadErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Properties of an error that can be sent. */
type ErrorProperties = Readonly<Record<string, string | number | boolean>>;

/** An error on its way between threads. */
export type EncodedError = {
  name: string;
  message: string;
  stack: string | undefined;
  properties: ErrorProperties;
  cause: EncodedError | undefined;
};

interface ErrorDecoder {
  decode(message: string, properties: ErrorProperties, cause: unknown): Error;
}

/**
 * Describes what makes an error of a thread, or a {@link ThreadError}, one of the caller's classes again, by the
 * error's name; `Error` takes every other. Each names the properties that its class has. Errors of the language need
 * none.
 */
export type ErrorDecoders = Readonly<Record<string, ErrorDecoder["decode"]>>;

/** Causes are followed this far. */
const MAX_DEPTH = 5;

const BUILT_IN: ReadonlyMap<string, ErrorConstructor> = new Map(
  [RangeError, ReferenceError, SyntaxError, TypeError].map((type) => [type.name, type]),
);

/**
 * Whatever was thrown, in a form that can be sent: its own properties as far as they are texts, numbers or booleans.
 */
export function encodeError(thrown: unknown, depth = 0): EncodedError {
  const error = thrown instanceof Error ? thrown : new Error(String(thrown));
  const { name, message, stack, cause } = error;
  const properties: Record<string, string | number | boolean> = {};
  for (const [key, value] of Object.entries({ code: "code" in error ? error.code : undefined, ...error })) {
    if (key === "name" || key === "message" || key === "stack") continue;
    if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") properties[key] = value;
  }
  const inner = cause === undefined || depth === MAX_DEPTH ? undefined : encodeError(cause, depth + 1);
  return { name, message, stack, properties, cause: inner };
}

/** Returns the error that was sent, of its own class where that is of the language or has a decoder. */
export function decodeError(encoded: EncodedError, decoders: ErrorDecoders = {}): Error {
  const { name, message, stack, properties } = encoded;
  const cause = encoded.cause && decodeError(encoded.cause, decoders);
  const decode = decoderOf(name, decoders);
  if (decode !== undefined) return decode(message, properties, cause);
  const error = new (BUILT_IN.get(name) ?? Error)(message, { cause });
  if (error.name !== name) Object.defineProperty(error, "name", { value: name });
  if (stack !== undefined) error.stack = stack;
  return Object.assign(error, properties);
}

/** Returns what tells of a thread that did not answer, as the caller's own class where it has a decoder for it. */
export function asCallersError(error: ThreadError, decoders: ErrorDecoders = {}): Error {
  const { name, message, code, cause } = error;
  return decoderOf(name, decoders)?.(message, { code }, cause) ?? error;
}

/** Tells whether errors of this name become one of the caller's own classes. */
export function isDeclared(name: string, decoders: ErrorDecoders): boolean {
  return Object.hasOwn(decoders, name);
}

function decoderOf(name: string, decoders: ErrorDecoders): ErrorDecoder["decode"] | undefined {
  return isDeclared(name, decoders) ? decoders[name] : decoders.Error;
}

/**
 * Describes how long a call may take from when a thread takes it up: milliseconds on the clock, or of processor time,
 * so that it is not given up because the machine is busy with others; of these at most eight times as many on the
 * clock.
 */
export type Deadline = { readonly ms: number } | { readonly cpuMs: number };

/** A machine that is busy with other things may take this many times longer than the processor time allowed. */
const BUSY_FACTOR = 8;
const MIN_WAIT_MS = 20;

/** Describes what a call has cost so far, in milliseconds. */
type Spent = {
  /** Time on the clock. */
  elapsed: number;
  /** Processor time of the whole process, and the calls under way that share it. */
  used: number;
  sharedBy: number;
};

/** Returns how long a call may go on before it is checked again, in milliseconds; 0 when it has had its deadline. */
export function remainingMs(deadline: Deadline, { elapsed, used, sharedBy }: Spent): number {
  const left =
    "ms" in deadline
      ? deadline.ms - elapsed
      : Math.min(deadline.cpuMs - used / Math.max(1, sharedBy), deadline.cpuMs * BUSY_FACTOR - elapsed);
  return left <= 0 ? 0 : Math.max(MIN_WAIT_MS, left);
}

/** Processor time that the process has used, all threads together, in milliseconds. */
export function processorMs(): number {
  const { user, system } = cpuUsage();
  return (user + system) / 1000;
}

/** Returns the deadline in words. */
export function describeDeadline(deadline: Deadline): string {
  return "ms" in deadline ? `${deadline.ms} ms` : `${deadline.cpuMs} ms of processor time`;
}
