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
import { InvalidCursorError, type Run } from "@isnad/lib/store";
import { type ScraperDeps, serviceAuth } from "./deps.ts";
import { addDraft, addProfiles } from "./routes/profiles.ts";
import { addReplay, addRuns, addScrape } from "./routes/scrape.ts";

/**
 * Each provider by its latest run that has ended, whichever of its profiles that was of: it fails when the run did. A
 * provider that was never run is well.
 */
async function providerHealth({
  profiles,
  store,
}: Pick<ScraperDeps, "profiles" | "store">): Promise<Record<string, { ok: boolean; reason?: string }>> {
  const all = profiles.all();
  const ended = await latestEnded(
    store,
    all.map(({ name }) => name),
  );
  const states: Record<string, { ok: boolean; reason?: string }> = {};
  for (const [provider, members] of Map.groupBy(all, (profile) => profile.provider)) {
    const [latest] = members
      .flatMap(({ name }) => ended.get(name) ?? [])
      .sort((a, b) => (b.finishedAt ?? "").localeCompare(a.finishedAt ?? ""));
    const ok = latest?.status !== "failed";
    states[provider] = ok ? { ok } : { ok, reason: latest?.error ?? "its latest run failed" };
  }
  return states;
}

async function latestEnded(store: ScraperDeps["store"], names: readonly string[]): Promise<Map<string, Run>> {
  const { runs } = store.scraper;
  const latest = await runs.latest(names);
  await Promise.all(
    [...latest].map(async ([profileId, run]) => {
      if (run.finishedAt !== null) return;
      // One run of a profile is active at most: the one before it has ended.
      const [, before] = (await runs.list({ profileId, limit: 2 })).runs;
      if (before === undefined) latest.delete(profileId);
      else latest.set(profileId, before);
    }),
  );
  return latest;
}

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
