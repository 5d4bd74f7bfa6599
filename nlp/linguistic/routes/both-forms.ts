import { createRoute, type ErrorSlug, problems, type z } from "@isnad/lib/service/http";

/** What a route says of itself, the same for both of its forms; `also`: what else it may answer than others. */
type Analysis<P extends string, A extends z.ZodType, B extends z.ZodType, Q extends z.ZodObject> = {
  path: P;
  /** What is analysed, as the operations' names have it: `analyseMorphology`, `getMorphology`. */
  noun: string;
  tag?: string;
  summary: string;
  description: string;
  also?: readonly ErrorSlug[];
  answer: { description: string; schema: A };
  body: B;
  query: Q;
};

/** A route in its two forms: the text in a body, or in the URL. */
export function bothForms<P extends string, A extends z.ZodType, B extends z.ZodType, Q extends z.ZodObject>({
  path,
  noun,
  tag = "analysis",
  also = [],
  summary,
  description,
  answer,
  body,
  query,
}: Analysis<P, A, B, Q>) {
  const shared = {
    path,
    tags: [tag],
    summary,
    description,
    responses: {
      200: { description: answer.description, content: { "application/json": { schema: answer.schema } } },
      ...problems(
        "malformed-json",
        "payload-too-large",
        "uri-too-long",
        "unsupported-media-type",
        "validation-error",
        "overloaded",
        "service-unavailable",
        ...also,
      ),
    },
  };
  return {
    posted: createRoute({
      ...shared,
      method: "post",
      operationId: `analyse${noun}`,
      request: { body: { required: true, content: { "application/json": { schema: body } } } },
    }),
    got: createRoute({ ...shared, method: "get", operationId: `get${noun}`, request: { query } }),
  };
}
