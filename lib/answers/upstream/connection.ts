import { EgressError, type EgressResponse, type Fetcher } from "../../web/egress/mod.ts";
import { codeOfStatus, LlmError } from "../error.ts";
import { describeError } from "./describe-error.ts";
import type { Upstream } from "./upstream.ts";

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
  /** What did not come in time; undefined while nothing is late. */
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
