import { AppError } from "@isnad/lib/http";
import { isUnavailable } from "@isnad/lib/store";

/** The message that operators watch for: the relational store cannot be reached, or refused a statement. */
const DATABASE_MESSAGE = "database query exception";

/** Turns errors of the store into problems: 503 while the database cannot serve; undefined for what is none of these. */
export function classify(error: unknown): AppError | undefined {
  if (isUnavailable(error)) {
    return new AppError("service-unavailable", "The database cannot be reached.", {
      cause: error,
      headers: { "Retry-After": "5" },
      logMessage: DATABASE_MESSAGE,
    });
  }
  if (error instanceof Error && error.name === "PostgresError") {
    return new AppError("internal-error", "The request could not be completed.", {
      cause: error,
      logMessage: DATABASE_MESSAGE,
    });
  }
  return undefined;
}
