import { setTimeout as sleep } from "node:timers/promises";
import { backoffMs, isObject, parseJsonObject } from "../../std/mod.ts";
import { EgressError, type EgressResponse, type Fetcher } from "../../web/egress/mod.ts";
import { codeOfStatus, LlmError } from "../tasks.ts";

/** Characters of a server's message that are kept. */
const MAX_MESSAGE_CHARS = 200;

/**
 * Returns what a server says of an error, for a log: the code and message of an OpenAI-like body, or the beginning of
 * any other, in one line, without the key, which some servers repeat.
 */
export function describeError(body: unknown, key?: string): string {
  const said = wordsOf(body).join(" ").replace(/\s+/g, " ").trim();
  const safe = key === undefined || key === "" ? said : said.replaceAll(key, "[redacted]");
  // Some servers repeat a key in part, its middle replaced by stars.
  return safe.replace(/\b(sk|pk|key|token)-[\w*.-]{6,}/gi, "[redacted]").slice(0, MAX_MESSAGE_CHARS);
}

function wordsOf(value: unknown): string[] {
  if (typeof value === "string") {
    const parsed = parseJsonObject(value);
    if (parsed !== undefined) return wordsOf(parsed);
    return value.trimStart().startsWith("<") ? [] : [value];
  }
  if (typeof value === "number") return [String(value)];
  if (Array.isArray(value)) return value.slice(0, 3).flatMap(wordsOf);
  if (!isObject(value)) return [];
  if (value.error !== undefined && value.error !== null) return wordsOf(value.error);
  return [value.code, value.type, value.message ?? value.detail ?? value.msg].flatMap(wordsOf);
}

/** A request to a path below the upstream's address. */
export type UpstreamRequest = {
  path: string;
  method?: "GET" | "POST";
  headers?: Record<string, string>;
  body?: string | Uint8Array;
  requestId?: string | undefined;
  signal: AbortSignal;
};

/** The head of an answer of status 2xx, and its body as it comes. The sender waits while a piece is not taken. */
export type OpenAnswer = { contentType: string; pieces: AsyncIterable<Uint8Array> };

/**
 * Sends a request and gives the answer once it begins; `use` takes the body, and when it returns the connection is
 * closed. Throws {@link LlmError}; the signal's reason when that aborts.
 */
export async function* exchange<T>(
  { url, key, limits, fetch }: Upstream & { fetch: Fetcher },
  { path, method = "POST", headers, body, requestId, signal }: UpstreamRequest,
  use: (answer: OpenAnswer) => AsyncIterable<T>,
): AsyncGenerator<T> {
  signal.throwIfAborted();
  const watch = createWatch(signal);
  const begun = Promise.withResolvers<OpenAnswer>();
  const taken = Promise.withResolvers<void>();
  watch.expect(limits.firstByteMs);
  const request = fetch(`${url}${path}`, {
    method,
    ...(body !== undefined && { body }),
    headers: {
      accept: "text/event-stream, application/json",
      "accept-encoding": "identity",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
      ...(requestId !== undefined && { "x-request-id": requestId }),
      ...headers,
    },
    timeoutMs: limits.totalMs,
    connectMs: limits.connectMs,
    maxBytes: limits.maxBytes,
    maxRedirects: 0,
    signal: watch.signal,
    onBody: async ({ headers }, pieces) => {
      begun.resolve({ contentType: headers["content-type"] ?? "", pieces: watched(pieces, watch, limits) });
      await taken.promise;
    },
  });
  // An answer without a body that is taken: an error status, or a redirect.
  request.then(
    (response) => begun.reject(refusal(response, key)),
    (error: unknown) => begun.reject(error),
  );
  try {
    yield* use(await begun.promise);
  } catch (error) {
    signal.throwIfAborted();
    throw explain(await close(error), watch.expired);
  } finally {
    await close(undefined);
  }

  /**
   * Ends the request. Whoever reads the body sees only that it is cut; that the whole took too long is told by the
   * request.
   */
  async function close(error: unknown): Promise<unknown> {
    watch.end();
    taken.resolve();
    const ending: unknown = await request.catch((reason: unknown) => reason);
    return ending instanceof EgressError && ending.code === "timed-out" ? ending : error;
  }
}

