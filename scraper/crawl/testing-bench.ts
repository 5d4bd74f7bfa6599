import { randomUUID } from "node:crypto";
import { type Fault, type IngestStub, type SeenRequest, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { NO_DETAILS, type RunDetails, type Store, type StoredItem } from "@isnad/lib/store";
import { testStore } from "@isnad/lib/store/testing";
import { createCrawler } from "./create-crawler.ts";
import { optionsFor, profileOf, startSite, type TestSite } from "./testing.ts";
import type { Crawler, CrawlProfile, RunOutcome } from "./types.ts";

/** A crawler over a database of its own, and for each test a fresh site and a fresh API. */
export interface Bench {
  readonly store: Store;
  readonly crawler: Crawler;
  site: TestSite;
  api: IngestStub;
  /** What the API does with the next requests. */
  fault: Fault;
  /** The same by request, where it is to differ. */
  faultOf: (request: SeenRequest) => Fault;
  /** A new site and a new API. */
  renew(): Promise<void>;
  close(): Promise<void>;
  /** A profile of the site with a name of its own. */
  profile(more?: Partial<CrawlProfile>): CrawlProfile;
  /** Queues, claims and goes through a run. */
  run(profile: CrawlProfile, options?: { limit?: number | null }): Promise<RunOutcome & { details: RunDetails }>;
  /** Changes the database behind everybody's back. */
  query(text: string, ...values: string[]): Promise<void>;
  /** What was kept from a path of the site. */
  kept(profile: CrawlProfile, path: string): Promise<StoredItem | undefined>;
}

/** Opens a bench. Its requests and deliveries are tried once; deliveries are due again at once. */
export async function openBench(dataDir?: string): Promise<Bench> {
  const database = await testStore();
  const { store } = database;
  const { config } = optionsFor("http://127.0.0.1:1", dataDir);
  const endpoint = async () => ({ url: bench.api.url, token: "t" });
  const crawler = createCrawler({ config, endpoint, patienceMs: 0, restS: 0, retries: 0, store: store.scraper });
  let names = 0;
  const stopBoth = async () => {
    await bench.site.stop();
    await bench.api.stop();
  };
  const bench: Bench = {
    store,
    crawler,
    site: await startSite(),
    api: await startIngestStub((_, request) => bench.fault ?? bench.faultOf(request)),
    fault: undefined,
    faultOf: () => undefined,
    async renew() {
      await stopBoth();
      bench.fault = undefined;
      bench.faultOf = () => undefined;
      bench.site = await startSite();
      bench.api = await startIngestStub((_, request) => bench.fault ?? bench.faultOf(request));
    },
    async close() {
      await stopBoth();
      await crawler.close();
      await database.close();
    },
    profile(more = {}) {
      const name = `site-${++names}`;
      return profileOf(bench.site, { name, source: { id: name }, ...more });
    },
    async run(profile, { limit = null } = {}) {
      const { runs } = store.scraper;
      await runs.create({ profileId: profile.name, provider: profile.provider, trigger: "api", limit });
      const owner = randomUUID();
      const claimed = await runs.claim(owner, { leaseS: 3_600, profileIds: [profile.name] });
      if (claimed === undefined) throw new Error("no run to claim");
      let details = NO_DETAILS;
      const outcome = await crawler.crawl(
        profile,
        { ...claimed, owner },
        {
          signal: new AbortController().signal,
          onProgress(progress) {
            ({ details } = progress);
          },
        },
      );
      await runs.finish(claimed.runId, owner, { ...outcome, details });
      return { ...outcome, details };
    },
    async query(text, ...values) {
      await database.sql.unsafe(text, values);
    },
    kept: (profile, path) => store.scraper.items.get(profile.name, `${bench.site.url}${path}`),
  };
  return bench;
}
