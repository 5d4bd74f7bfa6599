import { trimEnd } from "../../../std/mod.ts";

// Namespaces as they are compared: without scheme and `www.`, in lower case, nothing but the name at the end.

/** Of the feed formats themselves: their elements go without a prefix. A `*` stands for whatever follows. */
const OWN = [
  "backend.userland.com/rss*",
  "blogs.law.harvard.edu/tech/rss*",
  "purl.org/rss/1.0",
  "my.netscape.com/rdf/simple/0.9*",
  "channel.netscape.com/rdf/simple/0.9*",
  "purl.org/net/rss1.1*",
  "example.com/newformat*",
  "example.com/necho*",
  "purl.org/echo*",
  "uri/of/echo/namespace*",
  "purl.org/pie*",
  "purl.org/atom/ns*",
  "w3.org/2005/atom*",
  "purl.org/rss/1.0/modules/rss091*",
  "my.userland.com*",
  "sitemaps.org/schemas/sitemap*",
  "google.com/schemas/sitemap/*",
];

const PREFIXES: readonly (readonly [namespace: string, prefix: string])[] = [
  ["purl.org/dc/elements*", "dc"],
  ["purl.org/dc/terms*", "dcterms"],
  ["dublincore.org/documents/dcmi-namespace*", "dc"],
  ["purl.org/rss/1.0/modules/dc*", "dc"],
  ["purl.org/rss/1.0/modules/content*", "content"],
  ["itunes.com/dtds/podcast*", "itunes"],
  ["example.com/dtds/podcast-1.0.dtd*", "itunes"],
  ["search.yahoo.com/mrss*", "media"],
  ["video.search.yahoo.com/mrss*", "media"],
  ["rssboard.org/media-rss*", "media"],
  ["w3.org/1999/xhtml*", "xhtml"],
  ["w3.org/1999/02/22-rdf-syntax-ns*", "rdf"],
  ["google.com/schemas/sitemap-news*", "news"],
  ["google.com/schemas/sitemap-image*", "image"],
];

const USUAL = new Set(PREFIXES.map(([, prefix]) => prefix));
const KNOWN = [...OWN.map((namespace) => [namespace, ""] as const), ...PREFIXES];

/**
 * The well-known prefix of a namespace, empty for those of the feed formats and for an undeclared `atom:` or `rss:`. A
 * namespace that nobody knows, or none, under a usual prefix is a misspelling of the usual one. Any other gets the
 * prefix that it was written with and a question mark before, so that a `title` of some extension is never taken for
 * the feed's.
 */
export function prefixOf(space: string | undefined, written: string): string {
  if (space === undefined && (written === "atom" || written === "rss")) return "";
  const prefix = space === undefined ? undefined : knownPrefix(space);
  if (prefix !== undefined) return prefix;
  // An unknown namespace as the default of a whole feed is somebody's own name for RSS.
  return written === "" || USUAL.has(written) ? written : `?${written}`;
}

function knownPrefix(space: string): string | undefined {
  const name = trimEnd(space.toLowerCase().replace(/^https?:\/+(?:www\.)?/, ""), /[/#?]/);
  if (name === "") return "";
  return KNOWN.find(([known]) => (known.endsWith("*") ? name.startsWith(known.slice(0, -1)) : name === known))?.[1];
}
