import { createHash } from "node:crypto";
import type { EgressResponse } from "./response.ts";

/** What an address said of itself when it was fetched last, for the next conditional request. */
export interface Validators {
  readonly etag: string | null;
  readonly lastModified: string | null;
  /** SHA-256 of the body in hex: it tells sites apart that have changed from those that only do not know better. */
  readonly contentHash: string | null;
}

/**
 * What an answer says of itself, and whether its body is another one than `seen` names. For answers with a body only.
 */
export function readValidators(
  { etag, lastModified, bytes }: Pick<EgressResponse, "etag" | "lastModified" | "bytes">,
  seen?: Pick<Validators, "contentHash">,
): { validators: Validators; changed: boolean } {
  const contentHash = createHash("sha256").update(bytes).digest("hex");
  const validators = { etag: etag ?? null, lastModified: lastModified ?? null, contentHash };
  return { validators, changed: contentHash !== seen?.contentHash };
}
