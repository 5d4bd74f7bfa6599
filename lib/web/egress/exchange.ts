import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from "node:zlib";
import { errorMessage } from "../../std/mod.ts";
import { type CheckedAddress, EgressError, type EgressErrorCode } from "./address.ts";

/** One request to one address, redirects not followed. */
interface ExchangeInput {
  readonly url: URL;
  readonly to: CheckedAddress;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
  /** Bytes of the body, both as sent and inflated; with 0 it is not read. */
  readonly maxBytes: number;
  readonly overflow: "refuse" | "cut" | undefined;
  /** Takes the body of an answer of status 2xx in place of keeping it. */
  readonly onBody: BodyTaker | undefined;
  /** For making the connection to one address, in milliseconds. */
  readonly connectMs: number | undefined;
  readonly signal: AbortSignal;
  /** Certificates to trust besides the system's, PEM. */
  readonly ca: string | undefined;
}

/** Takes the body of an answer piece by piece, as it comes; the sender waits for it. */
export type BodyTaker = (head: Pick<Exchange, "status" | "headers">, pieces: Bytes) => Promise<void>;

/** An answer as it came. */
interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

const MAX_ERROR_BYTES = 64 * 1024;
/** Answers of status 1xx that may come before the real one. */
const MAX_HINTS = 10;
/** Milliseconds in which an address is connected to while there is another one. */
const CONNECT_MS = 3000;

/**
 * Sends one request to a checked address and reads the whole answer. The connection goes to the address itself, or to
 * the next one where none can be made; the name goes into `Host` and, for TLS, into the server name that the
 * certificate is checked against. Throws EgressError.
 */
export async function exchange(input: ExchangeInput): Promise<Exchange> {
  const { ips } = input.to;
  for (const [i, ip] of ips.entries()) {
    const last = i === ips.length - 1;
    try {
      return await attempt(input, ip, last ? input.connectMs : Math.min(CONNECT_MS, input.connectMs ?? CONNECT_MS));
    } catch (error) {
      if (last || !(error instanceof EgressError) || error.code !== "connect-failed") throw error;
    }
  }
  throw new EgressError("dns-failed", input.url.href, "the host has no address");
}

function attempt(input: ExchangeInput, ip: string, connectMs: number | undefined): Promise<Exchange> {
  const { url, signal } = input;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown, during: EgressErrorCode) => {
      request.destroy();
      reject(
        signal.aborted ? new EgressError("aborted", url.href, "the request was given up") : explain(error, during, url),
      );
    };
    const request: ClientRequest = open(input, ip);
    if (connectMs !== undefined) limitConnecting(request, connectMs);
    const giveUp = () => fail(new Error("aborted"), "aborted");
    signal.addEventListener("abort", giveUp, { once: true });
    request.on("error", (error) => fail(error, "connect-failed"));
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new Error("it changed to another protocol"), "bad-response");
    });
    let hints = 0;
    request.on("information", () => {
      if (++hints > MAX_HINTS) fail(new Error("the answer never comes"), "bad-response");
    });
    request.on("response", (message) => {
      receive(message, input)
        .then(resolve, (error: unknown) => fail(error, "connection-lost"))
        .finally(() => {
          signal.removeEventListener("abort", giveUp);
          request.destroy();
        });
    });
    if (signal.aborted) giveUp();
    request.end(input.body);
  });
}

function limitConnecting(request: ClientRequest, ms: number): void {
  const late = () => request.destroy(new Error(`no connection within ${ms} ms`));
  const timer = setTimeout(late, ms);
  const stop = () => clearTimeout(timer);
  request.once("socket", (socket) => socket.once("connect", stop));
  request.once("response", stop);
  request.once("close", stop);
}

function open({ url, to, method, headers, ca }: ExchangeInput, ip: string): ClientRequest {
  const common = {
    host: ip,
    port: to.port,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
    agent: false as const,
    maxHeaderSize: 64 * 1024,
  };
  if (url.protocol === "http:") return httpRequest(common);
  return httpsRequest({
    ...common,
    servername: to.serverName,
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  });
}

async function receive(message: IncomingMessage, input: ExchangeInput): Promise<Exchange> {
  const { url, method, maxBytes, overflow, onBody } = input;
  const status = message.statusCode ?? 0;
  const { headers } = message;
  try {
    // Nobody reads the body of a redirect.
    if (maxBytes === 0 || method === "HEAD" || status === 204 || (status >= 300 && status < 400)) {
      return { status, headers, bytes: new Uint8Array() };
    }
    if (status >= 200 && status < 300 && onBody !== undefined) {
      await onBody({ status, headers }, bodyPieces(message, { maxBytes, address: url.href }));
      return { status, headers, bytes: new Uint8Array() };
    }
    if (status < 400)
      return { status, headers, bytes: await readBody(message, { maxBytes, overflow, address: url.href }) };
    return { status, headers, bytes: await readError(message, Math.min(maxBytes, MAX_ERROR_BYTES), url.href) };
  } finally {
    message.destroy();
  }
}

/** Reads the body of an error: its beginning will do, and none where it does not inflate. */
async function readError(message: IncomingMessage, maxBytes: number, address: string): Promise<Uint8Array> {
  try {
    return await readBody(message, { maxBytes, overflow: "cut", address });
  } catch (error) {
    if (error instanceof EgressError && error.code === "bad-encoding") return new Uint8Array();
    throw error;
  }
}

