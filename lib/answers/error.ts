/** Holds what went wrong with a model of another server; each code is one thing that a caller can act on. */
export type LlmErrorCode =
  /** No connection, or it was lost before the answer was whole. */
  | "unreachable"
  | "timed-out"
  /** The key is missing, wrong, or not allowed to do this. */
  | "unauthorized"
  /** There is no such model or path. */
  | "not-found"
  /** The request was understood and not taken: too long for the model, for instance. */
  | "refused"
  /** Too many requests, or no capacity. */
  | "busy"
  /** The server failed. */
  | "failed"
  /** What came back is not what the protocol says. */
  | "bad-answer"
  /** The model said nothing, or nothing but its thinking. */
  | "empty";

const RETRYABLE: ReadonlySet<LlmErrorCode> = new Set(["unreachable", "timed-out", "busy", "failed"]);

/**
 * A model of another server gave no answer, or none that is whole. The message names no credential and no text of the
 * request.
 */
export class LlmError extends Error {
  override readonly name = "LlmError";
  readonly code: LlmErrorCode;
  /** The HTTP status, where there was an answer. */
  readonly status: number | undefined;
  /** Says how long the server asks to wait, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** True when the same call may succeed later. */
  readonly retryable: boolean;

  /** Returns the same in whole seconds, 1 at the least. */
  get retryAfterS(): number | undefined {
    return this.retryAfterMs === undefined ? undefined : Math.max(1, Math.ceil(this.retryAfterMs / 1000));
  }

  constructor(
    code: LlmErrorCode,
    message: string,
    options: { status?: number | undefined; retryAfterMs?: number | undefined; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.code = code;
    this.status = options.status;
    this.retryAfterMs = options.retryAfterMs;
    this.retryable = RETRYABLE.has(code);
  }
}

/** Returns the code that an HTTP status stands for. */
export function codeOfStatus(status: number): LlmErrorCode {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 404) return "not-found";
  if (status === 408 || status === 504) return "timed-out";
  if (status === 429) return "busy";
  if (status >= 400 && status < 500) return "refused";
  return status >= 500 ? "failed" : "bad-answer";
}

/**
 * No model that is installed or configured can do what was asked; the message says what would, by command and by
 * setting.
 */
export class ModelNotInstalled extends Error {
  override readonly name = "ModelNotInstalled";

  constructor(what: string, remedy: string, options?: ErrorOptions) {
    super(`No model for this is installed: ${what}. ${remedy}`, options);
  }
}
