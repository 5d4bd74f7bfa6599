import type { Config } from "@isnad/lib/service/config";
import {
  type Access,
  clientAddress,
  createMiddleware,
  guarding,
  crossSite,
  hasCredential,
  type HttpEnv,
  inNetworks,
  isCrossSite,
} from "@isnad/lib/service/http";

/** The middleware of the routes that change something. */
export type Guard = ReturnType<typeof serviceAuth>;

/**
 * Lets a request pass that comes from an allowed address or carries a scraper token or a key of scope `desk`; else
 * 401.
 */
export function serviceAuth(
  {
    scraper,
    trustedProxies,
    publicBaseUrl,
  }: Pick<Config, "trustedProxies" | "publicBaseUrl"> & { scraper: Pick<Config["scraper"], "allowedCidrs"> },
  access: Access,
) {
  const isAllowed = inNetworks(scraper.allowedCidrs);
  const isTrusted = inNetworks(trustedProxies);
  const byToken = access.require("desk");
  return guarding(
    "desk",
    createMiddleware<HttpEnv>(async function serviceAuth(c, next) {
      if (isAllowed(clientAddress(c, isTrusted))) {
        if (!isCrossSite(c, { publicBaseUrl })) return await next();
        // The browser of an allowed address may be led by anybody's page.
        if (!hasCredential(c)) throw crossSite();
      }
      return await byToken(c, next);
    }),
  );
}

/** Says how the guarded routes are described: by a token, or by nothing from an allowed address. */
export const GUARDED = [{ scraperToken: [] }, {}];

/** Rejects unless the central API at `baseUrl` answers that it lives. */
export async function pingApi(baseUrl: string, signal: AbortSignal): Promise<void> {
  const response = await fetch(`${baseUrl}/livez`, { signal });
  await response.body?.cancel();
  if (!response.ok) throw new Error(`the API answers ${response.status}`);
}
