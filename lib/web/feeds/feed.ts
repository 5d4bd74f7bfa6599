import { isObject, parseJsonObject } from "../../std/mod.ts";
import { isoTime, parseDate } from "../../text/dates/machine-dates.ts";
import { authorsOf, baseOf, constructText, foldedText, plainTextOf, webAddress } from "./text.ts";
import { childrenOf, firstChild, inherited, readXml, textUnder, type XmlElement } from "./xml.ts";

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

/** A file that an entry brings along. */
interface Enclosure {
  readonly url: string;
  readonly type: string | null;
  /** Bytes. */
  readonly length: number | null;
}

/** Entries that are read of a feed, and of an entry its categories and enclosures. */
const MAX_ENTRIES = 5000;
const MAX_PARTS = 200;

/** One entry of a feed. Texts are plain: no markup, white space folded, an empty line between paragraphs. */
export interface FeedEntry {
  /** As the feed gives it, else the link. */
  readonly id: string;
  readonly title: string;
  readonly link: string | null;
  /** ISO 8601 UTC. */
  readonly publishedAt: string | null;
  readonly updatedAt: string | null;
  readonly author: string;
  /** The whole text, empty when the feed gives none. */
  readonly contentText: string;
  readonly summaryText: string;
  readonly categories: readonly string[];
  readonly enclosures: readonly Enclosure[];
  /**
   * The picture that stands for it, where the feed names one that is no enclosure: a thumbnail, the cover of an
   * episode.
   */
  readonly image: string | null;
}

/** A feed of any format. */
export interface Feed {
  readonly format: "rss" | "atom" | "rdf" | "cdf" | "json";
  readonly title: string;
  readonly link: string | null;
  /** As the feed gives it, for instance `ar` or `en-GB`. */
  readonly language: string | null;
  readonly entries: readonly FeedEntry[];
}

/** Origin of a feed. */
interface FeedOptions {
  /** The feed's own address: relative links are resolved against it. */
  readonly url?: string;
  /** IANA time zone of times that name none. Default UTC. */
  readonly zone?: string;
}

