import type { ErrorHandler, Hono, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { AppError } from "./app-error.ts";
import { type HttpContext, type HttpEnv, note } from "./context.ts";
import { pathOf } from "./host.ts";
import { allowedMethods } from "./methods.ts";
import { problemResponse } from "./problem.ts";
import { refusalOf } from "../process/unavailable.ts";
import { storeProblem } from "./store-problem.ts";

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
 * The problem that an error is served as: its own, what `classify` or the store makes of it, else a 500 without
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

/** The client went away; nobody reads the answer, the log line says what happened. */
function cutShort(cause: unknown): AppError {
  return new AppError("bad-request", "The request was cut short.", { cause });
}

/** What is logged of an error that is served as 5xx: the error below a problem says more than the problem. */
function causeOf(error: Error): unknown {
  return error instanceof AppError ? (error.cause ?? error) : error;
}
