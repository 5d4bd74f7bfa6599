import { type ClientRequest, type IncomingHttpHeaders, type IncomingMessage, request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { CheckedAddress } from "../address/resolve.ts";
import { EgressError, type EgressErrorCode } from "../error.ts";
import { readBody } from "./body.ts";

/** One request to one address, redirects not followed. */
export interface ExchangeInput {
  readonly url: URL;
  readonly to: CheckedAddress;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array | string | undefined;
  /** Bytes of the body, both as sent and inflated. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
  /** Certificates to trust besides the system's, PEM. */
  readonly ca: string | undefined;
}

/** What came back. */
export interface Exchange {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Uint8Array;
}

const KEPT_BODIES = 64 * 1024;

/**
 * Sends one request to a checked address and reads the whole answer. The connection goes to the address itself; the name
 * goes into `Host` and, for TLS, into the server name that the certificate is checked against. Throws EgressError.
 */
export function exchange(input: ExchangeInput): Promise<Exchange> {
  const { url, signal } = input;
  return new Promise((resolve, reject) => {
    const fail = (error: unknown, during: EgressErrorCode) => {
      request.destroy();
      reject(
        signal.aborted ? new EgressError("aborted", url.href, "the request was given up") : explain(error, during, url),
      );
    };
    const request: ClientRequest = open(input);
    const giveUp = () => fail(new Error("aborted"), "aborted");
    signal.addEventListener("abort", giveUp, { once: true });
    request.on("error", (error) => fail(error, "connect-failed"));
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

function open({ url, to, method, headers, ca }: ExchangeInput): ClientRequest {
  const common = {
    host: to.ip,
    port: to.port,
    method,
    path: `${url.pathname}${url.search}`,
    headers: { ...headers, host: url.host },
    agent: false as const,
    maxHeaderSize: 64 * 1024,
  };
  if (url.protocol === "http:") return httpRequest(common);
  return httpsRequest({ ...common, servername: to.serverName, ...(ca !== undefined && { ca }) });
}

async function receive(message: IncomingMessage, { url, maxBytes }: ExchangeInput): Promise<Exchange> {
  const status = message.statusCode ?? 0;
  // The body of a redirect or an error is only looked at, never kept whole.
  const limit = status >= 300 ? Math.min(maxBytes, KEPT_BODIES) : maxBytes;
  try {
    const bytes =
      status === 304 || status === 204
        ? new Uint8Array()
        : await readBody(message, { maxBytes: limit, address: url.href });
    return { status, headers: message.headers, bytes };
  } catch (error) {
    if (status >= 300 && error instanceof EgressError && error.code === "too-large") {
      return { status, headers: message.headers, bytes: new Uint8Array() };
    }
    throw error;
  } finally {
    message.destroy();
  }
}

function explain(error: unknown, during: EgressErrorCode, url: URL): EgressError {
  if (error instanceof EgressError) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const detail = error instanceof Error ? error.message : String(error);
  if (/^HPE_/.test(code)) return new EgressError("bad-response", url.href, "the answer is not HTTP", { cause: error });
  if (/CERT|TLS|SSL|SELF_SIGNED|EPROTO/.test(code))
    return new EgressError("tls-failed", url.href, detail, { cause: error });
  if (code === "ECONNRESET")
    return new EgressError("connection-lost", url.href, "the connection was cut", { cause: error });
  return new EgressError(during, url.href, detail, { cause: error });
}
