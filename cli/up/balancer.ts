import { type Connection, inNetworks, PROBLEM_JSON, requestIdOf, serveUnderBun } from "@isnad/lib/service/http";
import { pause } from "../../lib/service/process/runner.ts";
import { answers } from "./services.ts";

/** A process that requests are sent to. */
type Backend = { name: string; url: string };

/** One port before several processes. */
export type Balancer = {
  port: number;
  /** Sends nothing more to this one. Resolves when it has answered everything, or after `graceMs`. */
  drain(name: string, graceMs: number): Promise<void>;
  /** Sends requests to it again. */
  resume(name: string): void;
  stop(graceMs: number): Promise<void>;
};

type BalancerOptions = {
  host: string;
  port: number;
  backends: readonly Backend[];
  /** Networks of proxies whose `X-Forwarded-For` is passed on: the processes believe what comes from here. */
  trustedProxies?: readonly string[];
  /** After its answer, how long until a process is asked again whether it is ready, in milliseconds. */
  checkMs?: number;
  /** Says how long nothing may come of a request before its connection is cut, in seconds. */
  idleS?: number;
};

type State = Backend & { ready: boolean; draining: boolean; inFlight: number; idle?: (() => void) | undefined };

/** Bodies up to this are held, so that a request can be sent to another process when the first one is gone. */
const HELD_BYTES = 4_000_000;

