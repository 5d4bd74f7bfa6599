import { Parser } from "htmlparser2";
import type { IncomingHttpHeaders } from "node:http";
import { decodeText } from "./charset.ts";

/** A page that goes elsewhere later than this is one to be read first. */
const MAX_DELAY_S = 5;
/** So much of a page is looked at; what a page is replaced by stands in its head. */
const HEAD_BYTES = 32_768;
const MAX_CHARS = 4_096;

/**
 * Returns the address that a page has itself replaced by within five seconds, by `<meta http-equiv="refresh">` in its
 * head or the header `Refresh`; null for none. What stands in a comment, a script or `<noscript>` is no such tag.
 */
export function refreshOf(
  { status, headers, bytes }: { status: number; headers: IncomingHttpHeaders; bytes: Uint8Array },
  base: URL,
): URL | null {
  const contentType = headers["content-type"];
  if (status < 200 || status > 299 || (contentType !== undefined && !/html/i.test(contentType))) return null;
  const named = headers.refresh;
  const value =
    typeof named === "string" ? named : metaRefresh(decodeText(bytes.subarray(0, HEAD_BYTES), { contentType }).text);
  const target = value === undefined ? undefined : targetOf(value.slice(0, MAX_CHARS));
  const url = target === undefined ? null : URL.parse(target, base.href);
  if (url === null || !/^https?:$/.test(url.protocol)) return null;
  url.hash = "";
  return url;
}

function metaRefresh(html: string): string | undefined {
  if (!/http-equiv/i.test(html)) return undefined;
  let value: string | undefined;
  let hidden = 0;
  const parser = new Parser({
    onopentag(name, { "http-equiv": directive = "", content }) {
      if (name === "body") parser.pause();
      if (name === "noscript" || name === "template") hidden++;
      if (name === "meta" && hidden === 0 && directive.trim().toLowerCase() === "refresh") value ??= content;
    },
    onclosetag(name) {
      if (name === "noscript" || name === "template") hidden--;
    },
  });
  parser.write(html);
  return value;
}

/** Reads the value of a refresh as the HTML standard does: seconds, then an address, with or without `url=`. */
function targetOf(value: string): string | undefined {
  const [, seconds = "", rest = ""] = /^\s*(\d{1,6})[\d.]*\s*[;,\s]\s*(.*)$/s.exec(value) ?? [];
  if (seconds === "" || Number(seconds) > MAX_DELAY_S) return undefined;
  const address = rest.replace(/^url\s*=\s*/i, "");
  const quote = address[0];
  const end = quote === '"' || quote === "'" ? address.indexOf(quote, 1) : -1;
  const bare = quote === '"' || quote === "'" ? address.slice(1, end < 0 ? undefined : end) : address;
  return bare.trim() || undefined;
}
