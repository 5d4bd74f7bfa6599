import { createHmac } from "node:crypto";

/** The value of `X-Signature`: `sha256=` and the HMAC-SHA-256 of the body's bytes under the secret, in hex. */
export function signature(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body, "utf8").digest("hex")}`;
}
