import { createHash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { type DecodedText, decodeText } from "./charset.ts";

/** The answer to an outbound request. */
export interface EgressResponse {
  readonly status: number;
  /** True for a status from 200 to 299. */
  readonly ok: boolean;
  /** True for 304: what was fetched before still holds. */
  readonly notModified: boolean;
  /** Address of the answer, after redirects. */
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
  /** From `Retry-After`, in milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** Returns the body as text, by its byte order mark, header, own declaration or looks. */
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

/** Validators of an address's last answer, for the next conditional request. */
interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256 of the body in hex: it tells sites apart that have changed from those that only do not know better. */
  readonly contentHash: string | null;
}

/**
 * Returns what an answer says of itself, and whether its body is another one than `seen` names. For answers with a body
 * only.
 */
export function readValidators(
  { etag, lastModified, bytes }: Pick<EgressResponse, "etag" | "lastModified" | "bytes">,
  seen?: Pick<Validators, "contentHash">,
): { validators: Validators; changed: boolean } {
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  const validators = { etag: etag ?? null, lastModified: lastModified ?? null, contentHash };
  return { validators, changed: contentHash !== seen?.contentHash };
}

const MAX_RETRY_AFTER_MS = 24 * 3600 * 1000;

/**
 * Returns how long a `Retry-After` asks to wait, in milliseconds from `now`, at most a day; undefined when it says
 * nothing readable.
 */
export function retryAfterMs(value: string | undefined, now: number): number | undefined {
  const text = (value ?? "").trim();
  if (/^\d{1,9}$/.test(text)) return Math.min(MAX_RETRY_AFTER_MS, Number(text) * 1000);
  const date = /[a-z]{3}/i.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.min(MAX_RETRY_AFTER_MS, Math.max(0, date - now));
}
