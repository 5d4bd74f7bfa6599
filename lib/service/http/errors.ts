import type { ErrorHandler, Hono, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { TrieRouter } from "hono/router/trie-router";
import { codeOf, isConnectionLost, isUnavailable, refusalOf } from "../process/failure.ts";
import { type HttpContext, type HttpEnv, note, pathOf } from "./context.ts";
import { AppError, problemResponse } from "./problem.ts";

/** Returns the methods that routes of `routes` take on `path`; empty for an unknown path. */
export function allowedMethods(routes: readonly { method: string; path: string }[]): (path: string) => string[] {
  const router = new TrieRouter<string>();
  for (const { method, path } of routes) {
    if (method !== "ALL") router.add("ALL", path, method);
  }
  return (path) => {
    const methods = new Set(router.match("ALL", path)[0].map(([method]) => method));
    if (methods.has("GET")) methods.add("HEAD");
    return [...methods].sort();
  };
}

/** The message that operators watch for: the relational store cannot be reached, or refused a statement. */
const LOG_MESSAGE = "database query exception";

/** SQLSTATE of a text that Postgres cannot hold: one with U+0000. */
const UNSTORABLE_TEXT = "22021";

/**
 * Returns what an error of the store means to the client, in every service: 503 while the database cannot serve, 422
 * for a text that it cannot hold, else 500. Undefined for what is no error of the store.
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

/** Turns what a service throws into a problem; undefined for what it does not know. */
export type Classify = (error: unknown) => AppError | undefined;

/**
 * Serves every error as a problem document; `classify` turns what a service throws into an
 * {@link AppError}, {@link storeProblem} what the store throws; anything else is a 500 without details.
 */
export function errorHandler({ classify = () => undefined }: { classify?: Classify }): ErrorHandler<HttpEnv> {
  return (error, c) => {
    const problem = c.req.raw.signal.aborted ? cutShort(error) : toAppError(error, classify);
    const { slug, status, logMessage } = problem;
    const reason = refusalOf(problem.cause);
    note(c, {
      error: slug,
      ...(reason !== undefined && { reason }),
      ...(logMessage !== undefined && { message: logMessage }),
      // What is refused for want of time failed nowhere.
      ...(status >= 500 && slug !== "overloaded" && { err: causeOf(error) }),
    });
    return problemResponse(problem, pathOf(c));
  };
}

/** Answers 405 with `Allow` where the path is known under other methods, else 404. */
export function notFoundHandler(app: Hono<HttpEnv>): NotFoundHandler<HttpEnv> {
  let methodsOf: ((path: string) => string[]) | undefined;
  return (c: HttpContext) => {
    methodsOf ??= allowedMethods(app.routes);
    const methods = methodsOf(c.req.path);
    const problem =
      methods.length === 0
        ? new AppError("not-found", "There is nothing at this path.")
        : new AppError("method-not-allowed", `This path takes ${methods.join(", ")}.`, {
            headers: { Allow: methods.join(", ") },
          });
    note(c, { error: problem.slug });
    return problemResponse(problem, pathOf(c));
  };
}

/**
 * Returns the problem that an error is served as: its own, what `classify` or the store makes of it, else a 500 without
 * details.
 */
export function toAppError(error: unknown, classify: Classify): AppError {
  if (error instanceof AppError) return error;
  const appError = classify(error) ?? storeProblem(error);
  if (appError) return appError;
  if (error instanceof HTTPException && error.status === 400) {
    return new AppError("malformed-json", "The body is not valid JSON.", { cause: error });
  }
  if (error instanceof HTTPException && error.status === 415) {
    return new AppError("unsupported-media-type", "The body must be sent as application/json.", { cause: error });
  }
  return new AppError("internal-error", "The request could not be completed.", { cause: error });
}

/** Returns the client went away; nobody reads the answer, the log line says what happened. */
function cutShort(cause: unknown): AppError {
  return new AppError("bad-request", "The request was cut short.", { cause });
}

/** Returns what is logged of an error that is served as 5xx: the error below a problem says more than the problem. */
function causeOf(error: Error): unknown {
  return error instanceof AppError ? (error.cause ?? error) : error;
}
