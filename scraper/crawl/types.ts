import type { ScrapeFile, ScrapeResults } from "@isnad/lib/contract";
import type { RunCounts, RunDetails, Store } from "@isnad/lib/store";
import type { ThreadsState } from "@isnad/lib/service/threads";
import type { PageSelectors } from "../../lib/extraction/extract.ts";
import type { IngestClient } from "@isnad/lib/ingest/client";
import type { Taxonomy } from "@isnad/lib/service/config";
import type { PoliteClient } from "@isnad/lib/web/egress";
import type { InitOptions, InitResult } from "../profiles/init/init-profile.ts";
import type { ReaderPool } from "../../lib/extraction/reader/pool.ts";

/** Holds what the crawler reads of a source's profile; the profile schema's type fits it. */
export interface CrawlProfile {
  readonly name: string;
  /** Key of the map that translates its category labels. */
  readonly provider: string;
  /** Code of the language that the source writes in. */
  readonly language: string;
  readonly source: { readonly id: string; readonly homepage?: string | undefined };
  readonly feeds?: readonly DiscoveryPage[] | undefined;
  readonly sitemaps?: readonly DiscoveryPage[] | undefined;
  readonly list_pages?: readonly ListPage[] | undefined;
  readonly article?: (ArticleSelectors & { readonly max_pages?: number | undefined }) | undefined;
  /** Selectors of the pages of former designs, each with its last day, `YYYY-MM-DD`. */
  readonly article_versions?: readonly (ArticleSelectors & { readonly until: string })[] | undefined;
  /** Patterns of the paths of articles that are taken, and of those that are not. */
  readonly keep?: readonly string[] | undefined;
  readonly block?: readonly string[] | undefined;
  /** Says where the text comes from; the better of both unless given. */
  readonly full_text?: "feed" | "page" | undefined;
  readonly auth?: SourceAuth | undefined;
  /** From the source's own labels to canonical categories. */
  readonly category_map?: Readonly<Record<string, string>> | undefined;
  readonly politeness?: CrawlManners | undefined;
  readonly limits?:
    | {
        readonly max_articles?: number | undefined;
        readonly max_age_days?: number | undefined;
        /** The newest articles that are visited again, unmarked by a listing; 0: none. */
        readonly revisited_articles?: number | undefined;
      }
    | undefined;
  /** Sent with every request. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** IANA name of the zone of times without one. */
  readonly timezone?: string | undefined;
}

/** A feed or news sitemap; `category` is the label of everything in it. */
export interface DiscoveryPage {
  readonly url: string;
  readonly category?: string | undefined;
}

/** A page whose links of one CSS selector lead to articles. */
export interface ListPage extends DiscoveryPage {
  readonly link_selector: string;
  /** CSS selector of the link to the next page of the list; `rel=next` unless given. */
  readonly next?: string | undefined;
  readonly max_pages?: number | undefined;
}

/** CSS selectors of the parts of an article. */
export type ArticleSelectors = { readonly [Key in keyof PageSelectors]?: PageSelectors[Key] | undefined };

/** A credential that requests to a source carry. */
interface SourceAuth {
  /** Name of the environment variable with the value of the header. */
  readonly env: string;
  readonly header: string;
  /** Hosts that get it besides those that the profile itself names. */
  readonly hosts: readonly string[];
}

/** Says how a source's hosts are treated. */
interface CrawlManners {
  readonly min_delay_ms?: number | undefined;
  readonly concurrency?: number | undefined;
  readonly user_agent?: string | undefined;
  readonly respect_robots?: boolean | undefined;
}

/**
 * Holds what happened in a run, counted in articles. `sent` are those that the API answered, `duplicate` and `conflict`
 * among them; `conflict` are those that changed at their source after they were taken in (`updated_at_source`).
 */
export type CrawlCounts = RunCounts;

/** The run that a crawl belongs to; the store's run fits it, with the owner added. */
export interface CrawlRun extends Partial<RunDetails> {
  readonly runId: string;
  /** Most articles to visit; null: as the profile says. */
  readonly limit: number | null;
  /**
   * The name under which the run was claimed: articles are taken under it too, so that a run taken up again gets them
   * at once.
   */
  readonly owner: string;
  /** Holds what an earlier, interrupted part of the run counted. */
  readonly counts?: CrawlCounts;
}

/** Says how far a run is. */
export interface CrawlProgress {
  readonly counts: CrawlCounts;
  /** The same object until there is more to say. */
  readonly details: RunDetails;
}

