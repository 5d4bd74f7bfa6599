import { hostname } from "node:os";
import { CommandError, findScraper } from "@isnad/lib/service/cli";
import { type Env, loadTaxonomy } from "@isnad/lib/service/config";
import { createLogger } from "@isnad/lib/service/process";
import { createCheckThread, createEnqueuer } from "@isnad/lib/ingest";
import { openQueues } from "@isnad/lib/work/queue";
import type { Adapters } from "../../workers/pull/adapter.ts";
import { openAdapters, type ScraperAddress } from "../../workers/pull/open.ts";
import type { PullDeps } from "../../workers/pull/run-pull.ts";
import { type OpenStore, openCommandStore } from "./open-store.ts";

/** The database and the adapters, and what pulls within this process need. */
export type OpenPulls = OpenStore & {
  adapters: Adapters;
  /** Opens the queues too, so that jobs are queued for what is pulled here. */
  pulling(): Promise<PullDeps>;
};

/** Opens what pulls need (store, queues, adapters), with the settings of `env`. */
export async function openPulls(env: Env): Promise<OpenPulls> {
  await using opened = new AsyncDisposableStack();
  const base = opened.use(await openCommandStore(env));
  const { config, store, databaseUrl } = base;
  const taxonomy = loadTaxonomy(config.taxonomyFile);
  const { adapters, close } = openAdapters({
    config,
    store,
    taxonomy,
    scraper: await scraperOf(env, config.scraperUrl),
  });
  opened.defer(close);
  // What there is to say is in the outcome of the pull: a command prints no log.
  const logger = createLogger({ service: "command", level: "silent" });
  const inner = new AsyncDisposableStack();
  opened.use(inner);
  const kept = opened.move();
  return {
    config,
    store,
    databaseUrl,
    adapters,
    async pulling() {
      const queues = await openQueues({ databaseUrl, redisUrl: config.redisUrl, logger });
      inner.defer(() => queues.close());
      const enqueuer = createEnqueuer(queues, logger);
      inner.defer(() => enqueuer.settled());
      const thread = createCheckThread();
      inner.defer(() => thread.close());
      return {
        store,
        adapters,
        thread,
        enqueuer,
        logger,
        instance: `${hostname()}:${process.pid}`,
        leaseS: config.pull.leaseS,
        requireKnownSource: config.ingest.requireKnownSource,
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

/** Only sources of the scraper need its token: without one it is for the scraper to refuse. */
async function scraperOf(env: Env, url: string): Promise<ScraperAddress> {
  try {
    return await findScraper(env);
  } catch (error) {
    if (error instanceof CommandError) return { url, token: undefined };
    throw error;
  }
}
