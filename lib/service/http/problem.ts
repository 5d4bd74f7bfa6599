import { Problem } from "../../contract/problem.ts";
import type { AppError } from "./app-error.ts";
import { ERRORS, type ErrorSlug } from "./slugs.ts";

export { Problem } from "../../contract/problem.ts";

/** The media type of error bodies. */
export const PROBLEM_JSON = "application/problem+json";

/** The document of an error for the request path `instance`. */
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
