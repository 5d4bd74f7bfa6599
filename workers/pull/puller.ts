import { SCHEDULED_PROVIDERS } from "@isnad/lib/contract";
import { createCheckThread, createEnqueuer } from "@isnad/lib/ingest";
import type { Config, Taxonomy } from "@isnad/lib/service/config";
import { createRunner, every, type Logger } from "@isnad/lib/service/process";
import type { ThreadsLogger, ThreadsState } from "@isnad/lib/service/threads";
import type { Store } from "@isnad/lib/store";
import { createFetcher, createPoliteClient, hostWithPort, type PoliteClient } from "@isnad/lib/web/egress";
import type { Queues } from "@isnad/lib/work/queue";
import type { Adapters } from "./adapter.ts";
import { newsdataAdapter, newsdataClient } from "./adapters/newsdata.ts";
import { createFeedThread, rssAdapter } from "./adapters/rss.ts";
import { scraperAdapter, type ScraperClient, scraperClient, scraperPushAdapter } from "./adapters/scraper.ts";
import { type PullDeps, pullWork } from "./run-pull.ts";

/** Says how a worker pulls sources: the adapters, and the options of the same names. */
export type PullerSettings = Pick<PullDeps, "adapters" | "leaseS" | "requireKnownSource"> & {
  /** Seconds between two regular pulls of a source; 0: none. */
  intervalS: number;
  /** Pulls at a time. */
  concurrency: number;
};

/** Takes pulls until it is stopped. */
export type Puller = {
  /** Takes no more, and gives back what is in flight. */
  stop(): Promise<void>;
};

/**
 * Starts taking pulls: those asked for, those whose process has ended, and, every so often, those of the active
 * sources. Any number of processes may do so at once: the database gives each pull to one of them.
 */
export function startPuller(
  deps: PullDeps,
  { intervalS, concurrency, pollMs }: Pick<PullerSettings, "intervalS" | "concurrency"> & { pollMs: number },
): Puller {
  const { store, logger, instance, leaseS } = deps;
  const stopping = new AbortController();
  const { signal } = stopping;
  const runner = createRunner(pullWork(deps), { logger, instance, leaseS, concurrency, pollMs });
  const requestDue = async (): Promise<void> => {
    const due = await store.pulls.requestDue({ providers: SCHEDULED_PROVIDERS, everyS: intervalS });
    if (due > 0) runner.wake();
  };
  const running = [
    runner.run(signal),
    ...(intervalS > 0 ? [every(pollMs, "due pulls", requestDue, logger, signal)] : []),
  ];
  return {
    async stop() {
      stopping.abort(new Error("the worker stops"));
      await Promise.all(running);
    },
  };
}

/**
 * Starts the pulls of a worker process, with an admission of their own; `threads` says how the thread stands that
 * checks items.
 */
export function startPulls(
  settings: PullerSettings,
  deps: Pick<PullDeps, "onEnd" | "onResults" | "instance"> & {
    store: Store;
    queues: Pick<Queues, "add">;
    logger: Logger;
    pollMs: number;
  },
): Puller & { threads(): ThreadsState } {
  const { intervalS, concurrency, ...own } = settings;
  const { queues, pollMs, ...rest } = deps;
  const thread = createCheckThread({ logger: deps.logger });
  const enqueuer = createEnqueuer(queues, deps.logger);
  const puller = startPuller({ ...rest, ...own, thread, enqueuer }, { intervalS, concurrency, pollMs });
  return {
    threads: () => thread.threads(),
    async stop() {
      await puller.stop();
      await enqueuer.settled();
      await thread.close();
    },
  };
}

/** The adapters, and the end of what they have open. */
type OpenAdapters = {
  adapters: Adapters;
  /** Tells how the thread that reads feeds stands. */
  threads(): ThreadsState;
  close(): Promise<void>;
};

/** Says where the scraper is, and what its write routes take. */
export type ScraperAddress = { url: string; token: string | undefined };

/** Makes the adapters of every provider that is known. */
export function openAdapters(options: {
  config: Pick<Config, "scraper" | "newsdata">;
  scraper: ScraperAddress;
  store: Pick<Store, "scraper">;
  taxonomy: Pick<Taxonomy, "mapLabel">;
  logger?: ThreadsLogger;
}): OpenAdapters {
  const { config, scraper, store, taxonomy, logger } = options;
  const { userAgent, allowPrivateHosts } = config.scraper;
  const leases = store.scraper.hostLeases;
  const product = userAgent.split("/")[0] ?? userAgent;
  const polite = (allowed: string): PoliteClient =>
    createPoliteClient({ fetcher: createFetcher({ userAgent, allowPrivateHosts: allowed }), leases, product });
  const feeds = createFeedThread({ logger });
  const { baseUrl, apiKey } = config.newsdata;
  return {
    adapters: new Map([
      ["rss", rssAdapter({ client: polite(allowPrivateHosts), feeds, taxonomy })],
      [
        "newsdata",
        newsdataAdapter({
          client: newsdataClient({ client: polite(hostWithPort(baseUrl)), baseUrl, apiKey }),
          taxonomy,
        }),
      ],
      ["scraper", scraperAdapter(openScraper(scraper, userAgent))],
      ["scraper-push", scraperPushAdapter],
    ]),
    threads: () => feeds.threads(),
    close: () => feeds.close(),
  };
}

/** A client of the platform's own scraper, wherever the operator runs it. */
export function openScraper({ url, token }: ScraperAddress, userAgent: string): ScraperClient {
  return scraperClient({ fetcher: createFetcher({ userAgent, allowPrivateHosts: hostWithPort(url) }), url, token });
}
