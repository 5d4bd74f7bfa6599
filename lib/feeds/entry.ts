import { isoTime } from "../dates/iso-time.ts";
import { parseDate } from "../dates/parse-date.ts";
import { constructText } from "./construct.ts";
import { type Enclosure, type FeedEntry, MAX_PARTS } from "./feed.ts";
import { baseOf, webAddress } from "./links.ts";
import { authorsOf } from "./people.ts";
import { foldedText, plainTextOf } from "./plain-text.ts";
import { childrenOf, firstChild, inherited, textUnder, type XmlElement } from "../xml/read-xml.ts";

const PUBLISHED = ["published", "issued", "pubdate", "dcterms:issued", "dc:date", "created", "dcterms:created"];
const UPDATED = ["updated", "modified", "dcterms:modified", "dc:date", "lastbuilddate"];

/** Reads an entry: Atom's `entry`, RSS's and RDF's `item`, CDF's `item`. */
export function readEntry(item: XmlElement, feedUrl: string | undefined): FeedEntry {
  const isAtom = item.name === "entry";
  const base = baseOf(item, feedUrl);
  const id = idOf(item, base);
  const link = linkOf(item, feedUrl) ?? permalink(item, base);
  // Of a description and a summary, the second is the longer text.
  const [short, long] = item.children.filter(isShortText);
  const summary = short ?? firstChild(item, "abstract", "dc:description", "itunes:summary", "media:description");
  const content = firstChild(item, "content:encoded", "content", "xhtml:body", "body", "fullitem", "xhtml:div") ?? long;
  return {
    id: id || (link ?? ""),
    title: oneLine(
      constructText(firstChild(item, "title", "dc:title", "media:title"), isAtom ? "text" : "html") ||
        foldedText(item.attributes.title ?? ""),
    ),
    link,
    publishedAt: timeOf(item, PUBLISHED) ?? attributeTime(item),
    updatedAt: timeOf(item, UPDATED) ?? attributeTime(item),
    author: authorsOf(item),
    contentText: constructText(content, isAtom && content?.name === "content" ? "text" : "html"),
    summaryText: constructText(summary, isAtom && summary?.name === "summary" ? "text" : "html"),
    categories: categoriesOf(item),
    enclosures: enclosuresOf(item, base),
  };
}

function isShortText(child: XmlElement | string): child is XmlElement {
  return typeof child !== "string" && (child.name === "summary" || child.name === "description");
}

/** The first readable date among the children, ISO 8601 UTC; of several with one name the last counts. */
export function timeOf(element: XmlElement, names: readonly string[]): string | null {
  for (const name of names) {
    const last = childrenOf(element, name).at(-1);
    const date = last === undefined ? null : parseDate(textUnder(last), { dayFirst: true });
    if (date !== null) return isoTime(date);
  }
  return null;
}

/** CDF writes the time of the last change into an attribute. */
function attributeTime(item: XmlElement): string | null {
  return isoTime(parseDate(item.attributes.lastmod ?? ""));
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

/** The address of the page that an entry or feed is about: the alternate link, the plain one, or CDF's `href`. */
export function linkOf(element: XmlElement, feedUrl: string | undefined): string | null {
  const links = childrenOf(element, "link");
  for (const link of links) {
    const rel = (link.attributes.rel ?? "alternate").toLowerCase().trim();
    if (link.attributes.href !== undefined && (rel === "alternate" || rel.endsWith("/alternate") || rel === "")) {
      const found = webAddress(link.attributes.href, baseOf(link, feedUrl));
      if (found !== null) return found;
    }
  }
  for (const link of links) {
    const found = webAddress(textUnder(link), baseOf(link, feedUrl));
    if (found !== null) return found;
  }
  return webAddress(element.attributes.href, baseOf(element, feedUrl));
}

/** A `guid` is the address of the entry unless it says otherwise. */
function permalink(item: XmlElement, base: string | undefined): string | null {
  const guid = firstChild(item, "guid");
  if (guid === undefined || guid.attributes.ispermalink?.toLowerCase() === "false") return null;
  const value = textUnder(guid).trim();
  return /^https?:/i.test(value) || guid.attributes.ispermalink !== undefined ? webAddress(value, base) : null;
}

function categoriesOf(item: XmlElement): string[] {
  const found = new Set<string>();
  for (const name of ["category", "dc:subject", "itunes:category", "media:category", "keywords", "itunes:keywords"]) {
    for (const element of withNested(childrenOf(item, name).slice(0, MAX_PARTS), name)) {
      const text = element.attributes.term ?? element.attributes.label ?? element.attributes.text ?? ownText(element);
      const parts = name.endsWith("keywords") ? text.split(/[,،]/, MAX_PARTS) : [text];
      for (const part of parts) {
        if (found.size >= MAX_PARTS) return [...found];
        const category = oneLine(plainTextOf(part));
        if (category !== "") found.add(category);
      }
    }
  }
  return [...found];
}

function ownText(element: XmlElement): string {
  const own = element.children.filter((child) => typeof child === "string" || child.name !== element.name);
  return textUnder({ ...element, children: own });
}

/** iTunes nests the narrower category in the wider one. */
function withNested(elements: readonly XmlElement[], name: string): XmlElement[] {
  return elements.flatMap((element) => [element, ...childrenOf(element, name)]);
}

function enclosuresOf(item: XmlElement, base: string | undefined): Enclosure[] {
  const elements = [
    ...childrenOf(item, "enclosure"),
    ...childrenOf(item, "link").filter((link) => link.attributes.rel?.toLowerCase() === "enclosure"),
    ...[item, ...childrenOf(item, "media:group")].flatMap((group) => childrenOf(group, "media:content")),
  ];
  const found = new Map<string, Enclosure>();
  for (const { attributes } of elements.slice(0, MAX_PARTS)) {
    const url = webAddress(attributes.url ?? attributes.href, base);
    if (url === null || found.has(url)) continue;
    const length = Number.parseInt(attributes.length ?? attributes.filesize ?? "", 10);
    const type = attributes.type?.trim() || null;
    found.set(url, { url, type, length: Number.isNaN(length) || length < 0 ? null : length });
  }
  return [...found.values()];
}

/** The language that an element or its surroundings declare. */
export function declaredLanguage(element: XmlElement): string | null {
  const child = firstChild(element, "language", "dc:language");
  return (child === undefined ? undefined : textUnder(child).trim()) || inherited(element, "xml:lang")?.trim() || null;
}

/** A text on one line. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}
