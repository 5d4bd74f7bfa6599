import { VERSION } from "@isnad/lib/service/config";
import { assertThreadsRun } from "@isnad/lib/service/threads";
import { createService, type Service, writesHealth } from "@isnad/lib/service/http";
import { serviceAuth } from "./auth.ts";
import type { ScraperDeps } from "./deps.ts";
import { classify } from "./failures.ts";
import { providerHealth } from "./provider-health.ts";
import { addProfiles } from "./routes/profiles.ts";
import { addReplay } from "./routes/replay.ts";
import { addRuns } from "./routes/runs.ts";
import { addScrape } from "./routes/scrape.ts";

export type { ScraperDeps } from "./deps.ts";

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
    depGroups: { providers: () => providerHealth(deps) },
  });
  const { app } = service;
  app.openAPIRegistry.registerComponent("securitySchemes", "scraperToken", { type: "http", scheme: "bearer" });
  const guard = serviceAuth(config);
  addProfiles(app, deps, guard);
  addRuns(app, deps, guard);
  addScrape(app, deps, guard);
  addReplay(app, deps, guard);
  return service;
}
