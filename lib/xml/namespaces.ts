// The namespaces of the feed formats themselves: their elements go without a prefix.
const OWN =
  /^(?:$|http:\/\/(?:backend\.userland\.com\/rss|blogs\.law\.harvard\.edu\/tech\/rss|purl\.org\/rss\/1\.0\/?$|my\.netscape\.com\/rdf\/simple\/0\.9\/|channel\.netscape\.com\/rdf\/simple\/0\.9\/|purl\.org\/net\/rss1\.1#|example\.com\/newformat#|example\.com\/necho|purl\.org\/echo\/|uri\/of\/echo\/namespace#|purl\.org\/pie\/|purl\.org\/atom\/ns#|www\.w3\.org\/2005\/atom|purl\.org\/rss\/1\.0\/modules\/rss091#|my\.userland\.com))/i;

const KNOWN: readonly (readonly [pattern: RegExp, prefix: string])[] = [
  [/^http:\/\/purl\.org\/dc\/elements\/1\.[01]\/?/i, "dc"],
  [/^http:\/\/purl\.org\/dc\/terms\/?/i, "dcterms"],
  [/^http:\/\/purl\.org\/rss\/1\.0\/modules\/content\/?/i, "content"],
  [/^http:\/\/www\.itunes\.com\/dtds\/podcast-1\.0\.dtd/i, "itunes"],
  [/^http:\/\/example\.com\/dtds\/podcast-1\.0\.dtd/i, "itunes"],
  [/^http:\/\/(?:search\.yahoo\.com\/mrss|www\.rssboard\.org\/media-rss)\/?/i, "media"],
  [/^http:\/\/www\.w3\.org\/1999\/xhtml/i, "xhtml"],
  [/^http:\/\/www\.w3\.org\/1999\/02\/22-rdf-syntax-ns#/i, "rdf"],
  [/^https?:\/\/www\.google\.com\/schemas\/sitemap-news\//i, "news"],
  [/^https?:\/\/www\.google\.com\/schemas\/sitemap-image\//i, "image"],
  [/^https?:\/\/www\.sitemaps\.org\/schemas\/sitemap\//i, ""],
  [/^http:\/\/www\.google\.com\/schemas\/sitemap\//i, ""],
];

const USUAL = new Set(["dc", "dcterms", "content", "itunes", "media", "xhtml", "rdf", "news", "image"]);

/**
 * The well-known prefix of a namespace, empty for those of the feed formats and for an undeclared `atom:` or `rss:`. One
 * that is not declared keeps the prefix that it was written with; an unknown one gets it with a question mark before, so
 * that a `title` of some extension is never taken for the feed's.
 */
export function prefixOf(space: string | undefined, written: string): string {
  if (space === undefined) {
    if (written === "" || written === "atom" || written === "rss") return "";
    return USUAL.has(written) ? written : `?${written}`;
  }
  if (OWN.test(space)) return "";
  for (const [pattern, prefix] of KNOWN) if (pattern.test(space)) return prefix;
  // An unknown namespace as the default of a whole feed is somebody's own name for RSS.
  return written === "" ? "" : `?${written}`;
}
