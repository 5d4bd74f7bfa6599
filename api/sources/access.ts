import { bearer, bearerToken, optionalHeaderToken, type HttpContext, tokenMatcher } from "@isnad/lib/service/http";
import type { Config } from "@isnad/lib/service/config";

/** Who may look at sources, and who may change them (the desk); the one place that asks. */
export function sourceAccess({ tokens }: Pick<Config, "tokens">) {
  const isDesk = tokenMatcher(tokens.ingest);
  return {
    read: optionalHeaderToken("x-api-key", tokens.apiPublic),
    desk: bearer(tokens.ingest),
    /** Tells whether a request that reads may see what only the desk sees. */
    isDesk: (c: HttpContext): boolean => isDesk(bearerToken(c.req.header("authorization")) ?? ""),
  };
}
