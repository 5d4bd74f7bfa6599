import { cpuUsage } from "node:process";

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
