import { createHash } from "node:crypto";
import { sameSite } from "../../../lib/extraction/page/site.ts";
import { canonicalOrNull } from "../discover/entry.ts";

/** The addresses that an article is known by. */
export interface ArticleAddresses {
  /** As the listing gives it. */
  readonly listed: string;
  /** Where it was answered from, after redirects; null when it was not fetched. */
  readonly fetched: string | null;
  /** What the page itself calls its canonical address. */
  readonly declared: string | null;
}

/**
 * The canonical address of an article: the one that its page declares where that can be the article's own (on the same
 * site, neither a front page nor a section), else the one that it was fetched from, else the listed one.
 */
export function canonicalOf({ listed, fetched, declared }: ArticleAddresses): string {
  const base = canonicalOrNull(fetched ?? listed) ?? listed;
  const own = declared === null ? null : canonicalOrNull(declared);
  return own !== null && isPlausible(own, base) ? own : base;
}

/** The id of an article, stable for its source and canonical address: 32 hexadecimal digits. */
export function itemId(sourceId: string, canonical: string): string {
  return createHash("sha256").update(`${sourceId}\n${canonical}`).digest("hex").slice(0, 32);
}

/**
 * Many sites declare their front page or a section as the canonical address of every article: these would all be one.
 */
function isPlausible(declared: string, base: string): boolean {
  if (!sameSite(declared, base)) return false;
  const [to, from] = [new URL(declared), new URL(base)].map(({ pathname, search }) => ({
    last: pathname.split("/").at(-1) ?? "",
    search,
  }));
  if (to === undefined || from === undefined) return false;
  return /\d/.test(to.last + to.search) || to.last.length >= 12 || (to.last !== "" && to.last === from.last);
}
