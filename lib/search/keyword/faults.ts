import { errorMessage } from "../../std/mod.ts";
import type { ErrorDecoders, ThreadError } from "../../service/threads/mod.ts";
import { KeywordIndexError } from "./types.ts";

/** Any error of the engine as a {@link KeywordIndexError}. */
export function asKeywordError(error: unknown): KeywordIndexError {
  if (error instanceof KeywordIndexError) return error;
  const message = errorMessage(error);
  return new KeywordIndexError("unavailable", `keyword index: ${message}`, { cause: error });
}

/** Every error of a thread that holds an index as a {@link KeywordIndexError}. */
export const THREAD_ERRORS: ErrorDecoders = {
  KeywordIndexError: (message, { reason }: Pick<KeywordIndexError, "reason">, cause) =>
    new KeywordIndexError(reason, message, { cause }),
  ThreadError: (message, { code }: Pick<ThreadError, "code">, cause) =>
    new KeywordIndexError(code === "closed" ? "closed" : asKeywordError(cause).reason, message, { cause }),
  Error: (message, properties, cause) => asKeywordError(Object.assign(new Error(message, { cause }), properties)),
};
