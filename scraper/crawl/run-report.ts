import type { MatchedSelectors } from "../../lib/extraction/extract.ts";
import { NO_DETAILS, type RunDetails, type RunError, type RunFeed, type SelectorPages } from "@isnad/lib/store";

/** So many errors of a run are kept, the newest. */
const MAX_ERRORS = 100;
/** A selector that finds nothing on so many pages is taken for one of an older design of the source. */
const ENOUGH_PAGES = 5;

/** Takes down why articles do not come: what a run, or a scrape of a source, has to say beside its counts. */
export class RunReport {
  readonly #now: () => number;
  #errors: RunError[];
  #feeds: Map<string, RunFeed>;
  #selectors: Map<string, SelectorPages>;
  #tooOld: Map<string, number>;
  #details: RunDetails | undefined;

  /** `earlier`: what an interrupted part of the run took down. */
  constructor(now: () => number, { errors, feeds, selectors, tooOld }: RunDetails = NO_DETAILS) {
    this.#now = now;
    this.#errors = [...errors];
    this.#feeds = new Map(feeds.map((feed) => [feed.url, feed]));
    this.#selectors = new Map(Object.entries(selectors));
    this.#tooOld = new Map(Object.entries(tooOld));
  }

  /** An article did not come; `retried`: it is tried again later. */
  error(url: string, reason: string, { retried = false } = {}): void {
    this.#errors.push({ url, reason, at: new Date(this.#now()).toISOString(), retried });
    if (this.#errors.length > MAX_ERRORS) this.#errors.shift();
    this.#details = undefined;
  }

  /** A feed, sitemap or list page was read, or could not be. */
  feed(feed: RunFeed): void {
    this.#feeds.set(feed.url, feed);
    this.#details = undefined;
  }

  /** These selectors of the profile were applied to a page. */
  page({ matched, unmatched }: MatchedSelectors): void {
    for (const name of [...matched, ...unmatched]) {
      const pages = this.#selectors.get(name) ?? { matched: 0, unmatched: 0 };
      const outcome = matched.includes(name) ? "matched" : "unmatched";
      this.#selectors.set(name, { ...pages, [outcome]: pages[outcome] + 1 });
      this.#details = undefined;
    }
  }

  /** Counts an article that was read and passed over as too old, by the origin of the date that decided. */
  tooOld(origin: string): void {
    this.#tooOld.set(origin, (this.#tooOld.get(origin) ?? 0) + 1);
    this.#details = undefined;
  }

  /** Returns what was taken down so far; the same object until there is more. */
  details(): RunDetails {
    this.#details ??= {
      errors: [...this.#errors],
      feeds: [...this.#feeds.values()],
      selectors: Object.fromEntries(this.#selectors),
      tooOld: Object.fromEntries(this.#tooOld),
    };
    return this.#details;
  }
}

/**
 * One line for each selector that finds nothing any more: on the last five pages or more, over as many runs as they
 * take (`history`, newest first). The source has probably been redesigned.
 */
export function selectorWarnings(history: readonly RunDetails["selectors"][]): string[] {
  return Object.keys(history[0] ?? {}).flatMap((name) => {
    let pages = 0;
    for (const selectors of history) {
      const { matched, unmatched } = selectors[name] ?? { matched: 0, unmatched: 0 };
      if (matched > 0) return [];
      pages += unmatched;
      if (pages >= ENOUGH_PAGES) return [`article.${name} matches nothing on the last ${pages} pages`];
    }
    return [];
  });
}
