import type { z } from "@hono/zod-openapi";
import { createSlicer, isObject, parseJson, parseJsonObject } from "../../std/mod.ts";
import { inSpan, traceHeaders } from "../process/tracing.ts";
import { CLIENT_HEADER, INTERNAL_HEADER, PASSED_HEADER } from "./peer.ts";
import { AppError, isErrorSlug } from "./problem.ts";

/**
 * Sets how long a request may be without an answer before the service is asked whether it is there, in milliseconds.
 */
const SILENT_MS = 1_500;

/**
 * Sets how long the service has to say that it is there, in milliseconds. It is asked twice: on a machine that is very
 * busy a process may be without a processor for as long.
 */
const PROBE_MS = 2_000;

/** Sets how long a request waits for that answer while the breaker is open, in milliseconds. */
const HALF_OPEN_MS = 50;

/** Sets how often a service that is away is asked again, in milliseconds. */
const RETRY_MS = 300;

/** Describes what a breaker is made of; times in milliseconds. */
type BreakerOptions = {
  /** Rejects when the service is not there. */
  probe(signal: AbortSignal): Promise<void>;
  silentMs?: number;
  probeMs?: number;
};

/**
 * Keeps requests from waiting for a service that is not there (a circuit breaker, Nygard 2007). While it is open
 * requests fail at once, and the service is asked by a probe of its own; the first one that is answered closes it.
 */
type Breaker = {
  /**
   * Tells whether a request may be sent. While the breaker is open the service is asked, and waited for for an instant.
   */
  allows(): Promise<boolean>;
  /** Has the service asked whether it is there: a request of it failed. */
  suspect(): void;
  /** The service was found to be away. */
  trip(): void;
  /** The service has answered. */
  reset(): void;
  /**
   * Watches a request that waits: the signal aborts when the breaker opens. A request without an answer has the service
   * asked whether it is there; `over` is to be called when it has one.
   */
  watch(): { signal: AbortSignal; over(): void };
};

/** Makes a breaker, which is closed. */
function createBreaker({ probe, silentMs = SILENT_MS, probeMs = PROBE_MS }: BreakerOptions): Breaker {
  const waiting = new Set<AbortController>();
  let open = false;
  let recovering = false;
  let probing: Promise<boolean> | undefined;

  /** Asks the service; those who ask meanwhile share the answer. */
  const answers = (): Promise<boolean> => {
    const ask = async (repeats: number): Promise<void> => {
      const limit = AbortSignal.timeout(probeMs);
      await probe(limit).catch((error) => (limit.aborted && repeats > 0 ? ask(repeats - 1) : Promise.reject(error)));
    };
    probing ??= ask(1)
      .then(
        () => true,
        () => false,
      )
      .finally(() => {
        probing = undefined;
      });
    return probing;
  };

  const recover = async (): Promise<void> => {
    if (recovering) return;
    recovering = true;
    while (open) {
      await new Promise<void>((resolve) => setTimeout(resolve, RETRY_MS).unref());
      if (open && (await answers())) open = false;
    }
    recovering = false;
  };

  const trip = (): void => {
    open = true;
    for (const controller of waiting) controller.abort(new Error("the service does not answer"));
    void recover();
  };

  return {
    async allows() {
      if (!open) return true;
      const soon = new Promise<false>((resolve) => setTimeout(() => resolve(false), HALF_OPEN_MS).unref());
      if (await Promise.race([answers(), soon])) open = false;
      return !open;
    },
    suspect() {
      void answers().then((isThere) => isThere || trip());
    },
    trip,
    reset() {
      open = false;
    },
    watch() {
      const controller = new AbortController();
      waiting.add(controller);
      const ask = async (): Promise<void> => {
        const isThere = await answers();
        if (!waiting.has(controller)) return;
        if (isThere) timer = setTimeout(ask, silentMs).unref();
        else trip();
      };
      let timer = setTimeout(ask, silentMs).unref();
      return {
        signal: controller.signal,
        over() {
          clearTimeout(timer);
          waiting.delete(controller);
        },
      };
    },
  };
}

/** A request's own id and signal, and whose it is, which go along with what is asked for it. */
export type OnBehalf = {
  requestId: string;
  signal: AbortSignal;
  client?: string;
  /** Content codings that the client takes, as its `Accept-Encoding`: the body is then given as it was sent. */
  codings?: string | undefined;
};