/** Says how a crawl goes on and ends. */
export interface CrawlContext {
  readonly signal: AbortSignal;
  /** Passed on to the API; default: the run's id. */
  readonly requestId?: string;
  /** Called after every listing, every article and every delivery. */
  readonly onProgress?: (progress: CrawlProgress) => void;
}

/** Says how a run ended: `partial` when something was got and something was not. */
export interface RunOutcome {
  readonly status: "succeeded" | "partial" | "failed";
  readonly counts: CrawlCounts;
  /** Why the run did not succeed completely, one line. */
  readonly error: string | null;
}

/** Holds what `/scrape` asks for. */
export interface ScrapeRequest {
  /** Words that title or content must all contain. */
  readonly query?: string | undefined;
  /** Canonical categories or labels, any of which an article must have. */
  readonly categories?: readonly string[] | undefined;
  /** Most articles a source. */
  readonly limit?: number | undefined;
  readonly sendToApi: boolean;
  readonly writeToDisk: boolean;
}

/**
 * Answer to a scrape: the items, or where they were written (relative to the output folder) and how many lines; and why
 * listings and articles did not come, the newest hundred of each profile.
 */
export type ScrapeAnswer = ScrapeResults | ScrapeFile;

/** Holds what `/replay` asks for; times are ISO 8601 and of when an item was kept. */
export interface ReplayRequest {
  readonly profileId?: string | undefined;
  readonly runId?: string | undefined;
  readonly since?: string | undefined;
  readonly until?: string | undefined;
  readonly limit?: number | undefined;
  readonly sendToApi: boolean;
}

/** Items found for a replay, and what the API said to them. */
export interface ReplayCounts {
  readonly matched: number;
  readonly sent: number;
  readonly accepted: number;
  readonly duplicate: number;
  readonly conflict: number;
  readonly failed: number;
}

/** Holds what became of the items of a delivery; `pending` ones are sent again later. */
export interface DeliveryCounts {
  readonly accepted: number;
  readonly duplicate: number;
  readonly conflict: number;
  readonly failed: number;
  readonly pending: number;
  /** Why something stayed pending, one line. */
  readonly error: string | null;
}

/** The crawler: everything between a profile and the ingest endpoint. */
export interface Crawler {
  /**
   * Goes through a whole run. Rejects only when the database fails or the signal aborts; the run can then be taken up
   * again.
   */
  crawl(profile: CrawlProfile, run: CrawlRun, context: CrawlContext): Promise<RunOutcome>;
  /** Scrapes on demand. One source that fails does not fail the rest. */
  scrape(
    profiles: readonly CrawlProfile[],
    request: ScrapeRequest,
    context: { readonly signal: AbortSignal; readonly requestId?: string },
  ): Promise<ScrapeAnswer>;
  /** Sends kept items again; fetches nothing. */
  replay(
    request: ReplayRequest,
    context: { readonly signal: AbortSignal; readonly requestId?: string },
  ): Promise<ReplayCounts>;
  /** Drafts the profile of a site out of what it shows. Rejects with an InitError where that cannot be done. */
  draft(request: DraftRequest, signal: AbortSignal): Promise<InitResult>;
  /** Sends what is still to be delivered, until nothing is due or the API is out of reach. To be called on a timer. */
  deliverPending(signal: AbortSignal): Promise<DeliveryCounts>;
  /** Tells how the parser threads stand. */
  threads(): ThreadsState;
  /** Ends the parser threads. */
  close(): Promise<void>;
}

/** Holds what a draft is asked with; see `InitOptions`. */
type DraftRequest = Pick<InitOptions, "url" | "language" | "articles">;

/** Holds what the crawler keeps in the database. */
export type ScraperStore = Store["scraper"];

/** Holds what the parts of the crawler work with. */
export interface CrawlParts {
  readonly store: ScraperStore;
  /** Returns the client that introduces itself with a user agent, the scraper's own unless another is given. */
  readonly clientFor: (userAgent: string | undefined) => PoliteClient;
  /** Credentials of sources by the names of their environment variables. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly reader: Pick<ReaderPool, "extract" | "feed" | "list" | "sitemap">;
  readonly ingest: IngestClient;
  readonly taxonomy: Taxonomy;
  /** Folder of the files that `/scrape` writes. */
  readonly outputDir: string;
  /** Says how long an article stays in the hands of who fetches it, in seconds. */
  readonly fetchLeaseS: number;
  /** Says how long an item stays in the hands of who sends it, in seconds. */
  readonly sendLeaseS: number;
  /** Says how long an item that could not be delivered rests at first, in seconds; doubled each time. */
  readonly restS: number;
  /** Says how long the end of a run waits for items that another sender has in hand, in milliseconds. */
  readonly drainMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
