import type { IncomingHttpHeaders } from "node:http";
import { type DecodedText, decodeText } from "./charset/decode.ts";

/** The answer to an outbound request. */
export interface EgressResponse {
  readonly status: number;
  /** True for a status from 200 to 299. */
  readonly ok: boolean;
  /** True for 304: what was fetched before still holds. */
  readonly notModified: boolean;
  /** Where the answer came from, after redirects. */
  readonly url: string;
  /** Addresses that redirected, in order; empty without redirects. */
  readonly redirects: readonly string[];
  readonly headers: IncomingHttpHeaders;
  /** The body, inflated. */
  readonly bytes: Uint8Array;
  readonly contentType: string | undefined;
  /** For the next conditional request. */
  readonly etag: string | undefined;
  readonly lastModified: string | undefined;
  /** What `Retry-After` asks for, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** The body as text, by its byte order mark, header, own declaration or looks. */
  text(): DecodedText;
}

/** Puts an answer together. */
export function makeResponse(
  parts: Omit<EgressResponse, "ok" | "notModified" | "contentType" | "etag" | "lastModified" | "text">,
): EgressResponse {
  const { status, headers, bytes } = parts;
  const contentType = headers["content-type"];
  return {
    ...parts,
    ok: status >= 200 && status < 300,
    notModified: status === 304,
    contentType,
    etag: headers.etag,
    lastModified: headers["last-modified"],
    text: () => decodeText(bytes, { contentType }),
  };
}
