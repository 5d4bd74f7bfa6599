import { createServer, type IncomingHttpHeaders } from "node:http";
import { randomUUID } from "node:crypto";
import { loadConfig } from "@isnad/lib/service/config";
import { type Fault, type IngestStub, type SeenRequest, startIngestStub } from "@isnad/lib/ingest/client/testing";
import { NO_DETAILS, type RunDetails, type Store, type StoredItem } from "@isnad/lib/store";
import { testStore } from "@isnad/lib/store/testing";
import { type CrawlerOptions, createCrawler } from "./create-crawler.ts";
import type { Crawler, CrawlProfile, RunOutcome } from "./types.ts";

/** What a path of a test site answers. With `etag`, a request that names it gets 304. */
export interface SiteAnswer {
  readonly status?: number;
  readonly type?: string;
  readonly etag?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array;
  /** The answer waits for it. */
  readonly after?: Promise<unknown>;
}

/** A request that a site saw; `at` in milliseconds of the process's clock. */
interface SiteRequest {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly status: number;
  readonly at: number;
}

/** A news site on loopback. */
export interface TestSite {
  readonly url: string;
  readonly host: string;
  readonly seen: readonly SiteRequest[];
  /** The most requests that were under way at once. */
  readonly mostAtOnce: number;
  /** What a path answers from now on. */
  set(path: string, answer: SiteAnswer | ((nth: number) => SiteAnswer)): void;
  /** Paths asked for since the last call, robots.txt left out. */
  paths(): string[];
  stop(): Promise<void>;
}

/** Serves a site on a free port of 127.0.0.1; what is not set answers 404. */
export async function startSite(): Promise<TestSite> {
  const answers = new Map<string, SiteAnswer | ((nth: number) => SiteAnswer)>();
  const asked = new Map<string, number>();
  const seen: SiteRequest[] = [];
  let reported = 0;
  let underWay = 0;
  let mostAtOnce = 0;
  const server = createServer(async (request, response) => {
    mostAtOnce = Math.max(mostAtOnce, ++underWay);
    response.on("close", () => underWay--);
    const path = request.url ?? "";
    const nth = (asked.get(path) ?? 0) + 1;
    asked.set(path, nth);
    const set = answers.get(path) ?? { status: 404 };
    const answer = typeof set === "function" ? set(nth) : set;
    const { etag, type = "text/html; charset=utf-8" } = answer;
    const same = etag !== undefined && request.headers["if-none-match"] === etag;
    const status = same ? 304 : (answer.status ?? 200);
    seen.push({ path, headers: request.headers, status, at: performance.now() });
    await answer.after;
    response.writeHead(status, { "content-type": type, ...(etag !== undefined && { etag }), ...answer.headers });
    response.end(same ? undefined : answer.body);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new TypeError("no port");
  return {
    url: `http://127.0.0.1:${address.port}`,
    host: `127.0.0.1:${address.port}`,
    seen,
    get mostAtOnce() {
      return mostAtOnce;
    },
    set: (path, answer) => void answers.set(path, answer),
    paths() {
      const fresh = seen.slice(reported).map(({ path }) => path);
      reported = seen.length;
      return fresh.filter((path) => path !== "/robots.txt");
    },
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const SENTENCES = [
  "The council of the northern province decided on Monday that the old bridge over the river will be closed for repairs",
  "Engineers had warned for years that the steel of the main span was no longer safe for the lorries that cross it every day",
  "A new crossing is to be built two kilometres to the east, and the work on it will begin before the end of the summer",
  "Residents of the villages on both banks said that they had not been asked, and that the detour would cost them an hour",
  "The minister of transport promised that a ferry would carry them free of charge until the new bridge is opened to traffic",
];

/** Six paragraphs of English, different for each name. */
export function storyText(name: string): string {
  return [`This is the report about ${name}.`, ...SENTENCES.map((text) => `${text}, as ${name} told us.`)].join("\n\n");
}

/** A page with an article. */
export function storyPage(title: string, text = storyText(title), head = ""): string {
  const paragraphs = text.split("\n\n").map((paragraph) => `<p>${paragraph}</p>`);
  return `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body><nav><a href="/">Home</a></nav>
<article><h1>${title}</h1>${paragraphs.join("\n")}</article><footer>All rights reserved</footer></body></html>`;
}

/** An entry of {@link feedOf}. */
interface StoryEntry {
  readonly url: string;
  readonly title: string;
  readonly published?: string;
  readonly more?: string;
}

/** An RSS feed of entries. */
export function feedOf(entries: readonly StoryEntry[]): string {
  const items = entries.map(
    ({ url, title, published, more = "" }) =>
      `<item><title>${title}</title><link>${url}</link>${published === undefined ? "" : `<pubDate>${published}</pubDate>`}${more}</item>`,
  );
  return `<?xml version="1.0"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
 xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Test</title>${items.join("")}</channel></rss>`;
}

/** Puts stories with these names, and a feed at /feed that lists them, on a site. Everything has an ETag. */
export function putStories(site: TestSite, names: readonly string[], version = "1"): void {
  for (const name of names) {
    site.set(`/${name}-1`, { etag: `"${name}-${version}"`, body: storyPage(`Report ${name}`) });
  }
  const entries = names.map((name) => ({ url: `${site.url}/${name}-1`, title: `Report ${name}` }));
  site.set("/feed", { etag: `"feed-${version}-${names.length}"`, type: "application/rss+xml", body: feedOf(entries) });
}

/** A profile of a site that reads its /feed as fast as it can. */
export function profileOf(site: TestSite, more: Partial<CrawlProfile> = {}): CrawlProfile {
  return {
    name: "test",
    provider: "test",
    language: "en",
    source: { id: "test" },
    feeds: [{ url: `${site.url}/feed` }],
    politeness: { min_delay_ms: 0, concurrency: 2 },
    ...more,
  };
}

/** A configuration that may reach loopback, and an ingest endpoint. */
export function optionsFor(apiUrl: string, dataDir = "data"): Pick<CrawlerOptions, "config" | "patienceMs"> {
  const config = loadConfig({
    API_URL: apiUrl,
    INGEST_TOKEN: "t",
    SCRAPER_ALLOW_PRIVATE_HOSTS: "127.0.0.1",
    SCRAPER_USER_AGENT: "IsnadBot/0.1",
    SCRAPER_AUTH_TEST: "Bearer test-credential",
    DATA_DIR: dataDir,
  });
  return { config, patienceMs: 0 };
}

/** A crawler over a database of its own, and for each test a fresh site and a fresh API. */
export interface Bench {
  readonly store: Store;
  readonly crawler: Crawler;
  site: TestSite;
  api: IngestStub;
  /** Says what the API does with the next requests. */
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
  /** Returns what was kept from a path of the site. */
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