/** The text is no feed, or too large to read as one. */
export class FeedError extends Error {
  override name = "FeedError";
  readonly code: "not-a-feed" | "too-large";
  constructor(code: FeedError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

/** Returns the entry, and the groups of media in it: what says something of all of a group stands there. */
function withMedia(item: XmlElement): XmlElement[] {
  const outer = [item, ...childrenOf(item, "media:group")].slice(0, MAX_PARTS);
  return [...outer, ...outer.flatMap((element) => childrenOf(element, "media:content")).slice(0, MAX_PARTS)];
}

/** Returns the files that an entry brings along, each address once. */
function enclosuresOf(item: XmlElement, base: string | undefined): Enclosure[] {
  const elements = [
    ...childrenOf(item, "enclosure"),
    ...childrenOf(item, "link").filter((link) => link.attributes.rel?.toLowerCase() === "enclosure"),
    ...withMedia(item).filter(({ name }) => name === "media:content"),
  ];
  const byUrl = new Map<string, Enclosure>();
  for (const { attributes } of elements.slice(0, MAX_PARTS)) {
    const url = webAddress(attributes.url ?? attributes.href, base);
    if (url === null || byUrl.has(url)) continue;
    const length = Number.parseInt(attributes.length ?? attributes.filesize ?? "", 10);
    const type = attributes.type?.trim() || null;
    byUrl.set(url, { url, type, length: Number.isNaN(length) || length < 0 ? null : length });
  }
  return [...byUrl.values()];
}

/** Returns the address of the picture that stands for an entry. */
function imageOf(item: XmlElement, base: string | undefined): string | null {
  const places = withMedia(item);
  const pictures = [
    ...places.filter(({ attributes }) => attributes.medium?.toLowerCase() === "image"),
    ...places.flatMap((place) => childrenOf(place, "media:thumbnail").slice(0, MAX_PARTS)),
    ...childrenOf(item, "itunes:image"),
  ];
  for (const { attributes } of pictures) {
    const address = webAddress(attributes.url ?? attributes.href, base);
    if (address !== null) return address;
  }
  return null;
}

const PUBLISHED = ["published", "issued", "pubdate", "dcterms:issued", "dc:date", "created", "dcterms:created"];
const UPDATED = ["updated", "modified", "dcterms:modified", "dc:date", "lastbuilddate"];

/** Reads an entry: Atom's `entry`, RSS's and RDF's `item`, CDF's `item`. */
export function readEntry(item: XmlElement, { url: feedUrl, zone }: FeedOptions): FeedEntry {
  const isAtom = item.name === "entry";
  const base = baseOf(item, feedUrl);
  const id = idOf(item, base);
  const link = linkOf(item, feedUrl) ?? permalink(item, base);
  // Of a description and a summary, the second is the longer text.
  const [short, long] = item.children.filter(isShortText);
  const content = firstChild(item, "content:encoded", "content", "xhtml:body", "body", "fullitem", "xhtml:div") ?? long;
  const changed = isoTime(parseDate(item.attributes.lastmod ?? "", zoned(zone)));
  return {
    id: id || (link ?? ""),
    title: titleOf(item, isAtom),
    link,
    publishedAt: timeOf(item, PUBLISHED, zone) ?? changed,
    updatedAt: timeOf(item, UPDATED, zone) ?? changed,
    author: authorsOf(item),
    contentText: constructText(content, isAtom && content?.name === "content" ? "text" : "html"),
    summaryText:
      constructText(short, isAtom && short?.name === "summary" ? "text" : "html") ||
      firstText(item, ["abstract", "dc:description", "itunes:summary", "media:description", "itunes:subtitle"]),
    categories: categoriesOf(item),
    enclosures: enclosuresOf(item, base),
    image: imageOf(item, base),
  };
}

function titleOf(item: XmlElement, isAtom: boolean): string {
  const title = constructText(firstChild(item, "title"), isAtom ? "text" : "html");
  const other = title || firstText(item, ["dc:title", "itunes:title", "media:title"]);
  return oneLine(other || foldedText(item.attributes.title ?? ""));
}

function isShortText(child: XmlElement | string): child is XmlElement {
  return typeof child !== "string" && (child.name === "summary" || child.name === "description");
}

/** Returns the first text that is not empty among the elements of these names, in the order of the names. */
function firstText(item: XmlElement, names: readonly string[]): string {
  const places = withMedia(item);
  for (const name of names) {
    for (const place of places) {
      const text = constructText(firstChild(place, name));
      if (text !== "") return text;
    }
  }
  return "";
}

/** Returns the first readable date among the children, ISO 8601 UTC; of several with one name the last counts. */
function timeOf(element: XmlElement, names: readonly string[], zone: string | undefined): string | null {
  for (const name of names) {
    const last = childrenOf(element, name).at(-1);
    const date = last === undefined ? null : parseDate(textUnder(last), { dayFirst: true, ...zoned(zone) });
    if (date !== null) return isoTime(date);
  }
  return null;
}

function zoned(zone: string | undefined): { zone?: string } {
  return zone === undefined ? {} : { zone };
}

function idOf(item: XmlElement, base: string | undefined): string {
  const element = firstChild(item, "id", "guid");
  const id = element === undefined ? "" : oneLine(textUnder(element));
  if (element === undefined) return item.attributes["rdf:about"]?.trim() ?? "";
  // An Atom id is an IRI; one that is relative means the feed's base.
  const declared = baseOf(element, undefined);
  const relative = declared === undefined ? /^[/.?]/.test(id) : !/^[a-z][a-z0-9+.-]*:|\s/i.test(id);
  return relative && element.name === "id" ? (webAddress(id, declared ?? base) ?? id) : id;
}

/**
 * Returns the address of the page that an entry or feed is about: the alternate link, HTML first, the plain one, or
 * CDF's `href`.
 */
function linkOf(element: XmlElement, feedUrl: string | undefined): string | null {
  const links = childrenOf(element, "link");
  const alternates = links.filter(isAlternate);
  for (const link of [...alternates.filter(isHtml), ...alternates]) {
    const address = webAddress(link.attributes.href, baseOf(link, feedUrl));
    if (address !== null) return address;
  }
  for (const link of links) {
    const address = webAddress(textUnder(link), baseOf(link, feedUrl));
    if (address !== null) return address;
  }
  return webAddress(element.attributes.href, baseOf(element, feedUrl));
}

function isAlternate({ attributes }: XmlElement): boolean {
  const rel = (attributes.rel ?? "").toLowerCase().trim();
  return attributes.href !== undefined && (rel === "" || rel === "alternate" || rel.endsWith("/alternate"));
}

function isHtml({ attributes }: XmlElement): boolean {
  return /^(?:text\/html|application\/xhtml\+xml)\b/i.test(attributes.type?.trim() ?? "");
}

/** Returns the address of a `guid`, which is the entry's unless it says otherwise. */
function permalink(item: XmlElement, base: string | undefined): string | null {
  const guid = firstChild(item, "guid");
  if (guid === undefined || guid.attributes.ispermalink?.toLowerCase() === "false") return null;
  const value = textUnder(guid).trim();
  return /^https?:/i.test(value) || guid.attributes.ispermalink !== undefined ? webAddress(value, base) : null;
}

function categoriesOf(item: XmlElement): string[] {
  const categories = new Set<string>();
  for (const name of ["category", "dc:subject", "itunes:category", "media:category", "keywords", "itunes:keywords"]) {
    for (const element of withNested(childrenOf(item, name).slice(0, MAX_PARTS), name)) {
      const text = element.attributes.term ?? element.attributes.label ?? element.attributes.text ?? ownText(element);
      const parts = name.endsWith("keywords") ? text.split(/[,،]/, MAX_PARTS) : [text];
      for (const part of parts) {
        if (categories.size >= MAX_PARTS) return [...categories];
        const category = oneLine(plainTextOf(part));
        if (category !== "") categories.add(category);
      }
    }
  }
  return [...categories];
}

function ownText(element: XmlElement): string {
  const children = element.children.filter((child) => typeof child === "string" || child.name !== element.name);
  return textUnder({ ...element, children });
}

/** iTunes nests the narrower category in the wider one. */
function withNested(elements: readonly XmlElement[], name: string): XmlElement[] {
  return elements.flatMap((element) => [element, ...childrenOf(element, name)]);
}

/** Returns the language that an element or its surroundings declare. */
function declaredLanguage(element: XmlElement): string | null {
  const child = firstChild(element, "language", "dc:language");
  return (child === undefined ? undefined : textUnder(child).trim()) || inherited(element, "xml:lang")?.trim() || null;
}

/** Returns a text on one line. */
function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
