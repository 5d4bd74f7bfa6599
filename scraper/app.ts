import { type Config, type Taxonomy, VERSION } from "@isnad/lib/service/config";
import {
  type AppError,
  createService,
  invalidFields,
  type Service,
  storedKeys,
  writesHealth,
} from "@isnad/lib/service/http";
import type { Logger, Registry } from "@isnad/lib/service/process";
import { assertThreadsRun } from "@isnad/lib/service/threads";
import { InvalidCursorError, type Store } from "@isnad/lib/store";
import { serviceAuth } from "./auth.ts";
import type { Crawler } from "./crawl/types.ts";
import { providerHealth, type ScraperMetrics } from "./metrics.ts";
import type { Profiles } from "./profiles/profiles.ts";
import { addProfiles } from "./routes/profiles.ts";
import { addReplay } from "./routes/replay.ts";
import { addRuns } from "./routes/runs.ts";
import { addScrape } from "./routes/scrape.ts";

/** Turns what lower layers throw into problems; undefined for what is a fault of the code. */
function classify(error: unknown): AppError | undefined {
  if (error instanceof InvalidCursorError) {
    return invalidFields({ cursor: ["must be the next_cursor of a page before"] });
  }
  return undefined;
}

const DESCRIPTION = `Crawls sources by profile and pushes normalized articles to the central API.

A profile is a JSON file (\`profiles/<name>.json\`). Its runs are queued by schedule or by \`POST /runs\`; \`POST /scrape\` answers at once.
Reading is open; what changes something needs \`Authorization: Bearer <SCRAPER_TOKEN>\` or a client address within \`SCRAPER_ALLOWED_CIDRS\`.`;

/** The scraper service. */
export function createApp(deps: ScraperDeps): Service {
  const { config, logger, metrics, store } = deps;
  const service = createService({
    name: "scraper",
    version: VERSION,
    description: DESCRIPTION,
    config,
    logger,
    metrics,
    requestMetrics: { total: "scraper_requests_total", duration: "scraper_request_duration_seconds" },
    classify,
    deps: {
      ...writesHealth({ store, dataDir: config.dataDir, logger, metrics }),
      api: { check: (signal) => deps.pingApi(signal), critical: false },
      threads: { check: async () => assertThreadsRun({ parser: deps.crawler.threads() }), critical: false },
    },
    access: {
      roles: [{ tokens: config.tokens.scraper, place: "bearer", rights: ["read", "desk"] }],
      ...storedKeys(store),
    },
    depGroups: { providers: () => providerHealth(deps) },
  });
  const { app, access } = service;
  app.openAPIRegistry.registerComponent("securitySchemes", "scraperToken", { type: "http", scheme: "bearer" });
  const guard = serviceAuth(config, access);
  addProfiles(app, deps, guard);
  addRuns(app, deps, guard);
  addScrape(app, deps, guard);
  addReplay(app, deps, guard);
  return service;
}

/** What the scraper service stands on. */
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
  crawler: Pick<Crawler, "scrape" | "replay" | "threads">;
  /** Rejects when the central API does not answer. */
  pingApi(signal: AbortSignal): Promise<void>;
  /** Called after a run was queued. */
  onQueued(): void;
  /** The time, in milliseconds since 1970. */
  now?: () => number;
};
