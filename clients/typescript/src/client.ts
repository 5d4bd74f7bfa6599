import { methodsOf, OPERATIONS } from "./generated/operations.ts";
import type { Answer, Args, Bytes, CallOptions, OperationId } from "./types.ts";

/** The platform refused a request, or could not answer it: a problem document (RFC 9457) as an error. */
export class IsnadError extends Error {
  override readonly name = "IsnadError";
  /** HTTP status; 0 where no answer came. */
  readonly status: number;
  /** Names what went wrong, of a closed list: `validation-error`, …; `no-answer` where none came. */
  readonly slug: string;
  /** Messages by field, with 422. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Seconds after which the same request may succeed. */
  readonly retryAfter: number | undefined;
  /** Under which the platform's logs have the request. */
  readonly requestId: string | undefined;

  constructor(
    message: string,
    about: {
      status: number;
      slug: string;
      errors?: Record<string, string[]>;
      retryAfter?: number | undefined;
      requestId?: string | undefined;
      cause?: unknown;
    },
  ) {
    super(message, about.cause === undefined ? undefined : { cause: about.cause });
    this.status = about.status;
    this.slug = about.slug;
    this.errors = about.errors ?? {};
    this.retryAfter = about.retryAfter;
    this.requestId = about.requestId;
  }
}

/** Returns the error that an answer other than a success stands for. */
async function errorOf(response: Response): Promise<IsnadError> {
  const text = await response.text().catch(() => "");
  const problem = problemOf(text);
  const fields = Object.entries(problem.errors).map(([field, messages]) => `${field} ${messages.join(", ")}`);
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  return new IsnadError([`${response.status}: ${problem.detail}`, ...fields].join("; "), {
    status: response.status,
    slug: problem.slug,
    errors: problem.errors,
    retryAfter: Number.isFinite(seconds) ? seconds : undefined,
    requestId: response.headers.get("x-request-id") ?? undefined,
  });
}

type Problem = { slug: string; detail: string; errors: Record<string, string[]> };

/** Reads a problem document; of anything else, its first line. */
function problemOf(text: string): Problem {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch {
    parsed = undefined;
  }
  const { type, title, detail, errors }: Record<string, unknown> = isRecord(parsed) ? parsed : {};
  const slug = typeof type === "string" ? type.replace("/errors/", "") : "unknown";
  const fields = Object.entries(isRecord(errors) ? errors : {}).map(([field, messages]) => [
    field,
    Array.isArray(messages) ? messages.map(String) : [],
  ]);
  const said = [detail, title].find((each) => typeof each === "string");
  return { slug, detail: String(said ?? text.split("\n", 1)[0]?.slice(0, 200)), errors: Object.fromEntries(fields) };
}

/** Tells whether a value is an object with fields. */
function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Longest line of a stream that is kept, in characters. */
const MAX_LINE = 4_000_000;

/** Yields the lines of a body as its bytes come. */
async function* linesOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let rest = "";
  try {
    for (;;) {
      const { done, value } = await reader.read();
      rest += done ? decoder.decode() : decoder.decode(value, { stream: true });
      const lines = rest.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) yield line.endsWith("\r") ? line.slice(0, -1) : line;
      if (rest.length > MAX_LINE) throw new RangeError(`a line of the stream is longer than ${MAX_LINE} characters`);
      if (!done) continue;
      if (rest !== "") yield rest;
      return;
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}

/** An event of a stream; `data` is its JSON. */
export type StreamEvent = { event: string; data: unknown };