/** Limits how long the next thing may take to come; the time that a caller takes between two of them does not count. */
type Watch = {
  signal: AbortSignal;
  /** Holds what did not come in time; undefined while nothing is late. */
  readonly expired: number | undefined;
  expect(ms: number): void;
  arrived(): void;
  /** Ends the request. */
  end(): void;
};

function createWatch(outer: AbortSignal): Watch {
  const own = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let expired: number | undefined;
  const arrived = () => clearTimeout(timer);
  return {
    signal: AbortSignal.any([outer, own.signal]),
    get expired() {
      return expired;
    },
    expect(ms) {
      clearTimeout(timer);
      timer = setTimeout(() => {
        expired = ms;
        own.abort();
      }, ms);
    },
    arrived,
    end() {
      arrived();
      own.abort();
    },
  };
}

async function* watched(
  pieces: AsyncIterable<Uint8Array>,
  watch: Watch,
  { betweenMs }: Upstream["limits"],
): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) {
    watch.arrived();
    yield piece;
    watch.expect(betweenMs);
  }
  watch.arrived();
}

function refusal(response: EgressResponse, key: string | undefined): LlmError {
  const { status, retryAfterMs } = response;
  const said = describeError(response.text().text, key);
  const message = `the upstream answered ${status}${said === "" ? "" : `: ${said}`}`;
  return new LlmError(codeOfStatus(status), message, { status, retryAfterMs });
}

function explain(error: unknown, expired: number | undefined): unknown {
  if (expired !== undefined)
    return new LlmError("timed-out", `the upstream sent nothing for ${expired} ms`, { cause: error });
  if (error instanceof RangeError) return new LlmError("bad-answer", error.message, { cause: error });
  if (!(error instanceof EgressError)) return error;
  const { code, detail } = error;
  if (code === "timed-out") return new LlmError("timed-out", detail, { cause: error });
  if (code === "too-large" || code === "bad-response" || code === "bad-encoding")
    return new LlmError("bad-answer", detail, { cause: error });
  return new LlmError("unreachable", detail, { cause: error });
}

/** The wait before the second try, where the server asks for none. */
const WAIT = { baseMs: 250, maxMs: 250 };
/** A server that asks for a longer wait is not waited for. */
const MAX_WAIT_MS = 2_000;

/**
 * Returns what `make` gives; when it fails in a way that may be over soon, and nothing has come of it yet, it is made
 * once more. Throws the last error; the signal's reason when that aborts.
 */
export async function* retryOnce<T>(make: () => AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  let begun = false;
  try {
    for await (const each of make()) {
      begun = true;
      yield each;
    }
    return;
  } catch (error) {
    signal.throwIfAborted();
    if (begun || !(error instanceof LlmError) || !error.retryable) throw error;
    const waitMs = error.retryAfterMs ?? backoffMs(0, WAIT);
    if (waitMs > MAX_WAIT_MS) throw error;
    await sleep(waitMs, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
  yield* make();
}

/** Time limits of a request to a model, in milliseconds, and the most bytes of its answer. */
export type UpstreamLimits = {
  connectMs: number;
  /** From the beginning of the request; a large model may have to be loaded first. */
  firstByteMs: number;
  /** Between two pieces of an answer. */
  betweenMs: number;
  totalMs: number;
  maxBytes: number;
};

/**
 * A model on a server with an OpenAI-compatible interface. All of it is the operator's to say, and may be a private
 * address.
 */
export type Upstream = {
  /** The address that paths such as `/chat/completions` are below; without a slash at the end. */
  url: string;
  key?: string | undefined;
  model: string;
  limits: UpstreamLimits;
};

/** Limits that suit a model of some size on a machine of one's own. */
export const DEFAULT_LIMITS: UpstreamLimits = {
  connectMs: 5_000,
  firstByteMs: 60_000,
  betweenMs: 30_000,
  totalMs: 600_000,
  maxBytes: 32_000_000,
};
