import type { Config, Taxonomy } from "@isnad/lib/service/config";
import type { Logger, Registry } from "@isnad/lib/service/process";
import type { Store } from "@isnad/lib/store";
import type { Crawler } from "./crawl/types.ts";
import type { ScraperMetrics } from "./metrics.ts";
import type { Profiles } from "./profiles/profiles.ts";

/** What the scraper service stands on. */
export type ScraperDeps = {
  config: Config;
  logger: Logger;
  metrics: Registry;
  measured: Pick<ScraperMetrics, "scraped">;
  store: Pick<Store, "ping" | "checkWrites"> & { scraper: { runs: Store["scraper"]["runs"] } };
  profiles: Profiles;
  taxonomy: Pick<Taxonomy, "categories">;
  crawler: Pick<Crawler, "scrape" | "replay" | "threads">;
  /** Rejects when the central API does not answer. */
  pingApi(signal: AbortSignal): Promise<void>;
  /** Called after a run was queued. */
  onQueued(): void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};
