import type { Config, Taxonomy } from "@isnad/lib/service/config";
import { createFetcher, createPoliteClient, hostWithPort, type PoliteClient } from "@isnad/lib/web/egress";
import type { Store } from "@isnad/lib/store";
import type { ThreadsLogger, ThreadsState } from "@isnad/lib/service/threads";
import type { Adapters } from "./adapter.ts";
import { newsdataClient } from "./adapters/newsdata/client.ts";
import { newsdataAdapter } from "./adapters/newsdata/newsdata.ts";
import { createFeedThread } from "./adapters/rss/feed-thread.ts";
import { rssAdapter } from "./adapters/rss/rss.ts";
import { type ScraperClient, scraperClient } from "./adapters/scraper/client.ts";
import { scraperAdapter, scraperPushAdapter } from "./adapters/scraper/scraper.ts";

/** The adapters, and the end of what they have open. */
export type OpenAdapters = {
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