/** Headers that are of one connection, not of the request. */
const HOP = ["connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "proxy-connection"];

/** Methods whose requests may be made twice. */
const REPEATABLE = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Listens on one port and sends each request to the process that is ready (`/readyz`) and has the fewest. A request
 * that no connection could be made for goes to the next one; one whose process ended under it only when it may be made
 * twice, else it is answered with 502.
 */
export function startBalancer(options: BalancerOptions): Balancer {
  const { host, port, backends, trustedProxies = [], checkMs = 250 } = options;
  const isTrusted = inNetworks(trustedProxies);
  const states: State[] = backends.map((backend) => ({ ...backend, ready: false, draining: false, inFlight: 0 }));
  let turn = 0;

  /**
   * Returns those to try, best first; those that are not ready last: where no other is left, such a one says what is
   * wrong.
   */
  function candidates(): State[] {
    turn += 1;
    const open = states.filter((state) => !state.draining);
    return rotated(open, turn).toSorted((a, b) => Number(b.ready) - Number(a.ready) || a.inFlight - b.inFlight);
  }

  /** Counts a request of this one; the function that it returns, called once or more, says that it is over. */
  function begin(state: State): () => void {
    state.inFlight += 1;
    let over = false;
    return () => {
      if (over) return;
      over = true;
      state.inFlight -= 1;
      if (state.inFlight === 0) state.idle?.();
    };
  }

  async function send(state: State, request: Request, body: Body, headers: Headers): Promise<Response> {
    const finish = begin(state);
    try {
      const { pathname, search } = new URL(request.url);
      const init = { method: request.method, headers, body, redirect: "manual", signal: request.signal } as const;
      // Bun's own: a new connection each time, as one that is kept may be closed by its process just when it is used.
      const passedOn = { ...init, decompress: false, keepalive: false, timeout: false };
      const response = await fetch(`${state.url}${pathname}${search}`, passedOn);
      return await passOn(response, finish);
    } catch (error) {
      finish();
      throw error;
    }
  }

  async function handle(request: Request, connection: Connection): Promise<Response> {
    const peer = connection.requestIP(request)?.address;
    const headers = onward(request.headers, peer, isTrusted(peer));
    // The answer may take its time; what is asked may not, or clients that send no more would be waited for for ever.
    const { body, held } = await bodyOf(request, () => connection.timeout(request, 0));
    for (const state of candidates()) {
      try {
        return await send(state, request, body, headers);
      } catch (error) {
        if (request.signal.aborted) return new Response(null, { status: 499 });
        state.ready = false;
        const unsent = error instanceof Error && "code" in error && error.code === "ECONNREFUSED";
        if (!held || !(unsent || REPEATABLE.has(request.method)))
          return problem(request, 502, "The process ended meanwhile.");
      }
    }
    return problem(request, 503, "No process of the service answers.");
  }

  const stopped = new AbortController();
  // One after the other: a late answer would overrule a later one's.
  const keepChecking = async (state: State): Promise<void> => {
    while (!stopped.signal.aborted) {
      state.ready = await answers(`${state.url}/readyz`);
      await pause(checkMs, stopped.signal);
    }
  };
  for (const state of states) void keepChecking(state);
  const server = serveUnderBun(handle, { host, port, idleS: options.idleS });
  const named = (name: string) => states.find((state) => state.name === name);
  return {
    port: server.port ?? port,
    async drain(name, graceMs) {
      const state = named(name);
      if (state === undefined) return;
      state.draining = true;
      if (state.inFlight === 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, graceMs);
        state.idle = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    },
    resume(name) {
      const state = named(name);
      if (state === undefined) return;
      Object.assign(state, { draining: false, ready: true, idle: undefined });
    },
    async stop(graceMs) {
      stopped.abort();
      const timer = setTimeout(() => void server.stop(true), graceMs);
      await server.stop();
      clearTimeout(timer);
    },
  };
}

type Body = ArrayBuffer | ReadableStream<Uint8Array> | null;

/** The body to send on, held in memory where it says that it is small; `done` is called once all of it has come. */
async function bodyOf(request: Request, done: () => void): Promise<{ body: Body; held: boolean }> {
  const length = Number(request.headers.get("content-length") ?? Number.NaN);
  if (request.body !== null && !(length <= HELD_BYTES)) return { body: counted(request.body, done), held: false };
  const body = request.body === null ? null : await request.arrayBuffer();
  done();
  return { body, held: true };
}

function onward(given: Headers, peer: string | undefined, isTrusted: boolean): Headers {
  const headers = new Headers(given);
  for (const name of HOP) headers.delete(name);
  const before = isTrusted ? given.get("x-forwarded-for") : null;
  const hops = [before, peer].filter((hop) => hop !== null && hop !== undefined);
  headers.set("x-forwarded-for", hops.join(", "));
  if (!headers.has("accept-encoding")) headers.set("accept-encoding", "identity");
  return headers;
}

/** Returns the answer as it came; `done` is called once its body has gone through. */
async function passOn(response: Response, done: () => void): Promise<Response> {
  const headers = new Headers(response.headers);
  for (const name of HOP) headers.delete(name);
  const init = { status: response.status, statusText: response.statusText, headers };
  if (response.body === null) {
    done();
    return new Response(null, init);
  }
  if (headers.has("content-length")) {
    const body = await response.arrayBuffer();
    done();
    return new Response(body, init);
  }
  return new Response(counted(response.body, done), init);
}

function counted(body: ReadableStream<Uint8Array>, done: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const piece = await reader.read();
        if (!piece.done) return controller.enqueue(piece.value);
        done();
        controller.close();
      } catch (error) {
        done();
        controller.error(error);
      }
    },
    async cancel(reason) {
      done();
      await reader.cancel(reason);
    },
  });
}

function problem({ url, headers }: Request, status: 502 | 503, detail: string): Response {
  const title = status === 502 ? "Bad Gateway" : "Service Unavailable";
  const type = status === 502 ? "/errors/bad-gateway" : "/errors/service-unavailable";
  return new Response(JSON.stringify({ type, title, status, detail, instance: new URL(url).pathname }), {
    status,
    headers: {
      "Content-Type": PROBLEM_JSON,
      "Retry-After": "1",
      "X-Request-Id": requestIdOf(headers.get("x-request-id")),
    },
  });
}

function rotated<T>(list: readonly T[], by: number): T[] {
  const start = list.length === 0 ? 0 : by % list.length;
  return [...list.slice(start), ...list.slice(0, start)];
}
