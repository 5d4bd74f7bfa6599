import { setTimeout as sleep } from "node:timers/promises";
import { type DeletionReport, IngestResponse, type ItemDraft, Problem, RevisionResponse } from "../../contract/mod.ts";
import { backoffMs, parseJson } from "../../std/mod.ts";
import { retryAfterMs } from "../../web/egress/response.ts";

/**
 * Why articles could not be handed over: `unauthorized` (401, 403), `refused` (the API takes no such request: 404, 405,
 * 415), `bad-request` (400, 422: the body is at fault), `bad-answer` (not of the contract), `unreachable` (network,
 * 429, 5xx, for longer than the patience lasts).
 */
type IngestErrorCode = "unauthorized" | "refused" | "bad-request" | "bad-answer" | "unreachable";

/** Articles could not be handed over; the message says why in one line. */
export class IngestError extends Error {
  override name = "IngestError";
  readonly code: IngestErrorCode;
  /** Says how long the API asks to be left alone, in milliseconds; 0 when it does not. */
  readonly retryAfterMs: number;
  constructor(code: IngestErrorCode, message: string, { retryAfterMs = 0 } = {}) {
    super(message);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Describes what the API said of one item. */
export interface Outcome<Status extends string = ArticleStatus> {
  readonly externalId: string;
  readonly status: Status | "failed";
  /** With `accepted`, `duplicate`, `recorded` and `known`. */
  readonly articleId?: number;
  /** With `failed`. */
  readonly error?: { readonly type: string; readonly detail: string };
}

/** Reads the body of a 2xx or 409 as one outcome per entry, in their order. Throws IngestError `bad-answer`. */
export function readOutcomes<Status extends string>(
  body: unknown,
  entries: readonly Entry[],
  route: Pick<Route<Status>, "results">,
): Outcome<Status>[] {
  const results = route.results(body);
  if (results === null || results.length !== entries.length) {
    throw new IngestError(
      "bad-answer",
      "the API answered in a form that is not its ingest contract: one result per item expected",
    );
  }
  return results.map(({ status, article_id: articleId, error }, i) => ({
    externalId: entries[i]?.externalId ?? "",
    status,
    ...(articleId !== undefined && { articleId }),
    ...(error !== undefined && { error: { type: error.type, detail: error.detail } }),
  }));
}

/** Returns the `title` and `detail` of a problem body as one line; "" when it is none. */
export function problemText(body: unknown): string {
  const { title, detail } = Problem.pick({ title: true, detail: true }).partial().safeParse(body).data ?? {};
  return [title, detail].filter((part) => part !== undefined).join(": ");
}

/** A result of either route, as it comes. */
type Result<Status> = {
  external_id: string | null;
  status: Status | "failed";
  article_id?: number | undefined;
  error?: { type: string; detail: string } | undefined;
};

/**
 * A route that takes a batch of items, and how the results in its answer are read; null for what is no answer of it.
 */
export interface Route<Status extends string> {
  readonly path: string;
  results(body: unknown): readonly Result<Status>[] | null;
}

/** Describes what the ingest route says of an article. */
export type ArticleStatus = "accepted" | "duplicate" | "conflict" | "failed";

/**
 * Describes what the revisions route says of a report: the source says something else than before, or what it said
 * before.
 */
export type ReportStatus = "recorded" | "known" | "failed";

const ingested = IngestResponse.pick({ results: true });
const reported = RevisionResponse.pick({ results: true });

/** Takes articles. A 202 and a 409 carry results in the same way. */
export const ARTICLES: Route<ArticleStatus> = {
  path: "/v1/ingest/articles",
  results: (body) => ingested.safeParse(body).data?.results ?? null,
};

/** Takes what sources say of known articles now. */
export const REVISIONS: Route<ReportStatus> = {
  path: "/v1/ingest/revisions",
  results: (body) => reported.safeParse(body).data?.results ?? null,
};

/** The central API: its base URL and a token that its ingest route takes. */
export interface Endpoint {
  readonly url: string;
  readonly token: string;
}

/** Describes how requests are sent. */
export type PostOptions = {
  /** Asked before every attempt, because a restarted stack may have moved. */
  endpoint: () => Promise<Endpoint>;
  signal: AbortSignal;
  /** Says how long to go on trying while the API cannot be reached, in milliseconds. */
  patienceMs: number;
  /** The first pause after a failure, in milliseconds; doubled each time, up to 15 s. Default 500. */
  backoffMs?: number;
  /** Sent as X-Request-Id. */
  requestId?: string;
  onRetry?: (why: string) => void;
};

/** An answer that says something of the items (200, 202, 409) or of the size (413). */
interface Reply {
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

/** An item ready to be sent. */
export interface Entry {
  readonly externalId: string;
  /** The item as JSON. */
  readonly json: string;
}

/** Describes what bounds a request: items, and bytes of its body. */
export interface BatchLimits {
  readonly maxItems: number;
  readonly maxBytes: number;
}

const OPEN = '{"articles":[';
const CLOSE = "]}";
const encoder = new TextEncoder();

/** Returns the body of a request with these entries. */
export function requestBody(entries: readonly Entry[]): string {
  return OPEN + entries.map((entry) => entry.json).join(",") + CLOSE;
}

/** Returns the bytes that the items of a request may take, one comma each. */
export function roomOf({ maxBytes }: BatchLimits): number {
  return maxBytes - OPEN.length - CLOSE.length;
}

/** Returns the bytes of a text in UTF-8. */
export function byteLength(text: string): number {
  return encoder.encode(text).length;
}

/**
 * An item as JSON of at most `room` bytes; its content is shortened where that is needed, which loses nothing that the
 * ingest route would keep (200,000 characters). Undefined for an item that is too large without its content.
 */
export function fitItem(item: ItemDraft | DeletionReport, room: number): { json: string; cut: boolean } | undefined {
  const json = JSON.stringify(item);
  const over = byteLength(json) - room;
  if (over <= 0) return { json, cut: false };
  const shorter = JSON.stringify({ ...item, content: shortened("content" in item ? (item.content ?? "") : "", over) });
  return byteLength(shorter) <= room ? { json: shorter, cut: true } : undefined;
}

/** Returns a content without at least the last `bytes` bytes of its JSON. */
function shortened(content: string, bytes: number): string {
  let end = content.length;
  let saved = 0;
  while (end > 0 && saved < bytes) {
    const from = Math.max(0, end - 4096);
    saved += byteLength(JSON.stringify(content.slice(from, end))) - 2;
    end = from;
  }
  return content.slice(0, end).replace(/[\uD800-\uDBFF]$/, "");
}
