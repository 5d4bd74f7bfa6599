import { isObject, parseJson } from "../std/mod.ts";

/** Asks the API for a tool: JSON of a path, with a body by POST. @throws RefusedError */
export type Ask = (path: string, options?: { body?: unknown; signal?: AbortSignal | undefined }) => Promise<unknown>;

/** The API refused a request, or could not answer it; the message is for the model. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** Returns an {@link Ask} over whatever sends requests to the API. */
export function askBy(send: (path: string, init: RequestInit) => Promise<Response>): Ask {
  return async (path, { body, signal } = {}) => {
    const json = body !== undefined && { method: "POST", body: JSON.stringify(body) };
    const headers = { accept: "application/json", ...(body !== undefined && { "content-type": "application/json" }) };
    const response = await send(path, { ...json, headers, signal: signal ?? null });
    const answer = parseJson(await response.text());
    if (response.ok) return answer;
    throw new RefusedError(describe(response.status, answer));
  };
}

function describe(status: number, problem: unknown): string {
  const { detail, errors } = isObject(problem) ? problem : {};
  const fields = Object.entries(isObject(errors) ? errors : {}).map(([field, rules]) => `${field} ${String(rules)}`);
  return [`${status}: ${typeof detail === "string" ? detail : "the API cannot answer"}`, ...fields].join("\n");
}

/** Returns a path with the parameters that are given. */
export function withQuery(path: string, params: Record<string, string | number | boolean | undefined>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(params)) if (value !== undefined) query.set(name, String(value));
  return query.size === 0 ? path : `${path}?${query}`;
}
