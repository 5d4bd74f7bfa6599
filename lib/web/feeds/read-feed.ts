import { isObject, parseJsonObject } from "../../std/mod.ts";
import { isoTime, parseDate } from "../../text/dates/machine-dates.ts";
import { authorsOf, constructText, foldedText, plainTextOf, webAddress } from "./text.ts";
import {
  declaredLanguage,
  type Enclosure,
  type Feed,
  type FeedEntry,
  FeedError,
  type FeedOptions,
  linkOf,
  MAX_ENTRIES,
  MAX_PARTS,
  oneLine,
  readEntry,
} from "./entry.ts";
import { childrenOf, firstChild, readXml, type XmlElement } from "./xml.ts";

type Json = { readonly [key: string]: unknown };

/** Reads a JSON Feed, versions 1.0 and 1.1. Throws FeedError for anything else. */
export function readJsonFeed(source: string, { url, zone }: FeedOptions = {}): Feed {
  const root = parseJsonObject(source);
  if (root === undefined || !(Array.isArray(root.items) || text(root.version).includes("jsonfeed.org"))) {
    throw new FeedError("not-a-feed", "JSON, but not a JSON Feed");
  }
  const link = webAddress(text(root.home_page_url), url);
  const base = webAddress(text(root.feed_url), url) ?? url ?? link ?? undefined;
  return {
    format: "json",
    title: oneLine(plainTextOf(text(root.title))),
    link,
    language: text(root.language) || null,
    entries: list(Array.isArray(root.items) ? root.items.slice(0, MAX_ENTRIES) : []).map((item) =>
      readItem(item, { base, zone, feedAuthors: jsonAuthors(root) }),
    ),
  };
}

/** Properties of a feed that hold for all its items. */
interface Surroundings {
  readonly base: string | undefined;
  readonly zone: string | undefined;
  readonly feedAuthors: string;
}

function readItem(item: Json, { base, zone, feedAuthors }: Surroundings): FeedEntry {
  const link = webAddress(text(item.url), base) ?? webAddress(text(item.external_url), base);
  return {
    id: text(item.id) || (link ?? ""),
    title: oneLine(plainTextOf(text(item.title))),
    link,
    publishedAt: time(item.date_published, zone),
    updatedAt: time(item.date_modified, zone),
    author: jsonAuthors(item) || feedAuthors,
    contentText:
      text(item.content_html) === "" ? foldedText(text(item.content_text)) : plainTextOf(text(item.content_html)),
    summaryText: plainTextOf(text(item.summary)),
    categories: [
      ...new Set(
        [item.tags]
          .flat()
          .slice(0, MAX_PARTS)
          .map(text)
          .map(plainTextOf)
          .filter((tag) => tag !== ""),
      ),
    ],
    enclosures: list(item.attachments)
      .slice(0, MAX_PARTS)
      .flatMap((attachment) => enclosure(attachment, base)),
    image: webAddress(text(item.image), base) ?? webAddress(text(item.banner_image), base),
  };
}

function enclosure(attachment: Json, base: string | undefined): Enclosure[] {
  const url = webAddress(text(attachment.url), base);
  if (url === null) return [];
  const size = attachment.size_in_bytes;
  return [
    { url, type: text(attachment.mime_type) || null, length: typeof size === "number" && size >= 0 ? size : null },
  ];
}

function jsonAuthors(value: Json): string {
  const people = [...list(value.authors), ...list([value.author])];
  return [
    ...new Set(people.map((person) => oneLine(plainTextOf(text(person.name)))).filter((name) => name !== "")),
  ].join(", ");
}

function time(value: unknown, zone: string | undefined): string | null {
  return isoTime(parseDate(text(value), zone === undefined ? {} : { zone }));
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

function text(value: unknown): string {
  if (typeof value === "number") return String(value);
  return typeof value === "string" ? value.trim() : "";
}

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