/** A client of another service of the platform. All of it throws {@link AppError}. */
export type ServiceClient = {
  /** Gets a body as it is, with its headers. Throws as {@link ServiceClient.open}. */
  get(path: string, on: OnBehalf): Promise<{ body: ArrayBuffer; headers: Headers }>;
  /** Posts JSON, and gives what it is answered with as `schema` has it. Throws as {@link ServiceClient.open}. */
  post<T extends z.ZodType>(path: string, body: unknown, schema: T, on: OnBehalf): Promise<z.output<T>>;
  /**
   * Posts JSON, and gives the answer once its head is there. Throws 422 and 503 as the service answers them; 503 for
   * any other answer, and when there is none in time; the signal's reason when that aborts.
   */
  open(path: string, body: unknown, on: OnBehalf): Promise<Response>;
  /**
   * Passes a request on as it is, under the credentials it has, and gives the answer as it is once its head is there.
   * Throws 503 when there is none in time; the signal's reason when that aborts.
   */
  forward(path: string, request: Forwarded, on: OnBehalf): Promise<Response>;
  /** Rejects when the service is not there. */
  ping(signal: AbortSignal): Promise<void>;
};

/** A request to be passed on. */
type Forwarded = {
  method: string;
  headers: Headers;
  /** Bytes are sent again when a connection turns out to be dead; a stream is not. */
  body: Uint8Array<ArrayBuffer> | ReadableStream | undefined;
  /** Until the head of the answer is there, in milliseconds. */
  timeoutMs: number;
};

type ServiceClientOptions = {
  /** Says what the service is called in problems: "search service". */
  name: string;
  baseUrl: string;
  /** Until the whole answer is there, or its head for {@link ServiceClient.open}; in milliseconds. */
  timeoutMs: number;
  headers?: Record<string, string>;
  /** Shows the service that it is asked by one of the platform. */
  internalToken?: string | undefined;
  /** Times of the circuit breaker, where they are not its own; in milliseconds. */
  breakerTimes?: Omit<BreakerOptions, "probe">;
};

/** Keeps what a service sends as it is, to be passed on; only Bun knows it, and others read the body decoded. */
const UNDECODED = { decompress: false };

const JSON_TYPE = { "content-type": "application/json" };

