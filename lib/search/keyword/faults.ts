import { errorMessage } from "../../std/mod.ts";
import type { ErrorDecoders, ThreadError } from "../../service/threads/mod.ts";
import { type KeywordFault, KeywordIndexError } from "./types.ts";

/** SQLite's primary result codes that matter here. */
const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Any error of the engine as a {@link KeywordIndexError}: damage told from what may pass (a lock, a full disk). */
export function asKeywordError(error: unknown): KeywordIndexError {
  if (error instanceof KeywordIndexError) return error;
  const message = errorMessage(error);
  return new KeywordIndexError(faultOf(error, message), `keyword index: ${message}`, { cause: error });
}

/** Every error of a thread that holds an index as a {@link KeywordIndexError}. */
export const THREAD_ERRORS: ErrorDecoders = {
  KeywordIndexError: (message, { reason }: Pick<KeywordIndexError, "reason">, cause) =>
    new KeywordIndexError(reason, message, { cause }),
  ThreadError: (message, { code }: Pick<ThreadError, "code">, cause) =>
    new KeywordIndexError(code === "closed" ? "closed" : asKeywordError(cause).reason, message, { cause }),
  Error: (message, properties, cause) => asKeywordError(Object.assign(new Error(message, { cause }), properties)),
};

function faultOf(error: unknown, message: string): KeywordFault {
  const code = typeof error === "object" && error !== null && "errcode" in error ? Number(error.errcode) & 0xff : 0;
  if (code === CORRUPT || code === NOT_A_DATABASE || /malformed|not a database/i.test(message)) return "corrupt";
  return "unavailable";
}
