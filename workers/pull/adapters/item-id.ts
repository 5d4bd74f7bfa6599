import { createHash } from "node:crypto";
import { LIMITS } from "@isnad/lib/contract";

/**
 * An identifier as the contract takes it: what is too long or holds control characters is replaced by its SHA-256 in
 * hex.
 */
export function itemId(id: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  const plain = !/[\u0000-\u001f\u007f]/.test(id) && id.isWellFormed();
  return plain && id.length <= LIMITS.externalId ? id : createHash("sha256").update(id).digest("hex");
}