/** Yields the events of a stream, without the mark that ends some. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<StreamEvent> {
  let event = "message";
  let data: string[] = [];
  for await (const line of linesOf(body)) {
    if (line === "") {
      const text = data.join("\n");
      if (text !== "" && text !== "[DONE]") yield { event, data: JSON.parse(text) };
      event = "message";
      data = [];
    } else if (line.startsWith("event:")) event = line.slice(6).trimStart();
    else if (line.startsWith("data:")) data.push(line.slice(5).replace(/^ /, ""));
  }
}

/** Settings of a client. */
export type IsnadOptions = {
  /** Address of the api; http://127.0.0.1:8080 unless told. */
  baseUrl?: string;
  /** A key, or a token of the environment; none where everything needed is open. */
  key?: string;
  /** Number of times that a request is tried again which was refused for now or does nothing twice; 3 unless told. */
  retries?: number;
  /** Time until an answer begins, in milliseconds; 60,000 unless told. */
  timeoutMs?: number;
  fetch?: typeof fetch;
};

/** The platform: a method for each operation of its OpenAPI documents. All of them throw {@link IsnadError}. */
export type Isnad = ReturnType<typeof methodsOf>;

type Method<Id extends OperationId, Result> = (...args: Args<Id>) => Result;

/** Makers of methods, by what becomes of an answer. */
export type Makers = {
  call<Id extends OperationId>(id: Id): Method<Id, Promise<Answer<Id>>>;
  pages<Id extends OperationId>(id: Id): Method<Id, AsyncGenerator<Answer<Id>>>;
  rows<Id extends OperationId>(id: Id): Method<Id, AsyncGenerator<Record<string, unknown>>>;
  stream<Id extends OperationId>(id: Id): Method<Id, AsyncGenerator<StreamEvent>>;
};

type Operation = {
  method: string;
  path: string;
  inPath: readonly string[];
  inQuery: readonly string[];
  body?: "json" | "bytes";
};

type Input = Record<string, unknown>;

/** Statuses of what was refused for now, and may succeed later. */
const REFUSED_FOR_NOW = new Set([429, 503]);

/** Longest pause before a request is tried again, in seconds. */
const MAX_PAUSE_S = 30;

/** Makes a client. */
export function createIsnad(options: IsnadOptions = {}): Isnad {
  const send = sender(options);
  return methodsOf({
    call:
      (id) =>
      async (...[input, call]) =>
        await read(await send(OPERATIONS[id], fieldsOf(input), call)),
    pages:
      (id) =>
      (...[input, call]) =>
        pages(send, OPERATIONS[id], fieldsOf(input), call),
    rows:
      (id) =>
      (...[input, call]) =>
        rows(send, OPERATIONS[id], fieldsOf(input), call),
    stream:
      (id) =>
      (...[input, call]) =>
        events(send, OPERATIONS[id], fieldsOf(input), call),
  });
}

const fieldsOf = (input: unknown): Input => (isRecord(input) ? input : {});

type Send = (operation: Operation, input: Input, call?: CallOptions, accept?: string) => Promise<Response>;

function sender({
  baseUrl = "http://127.0.0.1:8080",
  key,
  retries = 3,
  timeoutMs = 60_000,
  fetch: by = fetch,
}: IsnadOptions): Send {
  const base = baseUrl.replace(/\/+$/, "");
  return async (operation, input, call = {}, accept = "application/json") => {
    const { method } = operation;
    const headers = new Headers(call.headers);
    headers.set("accept", accept);
    if (key !== undefined) headers.set("authorization", `Bearer ${key}`);
    const idempotencyKey =
      call.idempotencyKey ?? (operation.path === "/v1/ingest/articles" ? crypto.randomUUID() : undefined);
    if (idempotencyKey !== undefined) headers.set("idempotency-key", idempotencyKey);
    const body = bodyOf(operation, input);
    if (operation.body === "json") headers.set("content-type", "application/json");
    const isRepeatable = method !== "POST" && method !== "PATCH" ? true : idempotencyKey !== undefined;
    const url = `${base}${pathOf(operation, input)}`;
    for (let attempt = 0; ; attempt++) {
      const failure = await attemptOnce(timeoutMs, call.signal, (signal) =>
        by(url, { method, headers, body: body ?? null, signal }),
      );
      if (failure instanceof Response) return failure;
      call.signal?.throwIfAborted();
      const mayRepeat =
        failure.status === 429 || (isRepeatable && (failure.status === 0 || REFUSED_FOR_NOW.has(failure.status)));
      if (!mayRepeat || attempt >= retries) throw failure;
      await pause(failure.retryAfter ?? 2 ** attempt * (0.5 + Math.random()), call.signal);
    }
  };
}

