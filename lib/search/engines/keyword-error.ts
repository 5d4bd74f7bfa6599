import { KeywordIndexError } from "../keyword/types.ts";
import { EngineError } from "./error.ts";

/** Any error as one of a keyword index; what an engine refuses of a document is that document's fault. */
export function asKeywordError(error: unknown): KeywordIndexError {
  if (error instanceof KeywordIndexError) return error;
  if (!(error instanceof EngineError)) {
    return new KeywordIndexError("away", `keyword index: ${String(error)}`, { cause: error });
  }
  const reasons = { away: "away", denied: "away", missing: "missing", rejected: "unavailable" } as const;
  return new KeywordIndexError(reasons[error.reason], `keyword index: ${error.message}`, { cause: error });
}
