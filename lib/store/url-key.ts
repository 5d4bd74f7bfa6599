import { createHash } from "node:crypto";

/** The SHA-256 of a URL: a key of one length for what may be too long for an index. */
export function urlKey(url: string): Buffer {
  return createHash("sha256").update(url).digest();
}
