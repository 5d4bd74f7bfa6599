type ErrorMeaning = { status: number; title: string; logMessage?: string; retryAfterS?: number };

const meanings = {
  "malformed-json": { status: 400, title: "Malformed JSON" },
  "bad-request": { status: 400, title: "Bad Request" },
  "unsupported-contract-version": { status: 400, title: "Unsupported Contract Version" },
  unauthorized: { status: 401, title: "Unauthorized" },
  forbidden: { status: 403, title: "Forbidden" },
  "not-found": { status: 404, title: "Not Found" },
  "method-not-allowed": { status: 405, title: "Method Not Allowed" },
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
 * What every error slug means: the status it is served with, its title, the log message that operators look for, and
 * the `Retry-After` that goes with it where an error says nothing else, in seconds.
 */
export const ERRORS: Readonly<Record<ErrorSlug, ErrorMeaning>> = meanings;

/** Whether `slug` is one of the platform's. */
export function isErrorSlug(slug: string): slug is ErrorSlug {
  return Object.hasOwn(ERRORS, slug);
}
