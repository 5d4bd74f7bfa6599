import { type ClientRequest, request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import { errorMessage } from "../../std/mod.ts";
import type { CheckedAddress } from "./address.ts";
import { bodyPieces, type Bytes, readBody } from "./body.ts";
import { EgressError, type EgressErrorCode } from "./error.ts";

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
