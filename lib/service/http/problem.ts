import type { z } from "@hono/zod-openapi";
import type { ErrorHandler, Hono, NotFoundHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { TrieRouter } from "hono/router/trie-router";
import { Problem } from "../../contract/problem.ts";
import { codeOf, isConnectionLost, isUnavailable, refusalOf } from "../process/run-main.ts";
import { type HttpContext, type HttpEnv, note, pathOf } from "./context.ts";

export { Problem } from "../../contract/problem.ts";

type ErrorMeaning = { status: number; title: string; logMessage?: string; retryAfterS?: number };

const meanings = {
  "malformed-json": { status: 400, title: "Malformed JSON" },
  "bad-request": { status: 400, title: "Bad Request" },
  "unsupported-contract-version": { status: 400, title: "Unsupported Contract Version" },
  unauthorized: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  "not-found": { status: 404, title: "Not Found" },
  "method-not-allowed": { status: 405, title: "Method Not Allowed" },
  "not-acceptable": { status: 406, title: "Not Acceptable" },
  conflict: { status: 409, title: "Conflict" },
  "payload-too-large": {
    status: 413,
    title: "Payload Too Large",
    logMessage: "payload too large",
    retryAfterS: 30,
  },
  "batch-too-large": { status: 413, title: "Batch Too Large", logMessage: "batch too large", retryAfterS: 30 },
  "uri-too-long": { status: 414, title: "URI Too Long" },
  "unsupported-media-type": { status: 415, title: "Unsupported Media Type" },
  "misdirected-request": { status: 421, title: "Misdirected Request" },
  "validation-error": { status: 422, title: "Validation Error" },
  "idempotency-key-reuse": { status: 422, title: "Idempotency Key Reuse" },
  "rate-limit-exceeded": { status: 429, title: "Rate Limit Exceeded" },
  "internal-error": { status: 500, title: "Internal Server Error" },
  overloaded: { status: 503, title: "Overloaded" },
  "service-unavailable": { status: 503, title: "Service Unavailable", retryAfterS: 5 },
  "model-not-installed": { status: 503, title: "Model Not Installed" },
} as const satisfies Record<string, ErrorMeaning>;

/** The last segment of a problem's `type`, `/errors/<slug>`. */
export type ErrorSlug = keyof typeof meanings;

/**
 * Holds what every error slug means: the status it is served with, its title, the log message that operators look for,
 * and the `Retry-After` that goes with it where an error says nothing else, in seconds.
 */
const ERRORS: Readonly<Record<ErrorSlug, ErrorMeaning>> = meanings;

/** Tells whether `slug` is one of the platform's. */
export function isErrorSlug(slug: string): slug is ErrorSlug {
  return Object.hasOwn(ERRORS, slug);
}

/** Messages by field path; a rule across fields uses the key `body`. */
export type FieldErrors = Record<string, string[]>;

/** Describes what an {@link AppError} may carry beyond its slug and detail. */
export type AppErrorOptions = {
  /** Served in place of the slug's status. */
  status?: number;
  errors?: FieldErrors;
  /** Tells whether the same request may succeed later. */
  retryable?: boolean;
  /** Logged, never sent. */
  cause?: unknown;
  /** Text of the request's log line in place of the usual one; operators look for some. */
  logMessage?: string;
  /** Sent with the response, on top of the slug's. */
  headers?: Record<string, string>;
  /** Further members of the problem body. */
  extra?: Record<string, unknown>;
};

/** A failure that the client is told about as a problem document (RFC 9457). `detail` is sent as it is. */
export class AppError extends Error {
  override name = "AppError";
  readonly slug: ErrorSlug;
  readonly status: number;
  readonly title: string;
  readonly errors: FieldErrors | undefined;
  readonly retryable: boolean;
  readonly logMessage: string | undefined;
  readonly headers: Record<string, string>;
  readonly extra: Record<string, unknown>;

  constructor(slug: ErrorSlug, detail: string, options: AppErrorOptions = {}) {
    super(detail, options.cause === undefined ? undefined : { cause: options.cause });
    this.slug = slug;
    this.status = options.status ?? ERRORS[slug].status;
    this.title = ERRORS[slug].title;
    this.errors = options.errors;
    this.retryable = options.retryable ?? (this.status === 429 || this.status === 503);
    this.logMessage = options.logMessage ?? ERRORS[slug].logMessage;
    this.headers = { ...retryAfter(ERRORS[slug].retryAfterS), ...options.headers };
    this.extra = options.extra ?? {};
  }
}

/** Returns the header `Retry-After` of so many seconds; none where they are undefined. */
export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}

/** The media type of error bodies. */
export const PROBLEM_JSON = "application/problem+json";

/** Returns the document of an error for the request path `instance`. */
export function problemBody(error: AppError, instance: string): Problem {
  return {
    type: `/errors/${error.slug}`,
    title: error.title,
    status: error.status,
    detail: error.message,
    instance,
    ...(error.errors && { errors: error.errors }),
    ...error.extra,
  };
}

/** Renders an error for the request path `instance`. */
export function problemResponse(error: AppError, instance: string): Response {
  return new Response(JSON.stringify(problemBody(error, instance)), {
    status: error.status,
    headers: { "Content-Type": PROBLEM_JSON, ...error.headers },
  });
}

type ProblemResponses = Record<
  number,
  { description: string; content: { [PROBLEM_JSON]: { schema: typeof Problem } } }
>;

/** The errors of every route that takes a body of JSON. */
export const BODY_PROBLEMS = [
  "malformed-json",
  "payload-too-large",
  "unsupported-media-type",
  "validation-error",
] as const;

/** The `responses` of a route definition for the errors it may answer with, by status. */
export function problems(...slugs: ErrorSlug[]): ProblemResponses {
  const responses: ProblemResponses = {};
  for (const slug of slugs) {
    const { status, title } = ERRORS[slug];
    const before = responses[status]?.description;
    responses[status] = {
      description: before === undefined ? title : `${before}, or ${title}`,
      content: { [PROBLEM_JSON]: { schema: Problem } },
    };
  }
  return responses;
}

/** Describes an answer of a route definition that is JSON. */
export function answer<T extends z.ZodType>(description: string, schema: T) {
  return { description, content: { "application/json": { schema } } };
}

/** Describes the body of a route definition: JSON, required. */
export function bodyOf<T extends z.ZodType>(schema: T, example?: object) {
  return { required: true, content: { "application/json": { schema, ...(example && { example }) } } };
}

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
