import { EgressError } from "./error.ts";

const ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";
const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]+$/;
const VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** Headers that frame a request or belong to the connection: never the caller's to set. */
const OURS = /^(?:host|connection|content-length|transfer-encoding|te|trailer|upgrade|expect|keep-alive|proxy-.*)$/;
/** Headers of the caller that another host may see. */
const COMMON = /^(?:accept|accept-language|content-type|user-agent)$/i;

/**
 * Returns the headers of a request. Throws EgressError `bad-header` for a name or value that would break the request
 * open, or that frames it. A validator that is none is left out: it came from a server.
 */
export function headersFor(
  userAgent: string,
  { etag, lastModified }: { readonly etag?: string | undefined; readonly lastModified?: string | undefined },
  callerHeaders: Readonly<Record<string, string>>,
  address: string,
): Record<string, string> {
  const headers: Record<string, string> = {
    "user-agent": userAgent,
    accept: ACCEPT,
    "accept-language": "ar,en;q=0.9,*;q=0.5",
    "accept-encoding": "br, gzip, deflate",
    ...(etag !== undefined && VALUE.test(etag) && { "if-none-match": etag }),
    ...(lastModified !== undefined && VALUE.test(lastModified) && { "if-modified-since": lastModified }),
  };
  for (const [name, value] of Object.entries(callerHeaders)) headers[name.toLowerCase()] = value;
  for (const [name, value] of Object.entries(headers)) {
    if (NAME.test(name) && VALUE.test(value) && !OURS.test(name)) continue;
    throw new EgressError("bad-header", address, `the header ${JSON.stringify(name.slice(0, 80))} cannot be sent`);
  }
  return headers;
}

/**
 * Returns what of the caller's headers goes along with a redirect: all of it on the same host, unless TLS is lost; else
 * nothing of its own.
 */
export function headersAlong(
  callerHeaders: Readonly<Record<string, string>>,
  from: URL,
  to: URL,
): Record<string, string> {
  const upgraded = from.hostname === to.hostname && from.port === "" && to.port === "" && to.protocol === "https:";
  if (from.origin === to.origin || upgraded) return { ...callerHeaders };
  return Object.fromEntries(Object.entries(callerHeaders).filter(([name]) => COMMON.test(name)));
}
