import {
  AppError,
  createMiddleware,
  type ErrorSlug,
  type HttpEnv,
  pathOf,
  problemResponse,
  retryAfter,
} from "@isnad/lib/service/http";
import { LlmError } from "@isnad/lib/answers";

const UNAVAILABLE = "The summarization service is currently experiencing issues.";

/** The problems of the summarization route by their status: their names below `{base_url}/problems/`. */
const NAMES: ReadonlyMap<number, ErrorSlug> = new Map([
  [422, "validation-error"],
  [429, "rate-limit-exceeded"],
  [503, "service-unavailable"],
]);

/** Answers 422, 429 and 503 with the problem types of the summarization route, under `baseUrl`. */
export function summaryProblems(baseUrl: string) {
  return createMiddleware<HttpEnv>(async function nameProblems(c, next) {
    await next();
    const slug = NAMES.get(c.res.status);
    if (slug === undefined || !(c.error instanceof AppError)) return;
    const { errors, headers, message } = c.error;
    const problem = new AppError(slug, slug === "service-unavailable" ? UNAVAILABLE : message, {
      ...(errors && { errors }),
      headers,
      extra: { type: `${baseUrl}/problems/${slug}`, ...reasonOf(c.error) },
    });
    c.res = problemResponse(problem, pathOf(c));
  });
}

/** What no model can do is said, beside the `detail` that is the same for all; the rest is in the log. */
function reasonOf({ slug, message }: AppError): { reason?: string } {
  return slug === "model-not-installed" ? { reason: message } : {};
}

/** A failure of an upstream as a problem: 503, with the time after which it may be tried again. */
export function upstreamProblem(error: unknown): unknown {
  if (!(error instanceof LlmError)) return error;
  return new AppError("service-unavailable", UNAVAILABLE, {
    cause: error,
    headers: retryAfter(error.retryAfterS),
    retryable: error.retryable,
  });
}
