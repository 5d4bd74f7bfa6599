/** `bun run scraper`: the scraper service, started alone or by `up`. */
import { hostname } from "node:os";
import { ensureTokens, loadConfig, loadTaxonomy, VERSION } from "@isnad/lib/service/config";
import {
  aborted,
  createLogger,
  createMetrics,
  createRunner,
  every,
  makePrivate,
  runMain,
  startTracing,
} from "@isnad/lib/service/process";
import { listen } from "@isnad/lib/service/http";
import { ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { pingApi } from "./deps.ts";
import { createApp } from "./app.ts";
import { scraperMetrics } from "./metrics.ts";
import { createProfiles, SHIPPED_PROFILES, watchProfiles } from "./profiles/profiles.ts";
import { createScheduler, RUN_HEARTBEAT_MS, runWork } from "./scheduler.ts";
import { createCrawler } from "./crawl/create-crawler.ts";

/** Says how often to look for runs that nobody announced, in milliseconds. */
const POLL_MS = 2_000;

/** Says how often what waits for the API is sent, in milliseconds. */
const DELIVER_MS = 5_000;

/** Says how often what nobody needs any more is removed, in milliseconds, and after how long, in seconds. */
const PRUNE_MS = 3_600_000;
const RUN_TTL_S = 90 * 86_400;

await runMain(
  async (signal) => {
    await using opened = new AsyncDisposableStack();
    const given = loadConfig(process.env, { service: "scraper" });
    makePrivate(given.dataDir);
    const config = await ensureTokens(given);
    const { dataDir } = config;
    const logger = createLogger({ service: "scraper", level: config.logLevel });
    const tracing = await startTracing(config.tracing, { name: "scraper", version: VERSION });
    opened.defer(() => tracing.stop());
    const taxonomy = loadTaxonomy(config.taxonomyFile);

    const postgres = await ensurePostgres({ dataDir, databaseUrl: config.databaseUrl, logger });
    opened.defer(() => postgres.release());
    await migrate(postgres.url, { logger });
    const store = openStore(postgres.url, { max: 8, name: "isnad-scraper", timeoutMs: config.databaseTimeoutMs });
    opened.defer(() => store.close());

    const dir = config.scraper.profilesDir ?? SHIPPED_PROFILES;
    const profiles = createProfiles({ dir, enable: config.scraper.enable, taxonomy, logger });
    await profiles.reload();
    opened.defer(watchProfiles(profiles, { dir, logger }));
    const crawler = createCrawler({ config, store: store.scraper, logger });
    opened.defer(() => crawler.close());

    const metrics = createMetrics();
    const measured = scraperMetrics(metrics, { store: store.scraper, profiles });
    const { concurrency, runLeaseS: leaseS } = config.scraper;
    const runner = createRunner(
      runWork({ store: store.scraper.runs, profiles, crawler, logger, metrics: measured, leaseS }),
      {
        logger,
        instance: `${hostname()}:${process.pid}`,
        concurrency,
        leaseS,
        pollMs: POLL_MS,
        heartbeatMs: RUN_HEARTBEAT_MS,
      },
    );
    const onQueued = () => runner.wake();
    const stopping = new AbortController();
    const stop = AbortSignal.any([signal, stopping.signal]);
    const scheduler = createScheduler({
      profiles,
      store: store.scraper,
      sourcesOff: store.sourceStates.off,
      logger,
      onQueued,
    });
    const work = [
      runner.run(stop),
      ...(config.scraper.schedule ? [scheduler.run(stop)] : []),
      every(DELIVER_MS, "delivery", () => crawler.deliverPending(stop), logger, stop),
      every(PRUNE_MS, "pruning", () => store.scraper.prune({ olderThanS: RUN_TTL_S }), logger, stop),
    ];
    opened.defer(async () => {
      stopping.abort();
      await Promise.all(work);
    });

    const service = createApp({
      config,
      logger,
      metrics,
      measured,
      store,
      profiles,
      taxonomy,
      crawler,
      pingApi: (until) => pingApi(config.apiUrl, until),
      onQueued,
    });
    const server = await listen(service.app.fetch, {
      host: config.host,
      port: config.ports.scraper,
      drainMs: config.drainMs,
    });
    opened.defer(() => server.stop());
    logger.info({ url: server.url, profiles: profiles.all().length }, "the scraper is listening");
    await aborted(signal);
  },
  { name: "scraper", summary: "The scraper: crawls sources by profile.", portOption: "SCRAPER_PORT" },
);
