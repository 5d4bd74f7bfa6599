import { optionalHeaderToken } from "@isnad/lib/service/http";

/** Wants one of `keys` as `x-api-key`; lets everybody pass when there are none. */
export const publicKeys = (keys: readonly string[]) => optionalHeaderToken("x-api-key", keys);
