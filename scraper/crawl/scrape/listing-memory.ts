import { BoundedMap } from "@isnad/lib/std";
import type { Validators } from "@isnad/lib/store";
import type { DiscoveredEntry } from "../../../lib/extraction/discovery/mod.ts";

/** What a listing named when it was read last, and what its files said of themselves. */
export interface RememberedListing {
  readonly entries: readonly DiscoveredEntry[];
  readonly validators: ReadonlyMap<string, Validators>;
}

const MAX_CHARS = 16_000_000;

/**
 * Remembers what listings named, so that one that has not changed since need not be sent again and still yields its
 * articles. Kept in memory, the listings read last, up to `maxChars` of their texts: the validators in the database say
 * which entries the frontier has, not what an answer 304 stands for.
 */
export class ListingMemory {
  readonly #listings: BoundedMap<string, RememberedListing>;

  constructor({ maxChars = MAX_CHARS }: { maxChars?: number } = {}) {
    this.#listings = new BoundedMap(maxChars, { weigh: charsOf });
  }

  get(profile: string, url: string): RememberedListing | undefined {
    return this.#listings.get(keyOf(profile, url));
  }

  put(profile: string, url: string, listing: RememberedListing): void {
    this.#listings.set(keyOf(profile, url), listing);
  }
}

/** What an entry takes besides its texts, about. */
const ENTRY_CHARS = 500;

function charsOf({ entries }: RememberedListing): number {
  return entries.reduce((sum, { content, summary }) => sum + ENTRY_CHARS + content.length + summary.length, 0);
}

function keyOf(profile: string, url: string): string {
  return `${profile} ${url}`;
}
