import { ERRORS, type ErrorSlug } from "./slugs.ts";

/** Messages by field path; a rule across fields uses the key `body`. */
export type FieldErrors = Record<string, string[]>;

/** What an {@link AppError} may carry beyond its slug and detail. */
export type AppErrorOptions = {
  /** Served in place of the slug's status. */
  status?: number;
  errors?: FieldErrors;
  /** Whether the same request may succeed later. */
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

/** The header `Retry-After` of so many seconds; none where they are undefined. */
export function retryAfter(seconds: number | undefined): Record<string, string> {
  return seconds === undefined ? {} : { "Retry-After": String(seconds) };
}
