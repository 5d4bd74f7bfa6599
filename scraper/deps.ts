import type { Config, Taxonomy } from "@isnad/lib/service/config";
import {
  type Access,
  clientAddress,
  createMiddleware,
  crossSite,
  guarding,
  hasCredential,
  type HttpEnv,
  inNetworks,
  isCrossSite,
} from "@isnad/lib/service/http";
import type { Logger, Registry } from "@isnad/lib/service/process";
import type { Run, Store } from "@isnad/lib/store";
import type { Crawler, CrawlProgress, RunOutcome } from "./crawl/types.ts";
import type { Profiles } from "./profiles/profiles.ts";
import type { Profile } from "./profiles/schema.ts";

/** Holds what the scraper service stands on. */
export type ScraperDeps = {
  config: Config;
  logger: Logger;
  metrics: Registry;
  measured: Pick<ScraperMetrics, "scraped">;
  store: Pick<Store, "ping" | "checkWrites" | "keys" | "rateLimits"> & {
    scraper: { runs: Store["scraper"]["runs"] };
    sourceStates: Pick<Store["sourceStates"], "off">;
  };
  profiles: Profiles;
  taxonomy: Pick<Taxonomy, "categories">;
  crawler: Pick<Crawler, "scrape" | "replay" | "draft" | "threads">;
  /** Rejects when the central API does not answer. */
  pingApi(signal: AbortSignal): Promise<void>;
  /** Called after a run was queued. */
  onQueued(): void;
  /** Returns the time, in milliseconds since 1970. */
  now?: () => number;
};

/** Holds what the scraper counts beside its requests. */
export type ScraperMetrics = {
  /** A run came to its end after so many seconds. */
  runEnded(run: Pick<Run, "profileId" | "provider">, outcome: Pick<RunOutcome, "status">, seconds: number): void;
  /** A run of a profile went on from one state to another. */
  progressed(profileId: string, before: CrawlProgress, now: CrawlProgress): void;
  /** A scrape on demand went through these profiles; those of `failed` gave an error. */
  scraped(profiles: readonly Profile[], failed: ReadonlySet<string>, items: number): void;
};

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
