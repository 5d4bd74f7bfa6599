import { matchesPath, normalisePath } from "../../web/egress/mod.ts";

/** Patterns for the paths of articles, with their queries, as robots.txt writes them (RFC 9309). */
export interface UrlPatterns {
  /** Patterns of paths that are kept; everything is kept when left out. */
  readonly keep?: readonly string[] | undefined;
  /** Wins over `keep`. */
  readonly block?: readonly string[] | undefined;
}

/** Makes the test whether an address is one that the patterns let through; what is no address is none. */
export function createUrlFilter({ keep = [], block = [] }: UrlPatterns): (address: string) => boolean {
  const kept = keep.map(normalisePath);
  const blocked = block.map(normalisePath);
  return (address) => {
    const url = URL.parse(address);
    if (url === null) return false;
    const path = normalisePath(url.pathname + url.search);
    const matches = (pattern: string) => matchesPath(pattern, path);
    return !blocked.some(matches) && (kept.length === 0 || kept.some(matches));
  };
}
