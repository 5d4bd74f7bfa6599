import { childrenOf, firstChild, readXml, type XmlElement } from "./xml.ts";
import { authorsOf, constructText } from "./construct.ts";
import { declaredLanguage, linkOf, oneLine, readEntry } from "./entry.ts";
import { type Feed, FeedError, type FeedOptions, MAX_ENTRIES } from "./feed.ts";
import { readJsonFeed } from "./json-feed.ts";

const FORMATS: Readonly<Record<string, Feed["format"]>> = {
  rss: "rss",
  feed: "atom",
  entry: "atom",
  "rdf:rdf": "rdf",
  rdf: "rdf",
  channel: "cdf",
};
const MAX_CHARS = 20_000_000;

/** `Accept` header for an address that is to be a feed. */
export const FEED_TYPES =
  "application/rss+xml, application/atom+xml, application/feed+json, application/rdf+xml, " +
  "application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5";

/**
 * Reads a feed: RSS 0.90 to 2.0, RSS 1.0 (RDF), Atom 0.3 and 1.0, CDF, JSON Feed; well-formed or not. Throws FeedError
 * `not-a-feed` for an HTML page or anything else, `too-large` beyond 20 million characters, RangeError for an unknown
 * zone. At most 5,000 entries are read.
 */
export function readFeed(source: string, options: FeedOptions = {}): Feed {
  if (source.length > MAX_CHARS) throw new FeedError("too-large", `the feed is longer than ${MAX_CHARS} characters`);
  const text = source.replace(/^[\s\ufeff\0]+/, "");
  if (text.startsWith("{")) return readJsonFeed(text, options);
  const root = readXml(text);
  const format = root === null ? undefined : FORMATS[root.name];
  if (root === null || format === undefined) {
    throw new FeedError("not-a-feed", root === null ? "there is no element" : `the root element is <${root.name}>`);
  }
  const channel = childrenOf(root, "channel")[0] ?? root;
  const entries = root.name === "entry" ? [root] : itemsOf(root, channel);
  const author = authorsOf(channel);
  return {
    format,
    title: oneLine(constructText(firstChild(channel, "title", "dc:title"), format === "atom" ? "text" : "html")),
    link: linkOf(channel, options.url),
    language: declaredLanguage(channel),
    entries: entries.slice(0, MAX_ENTRIES).map((item) => {
      const entry = readEntry(item, options);
      // In Atom a feed's author is that of its entries.
      return format === "atom" && entry.author === "" ? { ...entry, author } : entry;
    }),
  };
}

function itemsOf(root: XmlElement, channel: XmlElement): XmlElement[] {
  const items = (parent: XmlElement) => [...childrenOf(parent, "item"), ...childrenOf(parent, "entry")];
  return root === channel ? items(root) : [...items(channel), ...items(root)];
}