/** Sends a request; what is no success comes back as the error that it is. */
async function attemptOnce(
  timeoutMs: number,
  signal: AbortSignal | undefined,
  send: (signal: AbortSignal) => Promise<Response>,
): Promise<Response | IsnadError> {
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(new Error(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    const response = await send(signal === undefined ? late.signal : AbortSignal.any([signal, late.signal]));
    return response.ok ? response : await errorOf(response);
  } catch (cause) {
    return new IsnadError("no answer came", { status: 0, slug: "no-answer", cause });
  } finally {
    clearTimeout(timer);
  }
}

async function pause(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, Math.min(seconds, MAX_PAUSE_S) * 1000);
    signal?.addEventListener("abort", abort);
  });
}

function pathOf({ path, inPath, inQuery }: Operation, input: Input): string {
  let filled = path;
  for (const name of inPath) filled = filled.replace(`{${name}}`, encodeURIComponent(String(input[name])));
  const query = new URLSearchParams();
  for (const name of inQuery) {
    const value = input[name];
    if (value !== undefined && value !== null) query.set(name, Array.isArray(value) ? value.join(",") : String(value));
  }
  return query.size === 0 ? filled : `${filled}?${query}`;
}

function bodyOf({ body, inPath, inQuery }: Operation, input: Input): Bytes | string | undefined {
  if (body === undefined) return undefined;
  if (body === "bytes") return isBody(input.body) ? input.body : undefined;
  const elsewhere = new Set([...inPath, ...inQuery]);
  return JSON.stringify(Object.fromEntries(Object.entries(input).filter(([name]) => !elsewhere.has(name))));
}

function isBody(value: unknown): value is Bytes {
  return [Blob, FormData, ArrayBuffer, Uint8Array].some((kind) => value instanceof kind);
}

/** Reads what the documents say that an answer is. */
async function read<T>(response: Response): Promise<T> {
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  const text = await response.text();
  return JSON.parse(isJson ? text : text === "" ? "null" : JSON.stringify(text));
}

async function* pages<T>(send: Send, operation: Operation, input: Input, call?: CallOptions): AsyncGenerator<T> {
  for (let cursor: unknown = input.cursor; ; ) {
    const page = await read<T>(await send(operation, { ...input, cursor }, call));
    yield page;
    cursor = cursorOf(page);
    if (cursor === undefined) return;
  }
}

function cursorOf(page: unknown): string | undefined {
  if (!isRecord(page)) return undefined;
  const cursor = page.next_cursor ?? (isRecord(page.meta) ? page.meta.next_cursor : undefined);
  return typeof cursor === "string" ? cursor : undefined;
}

async function* rows(
  send: Send,
  operation: Operation,
  input: Input,
  call?: CallOptions,
): AsyncGenerator<Record<string, unknown>> {
  const { body } = await send(operation, { ...input, format: "jsonl" }, call, "application/x-ndjson");
  if (body === null) return;
  for await (const line of linesOf(body)) if (line !== "") yield JSON.parse(line);
}

async function* events(
  send: Send,
  operation: Operation,
  input: Input,
  call?: CallOptions,
): AsyncGenerator<StreamEvent> {
  const { body } = await send(operation, { ...input, stream: true }, call, "text/event-stream");
  if (body === null) return;
  for await (const each of eventsOf(body)) {
    if (each.event === "error") {
      const { detail, slug, errors } = problemOf(JSON.stringify(each.data));
      throw new IsnadError(detail, { status: 503, slug, errors });
    }
    yield each;
  }
}