function explain(error: unknown, during: EgressErrorCode, url: URL): EgressError {
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = errorMessage(error);
  if (/^HPE_/.test(code)) return new EgressError("bad-response", url.href, "the answer is not HTTP", { cause: error });
  if (/CERT|TLS|SSL|SELF_SIGNED|EPROTO/.test(code))
    return new EgressError("tls-failed", url.href, detail, { cause: error });
  if (code === "ECONNRESET")
    return new EgressError("connection-lost", url.href, "the connection was cut", { cause: error });
  return new EgressError(during, url.href, detail, { cause: error });
}

/** Bytes as they come. */
type Bytes = AsyncIterable<Uint8Array>;

const MAX_ENCODINGS = 2;

/**
 * Inflates a body by its `Content-Encoding`, no faster than it is read: a small body that inflates to gigabytes is
 * never held. Throws EgressError `bad-encoding` for an unknown encoding, or more than two of them; reading throws what
 * zlib throws.
 */
function inflate(body: Bytes, encoding: string, address: string): Bytes {
  const names = encoding
    .toLowerCase()
    .split(",")
    .map((name) => name.trim())
    .filter((name) => name !== "" && name !== "identity");
  if (names.length > MAX_ENCODINGS)
    throw new EgressError("bad-encoding", address, "the body is encoded many times over");
  return names.reverse().reduce((bytes: Bytes, name) => {
    if (name === "gzip" || name === "x-gzip") return through(bytes, createGunzip());
    if (name === "br") return through(bytes, createBrotliDecompress());
    if (name === "deflate") return eitherDeflate(bytes);
    throw new EgressError("bad-encoding", address, `the content encoding ${name.slice(0, 40)} is unknown`);
  }, body);
}

function through(bytes: Bytes, inflater: ReturnType<typeof createGunzip>): Bytes {
  // An error at any stage ends the last one with it, and whoever stops reading stops all of them.
  return pipeline(Readable.from(bytes, { objectMode: false }), inflater, () => undefined);
}

/** `deflate` is zlib's format by the standard and the bare one by habit: the first two bytes tell. */
async function* eitherDeflate(bytes: Bytes): Bytes {
  const source = bytes[Symbol.asyncIterator]();
  let head = new Uint8Array();
  while (head.byteLength < 2) {
    const next = await source.next();
    if (next.done === true) break;
    head = Buffer.concat([head, next.value]);
  }
  const [first = 0, second = 0] = head;
  const isZlib = (first & 0x0f) === 8 && (first * 256 + second) % 31 === 0;
  yield* through(rejoin(head, source), isZlib ? createInflate() : createInflateRaw());
}

async function* rejoin(head: Uint8Array, rest: AsyncIterator<Uint8Array>): Bytes {
  yield head;
  for (;;) {
    const next = await rest.next();
    if (next.done === true) return;
    yield next.value;
  }
}

/** Limits of a body. */
interface BodyLimits {
  /** Of the bytes as sent, and again of the bytes after inflating. */
  readonly maxBytes: number;
  /** `cut` gives the beginning of a larger one. Default `refuse`. */
  readonly overflow?: "refuse" | "cut" | undefined;
  readonly address: string;
}

/**
 * Reads the body of an answer and inflates it. Throws EgressError `too-large` as soon as a limit is passed;
 * `bad-encoding` for one that does not inflate; `connection-lost` for one that ends before its length.
 */
async function readBody(message: IncomingMessage, limits: BodyLimits): Promise<Uint8Array> {
  const { maxBytes, overflow = "refuse" } = limits;
  if (overflow === "refuse" && Number(message.headers["content-length"]) > maxBytes) throw tooLarge(limits);
  const chunks: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of bodyPieces(message, limits)) {
      chunks.push(chunk);
      length += chunk.byteLength;
    }
  } catch (error) {
    if (overflow === "refuse" || !(error instanceof EgressError) || error.code !== "too-large") throw error;
    return Buffer.concat(chunks, Math.min(length, maxBytes));
  }
  return Buffer.concat(chunks);
}

/**
 * Returns the body of an answer, inflated, piece by piece as it comes; the sender waits while a piece is not taken.
 * Throws as {@link readBody} does; what passes the limit is given before that.
 */
async function* bodyPieces(message: IncomingMessage, limits: BodyLimits): Bytes {
  const { maxBytes, address } = limits;
  const encoding = String(message.headers["content-encoding"] ?? "");
  let length = 0;
  try {
    for await (const piece of inflate(counted(message, limits), encoding, address)) {
      yield piece;
      length += piece.byteLength;
      if (length > maxBytes) throw tooLarge(limits);
    }
  } catch (error) {
    throw brokenBody(error, address);
  }
  if (!message.complete) throw new EgressError("connection-lost", address, "the body ended early");
}

function tooLarge({ maxBytes, address }: BodyLimits): EgressError {
  return new EgressError("too-large", address, `the body is larger than ${maxBytes} bytes`);
}

/** Returns the bytes as sent, up to the limit. */
async function* counted(message: IncomingMessage, limits: BodyLimits): Bytes {
  const { maxBytes } = limits;
  let sent = 0;
  for await (const chunk of message as Bytes) {
    sent += chunk.byteLength;
    yield sent > maxBytes ? chunk.subarray(0, Math.max(0, chunk.byteLength - (sent - maxBytes))) : chunk;
    if (sent > maxBytes) throw tooLarge(limits);
  }
}

function brokenBody(error: unknown, address: string): EgressError {
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (/^Z_|^ERR_(?:_)?(?:BROTLI|ZLIB|PADDING)|BROTLI/.test(code)) {
    return new EgressError("bad-encoding", address, "the body does not inflate", { cause: error });
  }
  return new EgressError("connection-lost", address, "the body ended early", { cause: error });
}
