import { createHash } from "node:crypto";
import { AppError, bearerToken, type HttpContext } from "@isnad/lib/service/http";
import type { IdempotencyKey } from "@isnad/lib/store";

/** A key with its scope and what it was sent with. Hashes in hex. */
export type RequestKey = Pick<IdempotencyKey, "tokenHash" | "key" | "bodyHash">;

/** Longest key that is taken. */
const KEY_LENGTH = 1_000;

/**
 * The request's `Idempotency-Key` with its scope, the token; undefined without the header. Throws an {@link AppError}
 * (422) for a key that is too long.
 */
export function idempotencyKeyOf(c: HttpContext, body: string): RequestKey | undefined {
  const key = c.req.header("idempotency-key")?.trim() ?? "";
  if (key === "") return undefined;
  if (key.length > KEY_LENGTH) {
    throw new AppError("validation-error", "A header is not valid.", {
      errors: { "Idempotency-Key": [`must have at most ${KEY_LENGTH} characters`] },
    });
  }
  const token = bearerToken(c.req.header("authorization")) ?? c.req.header("x-api-key") ?? "";
  return { tokenHash: sha256(token), key, bodyHash: sha256(body) };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
