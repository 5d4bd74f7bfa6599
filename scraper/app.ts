import { VERSION } from "@isnad/lib/service/config";
import {
  type AppError,
  createService,
  invalidFields,
  type Service,
  storedKeys,
  writesHealth,
} from "@isnad/lib/service/http";
import { assertThreadsRun } from "@isnad/lib/service/threads";
import { InvalidCursorError } from "@isnad/lib/store";
import { type ScraperDeps, serviceAuth } from "./deps.ts";
import { providerHealth } from "./metrics.ts";
import { addDraft, addProfiles } from "./routes/profiles.ts";
import { addReplay, addScrape } from "./routes/scrape.ts";
import { addRuns } from "./routes/runs.ts";

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

/** Returns the scraper service. */
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
  addDraft(app, deps, guard);
  addRuns(app, deps, guard);
  addScrape(app, deps, guard);
  addReplay(app, deps, guard);
  return service;
}
