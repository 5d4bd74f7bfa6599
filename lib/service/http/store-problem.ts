import { codeOf, isConnectionLost, isUnavailable } from "../process/unavailable.ts";
import { AppError } from "./app-error.ts";

/** The message that operators watch for: the relational store cannot be reached, or refused a statement. */
const LOG_MESSAGE = "database query exception";

/** SQLSTATE of a text that Postgres cannot hold: one with U+0000. */
const UNSTORABLE_TEXT = "22021";

/**
 * What an error of the store means to the client, in every service: 503 while the database cannot serve, 422 for a text
 * that it cannot hold, else 500. Undefined for what is no error of the store.
 */
export function storeProblem(error: unknown): AppError | undefined {
  if (isUnavailable(error)) {
    const detail = isConnectionLost(error) ? "The database cannot be reached." : "The database cannot do this now.";
    return new AppError("service-unavailable", detail, { cause: error, logMessage: LOG_MESSAGE });
  }
  if (!(error instanceof Error) || error.name !== "PostgresError") return undefined;
  if (codeOf(error) === UNSTORABLE_TEXT) {
    return new AppError("validation-error", "A text of the request has a character that cannot be stored.", {
      cause: error,
      errors: { body: ["must not have the character U+0000"] },
    });
  }
  return new AppError("internal-error", "The request could not be completed.", {
    cause: error,
    logMessage: LOG_MESSAGE,
  });
}
