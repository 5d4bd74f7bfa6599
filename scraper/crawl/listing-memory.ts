import type { Validators } from "@isnad/lib/store";
import type { DiscoveredEntry } from "../discovery/index.ts";

/** What a listing named when it was read last, and what its files said of themselves. */
export interface RememberedListing {
  readonly entries: readonly DiscoveredEntry[];
  readonly seen: ReadonlyMap<string, Validators>;
}

const MAX_LISTINGS = 200;

/**
 * Remembers what listings named, so that one that has not changed since need not be sent again and still yields its articles.
 * Kept in memory: the frontier's own validators say which entries are in the database, not what an answer 304 stands for.
 */
export class ListingMemory {
  readonly #listings = new Map<string, RememberedListing>();

  get(profile: string, url: string): RememberedListing | undefined {
    return this.#listings.get(`${profile} ${url}`);
  }

  put(profile: string, url: string, listing: RememberedListing): void {
    const key = `${profile} ${url}`;
    this.#listings.delete(key);
    this.#listings.set(key, listing);
    for (const oldest of this.#listings.keys()) {
      if (this.#listings.size <= MAX_LISTINGS) break;
      this.#listings.delete(oldest);
    }
  }
}