/** Makes a client of the service at `baseUrl`. */
export function createServiceClient({
  name,
  baseUrl,
  timeoutMs,
  headers,
  internalToken,
  breakerTimes,
}: ServiceClientOptions): ServiceClient {
  const unavailable = (detail: string, cause: unknown) => new AppError("service-unavailable", detail, { cause });
  const probe = async (signal: AbortSignal): Promise<void> => {
    const response = await fetch(`${baseUrl}/livez`, { signal });
    await response.body?.cancel();
    if (!response.ok) throw new Error(`the ${name} answers ${response.status}`);
  };
  const shown = ({ client }: OnBehalf): Record<string, string> =>
    internalToken === undefined
      ? {}
      : { [INTERNAL_HEADER]: internalToken, ...(client !== undefined && { [CLIENT_HEADER]: encodeURI(client) }) };
  const breaker = createBreaker({ ...breakerTimes, probe });
  const due = createSlicer();

  /** Returns the answer to a request, whatever it is, once its head is there. */
  const send = async (path: string, init: RequestInit, on: OnBehalf, limit: AbortSignal): Promise<Response> => {
    if (!(await breaker.allows())) throw unavailable(`The ${name} does not answer.`, new Error(`the ${name} is away`));
    const watched = breaker.watch();
    const deadline = AbortSignal.any([limit, watched.signal]);
    const ask = () =>
      inSpan(name, { kind: "client", attributes: { "peer.service": name } }, async (span) => {
        const sent = new Headers(init.headers);
        // Between services of one platform compressing costs more than it saves, unless a client is to have it so.
        const coding = { "Accept-Encoding": on.codings ?? "identity" };
        const own = { ...coding, "X-Request-Id": on.requestId, ...shown(on), ...traceHeaders() };
        for (const [header, value] of Object.entries(own)) sent.set(header, value);
        const asIs = on.codings === undefined ? {} : UNDECODED;
        const response = await fetch(`${baseUrl}${path}`, { ...init, headers: sent, signal: deadline, ...asIs });
        span.set({ "http.response.status_code": response.status });
        return response;
      });
    try {
      // A kept connection may have died with the service's last restart: a second try makes a new one.
      const isRepeatable = !(init.body instanceof ReadableStream);
      return await ask().catch((error) => (deadline.aborted || !isRepeatable ? Promise.reject(error) : ask()));
    } catch (cause) {
      on.signal.throwIfAborted();
      // That a limit has passed says that it is slow; that no connection was made, or lasted, that it may be away.
      if (!deadline.aborted) breaker.suspect();
      throw unavailable(`The ${name} does not answer.`, cause);
    } finally {
      watched.over();
    }
  };

  /** Returns the answer to a request of the platform's own, once its head is there and says that all is well. */
  const request = async (path: string, body: unknown, on: OnBehalf, limit: AbortSignal): Promise<Response> => {
    const json = body !== undefined && { method: "POST", body: JSON.stringify(body) };
    const init = { ...json, headers: { ...headers, ...(body !== undefined && JSON_TYPE) } };
    const response = await send(path, init, on, limit);
    if (response.ok) return response;
    if (on.codings !== undefined && response.headers.has("Content-Encoding")) {
      // A long complaint, which is to be read here.
      await response.body?.cancel();
      return await request(path, body, { ...on, codings: undefined }, limit);
    }
    throw refusal(name, response, await response.text().catch(() => ""));
  };

  /** Runs until the head of an answer is there, within so many milliseconds. */
  const headInTime = async (
    ms: number,
    on: OnBehalf,
    ask: (limit: AbortSignal) => Promise<Response>,
  ): Promise<Response> => {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new Error(`no answer within ${ms} ms`)), ms);
    return await ask(AbortSignal.any([on.signal, late.signal])).finally(() => clearTimeout(timer));
  };

  /** Returns an answer, read to its end. */
  const whole = async <T>(
    path: string,
    body: unknown,
    on: OnBehalf,
    read: (response: Response) => Promise<T>,
  ): Promise<T> => {
    const response = await request(path, body, on, AbortSignal.any([on.signal, AbortSignal.timeout(timeoutMs)]));
    return await read(response).catch((cause: unknown) => {
      on.signal.throwIfAborted();
      throw unavailable(`The ${name} does not answer.`, cause);
    });
  };

  return {
    get: (path, on) =>
      whole(path, undefined, on, async (response) => {
        return { body: await response.arrayBuffer(), headers: response.headers };
      }),
    async post(path, body, schema, on) {
      const text = await whole(path, body, on, (response) => response.text());
      // Many answers that arrive at once are read in several turns of the event loop.
      await due();
      const parsed = schema.safeParse(parseJson(text));
      if (parsed.success) return parsed.data;
      const cause = new Error(`${path} answered something else than was agreed`, { cause: parsed.error });
      throw unavailable(`The ${name} failed.`, cause);
    },
    open: (path, body, on) => headInTime(timeoutMs, on, (limit) => request(path, body, on, limit)),
    forward: (path, { method, headers: given, body, timeoutMs: ms }, on) => {
      const passed = new Headers(given);
      passed.set(PASSED_HEADER, "1");
      const init = { method, headers: passed, redirect: "manual" as const, ...(body !== undefined && { body }) };
      return headInTime(ms, on, (limit) => send(path, init, on, limit));
    },
    async ping(signal) {
      try {
        await probe(signal);
        breaker.reset();
      } catch (error) {
        breaker.trip();
        throw error;
      }
    },
  };
}

/**
 * Returns the problem that a bad answer becomes: a complaint about the request, or that something is away, as the
 * service puts it; else 503.
 */
function refusal(name: string, { status, headers }: Response, body: string): AppError {
  const problem = parseJsonObject(body);
  const retryAfter = headers.get("retry-after");
  const retry = status !== 422 && retryAfter !== null && { headers: { "Retry-After": retryAfter } };
  const slug = typeof problem?.type === "string" ? problem.type.replace("/errors/", "") : "";
  const detail = typeof problem?.detail === "string" ? problem.detail : "";
  if ((status === 422 || status === 429 || status === 503) && isErrorSlug(slug)) {
    const errors = fieldErrors(problem?.errors);
    return new AppError(slug, detail, { status, ...(errors && { errors }), ...retry });
  }
  const cause = new Error(`the ${name} answered ${status} ${detail || body.slice(0, 200)}`);
  return new AppError("service-unavailable", `The ${name} failed.`, { cause, ...retry });
}

function fieldErrors(errors: unknown): Record<string, string[]> | undefined {
  if (!isObject(errors)) return undefined;
  return Object.fromEntries(
    Object.entries(errors).map(([field, messages]) => [field, Array.isArray(messages) ? messages.map(String) : []]),
  );
}
