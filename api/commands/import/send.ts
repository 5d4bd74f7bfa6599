import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, explain } from "@isnad/lib/cli";
import { problemText, readOutcomes } from "./answer.ts";
import { type Entry, requestBody } from "./batches.ts";
import type { Outcome } from "./outcome.ts";

/** The central API: its base URL and a token that its ingest route takes. */
export type Endpoint = { url: string; token: string };

/** How batches are sent. */
export type SendOptions = {
  /** Asked before every attempt, because a restarted stack may have moved. */
  endpoint: () => Promise<Endpoint>;
  /** Distinguishes this import: a batch sent twice within it gets its first answer again. */
  runId: string;
  signal: AbortSignal;
  /** How long to go on trying while the API cannot be reached, in milliseconds. */
  patienceMs: number;
  /** The first pause after a failure, in milliseconds; doubled each time, up to 15 s. */
  backoffMs?: number;
  onRetry?: (why: string) => void;
};

const REQUEST_TIMEOUT_MS = 60_000;
const MAX_BACKOFF_MS = 15_000;

/**
 * Posts the entries and returns their outcomes in order. Entries in conflict are set aside and the others sent again, a
 * request over the API's limits is halved, and what fails on the way (network, 429, 5xx) is tried again with growing
 * pauses. Throws CommandError when the API refuses the request or stays out of reach.
 */
export async function sendEntries(entries: readonly Entry[], options: SendOptions): Promise<Outcome[]> {
  if (entries.length === 0) return [];
  const reply = await post(entries, options);
  if (reply.status === 413) {
    const [only] = entries;
    if (entries.length === 1 && only !== undefined) return [tooLarge(only)];
    const half = Math.ceil(entries.length / 2);
    return [
      ...(await sendEntries(entries.slice(0, half), options)),
      ...(await sendEntries(entries.slice(half), options)),
    ];
  }
  const outcomes = readOutcomes(reply.body, entries);
  if (reply.status !== 409) return outcomes;
  const conflicts = outcomes.filter((outcome) => outcome.status === "conflict");
  if (conflicts.length === 0) throw new CommandError("the API answered 409 without naming an item in conflict");
  const aside = new Set(conflicts.map((outcome) => outcome.line));
  const others = await sendEntries(
    entries.filter((entry) => !aside.has(entry.line)),
    options,
  );
  return [...conflicts, ...others].sort((a, b) => a.line - b.line);
}

function tooLarge({ line, externalId }: Entry): Outcome {
  const error = { type: "/errors/payload-too-large", detail: "the API takes no body of this size" };
  return { line, externalId, status: "failed", error };
}

type Reply = { status: number; body: unknown };

async function post(entries: readonly Entry[], options: SendOptions): Promise<Reply> {
  const body = requestBody(entries);
  const key = `import-${options.runId}-${createHash("sha256").update(body).digest("hex").slice(0, 32)}`;
  const deadline = performance.now() + options.patienceMs;
  for (let attempt = 0; ; attempt++) {
    options.signal.throwIfAborted();
    const to = await options.endpoint();
    const outcome = await attemptPost(body, key, to, options.signal);
    if ("reply" in outcome) return outcome.reply;
    if (performance.now() > deadline) {
      throw new CommandError(
        `${outcome.why}; gave up after ${Math.round(options.patienceMs / 1000)} s (API: ${to.url})`,
      );
    }
    options.onRetry?.(outcome.why);
    const backoff = Math.min(MAX_BACKOFF_MS, (options.backoffMs ?? 500) * 2 ** attempt) * (0.75 + Math.random() / 2);
    await sleep(Math.max(backoff, outcome.retryAfterMs), undefined, { signal: options.signal });
  }
}

type Attempt = { reply: Reply } | { why: string; retryAfterMs: number };

async function attemptPost(body: string, key: string, to: Endpoint, signal: AbortSignal): Promise<Attempt> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(`${to.url}/v1/ingest/articles`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${to.token}`, "idempotency-key": key },
      body,
      signal: AbortSignal.any([signal, AbortSignal.timeout(REQUEST_TIMEOUT_MS)]),
    });
    text = await response.text();
  } catch (error) {
    signal.throwIfAborted();
    const code = error instanceof Error && "code" in error ? String(error.code) : explain(error);
    return { why: `the API cannot be reached (${code})`, retryAfterMs: 0 };
  }
  const { status } = response;
  if (status === 202 || status === 409 || status === 413) return { reply: { status, body: parseJson(text) } };
  const problem = problemText(parseJson(text)) || `status ${status}`;
  if (status === 401) throw new CommandError(`the API refused the ingest token (${problem}); set INGEST_TOKEN`);
  if (status !== 408 && status !== 429 && status < 500)
    throw new CommandError(`the API refused the request: ${problem}`);
  return { why: `the API answered ${status} (${problem})`, retryAfterMs: retryAfter(response) };
}

function retryAfter(response: Response): number {
  const seconds = Number(response.headers.get("retry-after") ?? 0);
  return Number.isFinite(seconds) ? Math.min(60, Math.max(0, seconds)) * 1000 : 0;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
