import type { Taxonomy } from "@isnad/lib/service/config";
import type { PoliteClient } from "@isnad/lib/web/egress";
import type { IngestClient } from "@isnad/lib/ingest/client";
import type { Store } from "@isnad/lib/store";
import type { ReaderPool } from "../../lib/extraction/reader/mod.ts";

/** What the crawler keeps in the database. */
export type ScraperStore = Store["scraper"];

/** What the parts of the crawler work with. */
export interface CrawlParts {
  readonly store: ScraperStore;
  /** The client that introduces itself with a user agent, the scraper's own unless another is given. */
  readonly clientFor: (userAgent: string | undefined) => PoliteClient;
  /** Credentials of sources by the names of their environment variables. */
  readonly credentials: Readonly<Record<string, string>>;
  readonly reader: Pick<ReaderPool, "extract" | "feed" | "list" | "sitemap">;
  readonly ingest: IngestClient;
  readonly taxonomy: Taxonomy;
  /** Folder of the files that `/scrape` writes. */
  readonly outputDir: string;
  /** How long an article stays in the hands of who fetches it, in seconds. */
  readonly fetchLeaseS: number;
  /** How long an item stays in the hands of who sends it, in seconds. */
  readonly sendLeaseS: number;
  /** How long an item that could not be delivered rests at first, in seconds; doubled each time. */
  readonly restS: number;
  /** How long the end of a run waits for items that another sender has in hand, in milliseconds. */
  readonly drainMs: number;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}
