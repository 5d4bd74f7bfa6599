import { createMiddleware, type HttpEnv, headerToken } from "@isnad/lib/http";

/** Wants one of `keys` as `x-api-key`; lets everybody pass when there are none. */
export function publicKeys(keys: readonly string[]) {
  if (keys.length > 0) return headerToken("x-api-key", keys);
  return createMiddleware<HttpEnv>(async function noKeys(_c, next) {
    await next();
  });
}
