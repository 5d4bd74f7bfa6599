import type { ErrorDecoders } from "../../service/threads/mod.ts";

/** Holds what went wrong with a model or with the queue before it; each code is one thing a caller can act on. */
type InferenceErrorCode =
  | "model-unknown"
  | "model-missing"
  | "model-altered"
  | "model-invalid"
  | "hub-failed"
  | "queue-full"
  | "timed-out"
  | "closed"
  | "worker-failed";

const RETRYABLE: ReadonlySet<InferenceErrorCode> = new Set(["hub-failed", "queue-full", "timed-out", "worker-failed"]);

/** A failure of one model's task; other tasks are not touched by it. `model` names the model where one is concerned. */
export class InferenceError extends Error {
  override readonly name = "InferenceError";
  readonly code: InferenceErrorCode;
  readonly model: string | undefined;
  /** True when the same call may succeed later without anyone changing a file. */
  readonly retryable: boolean;

  constructor(code: InferenceErrorCode, message: string, options: { model?: string; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.code = code;
    this.model = options.model;
    this.retryable = RETRYABLE.has(code);
  }
}

/** Returns every error of a model's thread as an InferenceError; what is none there is `worker-failed`. */
export function threadErrors(model: string): ErrorDecoders {
  const failed = (message: string, _: object, cause: unknown): InferenceError =>
    new InferenceError("worker-failed", message, { model, cause });
  return {
    InferenceError: (message, { code }: Pick<InferenceError, "code">, cause) =>
      new InferenceError(code, message, { model, cause }),
    ThreadError: failed,
    Error: failed,
  };
}
