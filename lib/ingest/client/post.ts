import { setTimeout as sleep } from "node:timers/promises";
import { retryAfterMs } from "../../web/egress/retry-after.ts";
import { backoffMs, parseJson } from "../../std/mod.ts";
import { IngestError } from "./error.ts";
import { problemText } from "./outcome.ts";

/** The central API: its base URL and a token that its ingest route takes. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** How requests are sent. */
export type PostOptions = {
  /** Asked before every attempt, because a restarted stack may have moved. */
  endpoint: () => Promise<Endpoint>;
  signal: AbortSignal;
  /** How long to go on trying while the API cannot be reached, in milliseconds. */
  patienceMs: number;
  /** The first pause after a failure, in milliseconds; doubled each time, up to 15 s. Default 500. */
  backoffMs?: number;
  /** Sent as X-Request-Id. */
  requestId?: string;
  onRetry?: (why: string) => void;
};

/** An answer that says something of the items (200, 202, 409) or of the size (413). */
export interface Reply {
  readonly status: number;
  readonly body: unknown;
}

const REQUEST_TIMEOUT_MS = 60_000;
const MAX_BACKOFF_MS = 15_000;
const MAX_RETRY_AFTER_MS = 60_000;

/**
 * Posts a body to a route that takes items. What fails on the way (network, 408, 429, 5xx) is tried again with growing,
 * jittered pauses, not before a `Retry-After`, with the same Idempotency-Key. Throws IngestError, or the signal's
 * reason.
 */
export async function post(path: string, body: string, key: string, options: PostOptions): Promise<Reply> {
  const deadline = performance.now() + options.patienceMs;
  for (let attempt = 0; ; attempt++) {
    options.signal.throwIfAborted();
    const to = await options.endpoint();
    const outcome = await attemptPost(`${to.url}${path}`, body, key, { ...options, token: to.token });
    if ("reply" in outcome) return outcome.reply;
    const backoff = backoffMs(attempt, { baseMs: options.backoffMs ?? 500, maxMs: MAX_BACKOFF_MS });
    const pause = Math.max(backoff, outcome.retryAfterMs);
    if (performance.now() + outcome.retryAfterMs > deadline) {
      const patience = Math.round(options.patienceMs / 1000);
      const why = `${outcome.why}; gave up after ${patience} s (API: ${to.url})`;
      throw new IngestError("unreachable", why, { retryAfterMs: outcome.retryAfterMs });
    }
    options.onRetry?.(outcome.why);
    await sleep(pause, undefined, { signal: options.signal });
  }
}

type Attempt = { reply: Reply } | { why: string; retryAfterMs: number };

async function attemptPost(
  address: string,
  body: string,
  key: string,
  { signal, requestId, token }: PostOptions & Pick<Endpoint, "token">,
): Promise<Attempt> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(address, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-contract-version": "1",
        authorization: `Bearer ${token}`,
        "idempotency-key": key,
        ...(requestId !== undefined && { "x-request-id": requestId }),
      },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    return { why: `the API cannot be reached (${codeOf(error)})`, retryAfterMs: 0 };
  }
  const { status } = response;
  if (status === 200 || status === 202 || status === 409 || status === 413)
    return { reply: { status, body: parseJson(text) } };
  const problem = problemText(parseJson(text)) || `status ${status}`;
  if (status === 401 || status === 403) {
    throw new IngestError("unauthorized", `the API refused the ingest token (${problem}); set INGEST_TOKEN`);
  }
  if (status !== 408 && status !== 429 && status < 500) {
    const code = status === 400 || status === 422 ? "bad-request" : "refused";
    throw new IngestError(code, `the API refused the request: ${problem}`);
  }
  const asked = retryAfterMs(response.headers.get("retry-after") ?? undefined, Date.now()) ?? 0;
  return { why: `the API answered ${status} (${problem})`, retryAfterMs: Math.min(MAX_RETRY_AFTER_MS, asked) };
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return "code" in error ? String(error.code) : error.message;
}
