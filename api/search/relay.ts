import { AppError, isErrorSlug } from "@isnad/lib/http";
import { isObject, parseJsonObject } from "@isnad/lib/std";
import type { Upstream } from "./retrieval.ts";

/**
 * A body of the retrieval service that can be passed on, whether it is degraded, and whether only the keyword branch
 * could answer.
 */
export type Relayed = { body: string; degraded: boolean; keywordOnly: boolean };

/**
 * Makes of the retrieval service's answer what the API answers: a good body as it is; a complaint about the request, or
 * a branch that is away, as an {@link AppError} with the same slug and detail; anything else as 503.
 */
export function relay({ status, body, retryAfter = "5" }: Upstream): Relayed {
  const parsed = parseJsonObject(body);
  const retry = { headers: { "Retry-After": retryAfter } };
  if (status === 200 && parsed?.schema === "search.v1") {
    const { degraded, diagnostics } = members(parsed.meta);
    return { body, degraded: degraded === true, keywordOnly: members(diagnostics).rrf_mode === "bm25" };
  }
  const slug = typeof parsed?.type === "string" ? parsed.type.replace("/errors/", "") : "";
  const detail = typeof parsed?.detail === "string" ? parsed.detail : "";
  if ((status === 422 || status === 503) && isErrorSlug(slug)) {
    const errors = fieldErrors(parsed?.errors);
    throw new AppError(slug, detail, { status, ...(errors && { errors }), ...(status === 503 && retry) });
  }
  throw new AppError("service-unavailable", "The search service failed.", {
    cause: new Error(`the retrieval service answered ${status} ${detail || body.slice(0, 200)}`),
    ...retry,
  });
}

function members(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}

function fieldErrors(errors: unknown): Record<string, string[]> | undefined {
  if (!isObject(errors)) return undefined;
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, Array.isArray(messages) ? messages.map(String) : []]),
  );
}
