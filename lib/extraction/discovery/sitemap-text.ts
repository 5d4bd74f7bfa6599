import { gunzipSync } from "node:zlib";
import { decodeText } from "../../web/egress/mod.ts";
import { SitemapError } from "./sitemap.ts";

/**
 * The largest sitemap that is read, in bytes after inflating; the protocol allows 50 MB, news sitemaps have 1,000
 * entries.
 */
export const MAX_SITEMAP = 20_000_000;

/**
 * The text of a sitemap file, gzip recognised by its first bytes and not by its name. Throws SitemapError `too-large`,
 * or `not-a-sitemap` for gzip that is damaged.
 */
export function sitemapText(bytes: Uint8Array, contentType?: string): string {
  const inflated = bytes[0] === 0x1f && bytes[1] === 0x8b ? inflate(bytes) : bytes;
  if (inflated.byteLength > MAX_SITEMAP) throw new SitemapError("too-large", `larger than ${MAX_SITEMAP} bytes`);
  return decodeText(inflated, { contentType }).text;
}

function inflate(bytes: Uint8Array): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: MAX_SITEMAP });
  } catch (cause) {
    const isLarge = cause instanceof Error && "code" in cause && cause.code === "ERR_BUFFER_TOO_LARGE";
    throw isLarge
      ? new SitemapError("too-large", `larger than ${MAX_SITEMAP} bytes after inflating`, { cause })
      : new SitemapError("not-a-sitemap", "the gzip data are damaged", { cause });
  }
}
