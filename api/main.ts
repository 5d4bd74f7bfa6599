/** `bun run api`: the central API, started alone or by `up`. */
import { ensureTokens, loadConfig, VERSION } from "@isnad/lib/service/config";
import { aborted, createLogger, createMetrics, makePrivate, runMain, startTracing } from "@isnad/lib/service/process";
import { listen } from "@isnad/lib/service/http";
import { openQueues } from "@isnad/lib/work/queue";
import { ensurePostgres, migrate, openStore } from "@isnad/lib/store";
import { createApp } from "./app.ts";
import { loadDeskAssets } from "./desk/mod.ts";

await runMain(
  async (signal) => {
    const given = loadConfig(process.env, { service: "api" });
    makePrivate(given.dataDir);
    const config = await ensureTokens(given);
    const logger = createLogger({ service: "api", level: config.logLevel });
    await using opened = new AsyncDisposableStack();
    const tracing = await startTracing(config.tracing, { name: "api", version: VERSION });
    opened.defer(() => tracing.stop());

    const postgres = await ensurePostgres({ dataDir: config.dataDir, databaseUrl: config.databaseUrl, logger });
    opened.defer(() => postgres.release());
    await migrate(postgres.url, { logger });
    const timeoutMs = config.databaseTimeoutMs;
    const store = openStore(postgres.url, { max: 8, name: "isnad-api", timeoutMs });
    opened.defer(() => store.close());
    const queues = await openQueues({ databaseUrl: postgres.url, redisUrl: config.redisUrl, logger, timeoutMs });
    opened.defer(() => queues.close());

    const desk = config.desk ? await loadDeskAssets() : undefined;
    const api = createApp({ config, store, queues, logger, metrics: createMetrics(), desk });
    opened.defer(() => api.close());
    const server = await listen(api.app.fetch, { host: config.host, port: config.ports.api, drainMs: config.drainMs });
    opened.defer(() => server.stop());
    logger.info({ url: server.url }, "the API is listening");
    await aborted(signal);
  },
  {
    name: "api",
    summary: "The central API: takes articles in, and serves searches, chats and summaries.",
    portOption: "API_PORT",
  },
);
