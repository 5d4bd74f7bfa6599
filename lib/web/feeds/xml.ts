import { decodeHTMLStrict } from "entities/decode";
import { Parser } from "htmlparser2";
import { trimEnd } from "../../std/mod.ts";

const DECLARATION = /<!ENTITY\s+([\w.:-]{1,40})\s+(?:"([^"&%<]{0,200})"|'([^'&%<]{0,200})')\s*>/g;
const MAX_ENTITIES = 100;
const MAX_EXPANSIONS = 10_000;

/**
 * Returns the entities that a document's type declaration defines as short plain texts, as a function that expands
 * them; null when there are none. Entities made of others, and external ones, are left alone: no text grows without
 * bound.
 */
function ownEntities(source: string): ((text: string) => string) | null {
  const start = source.search(/<!DOCTYPE/i);
  if (start < 0 || start > 10_000) return null;
  const prolog = source.slice(start, start + 20_000);
  const values = new Map<string, string>();
  for (const [, name, double, single] of prolog.matchAll(DECLARATION)) {
    if (values.size >= MAX_ENTITIES) break;
    if (name !== undefined && !values.has(name)) values.set(name, double ?? single ?? "");
  }
  if (values.size === 0) return null;
  let left = MAX_EXPANSIONS;
  return (text) =>
    text.replace(/&([\w.:-]{1,40});/g, (entity, name: string) => (left-- > 0 ? (values.get(name) ?? entity) : entity));
}

// Namespaces as they are compared: without scheme and `www.`, in lower case, nothing but the name at the end.

/** Of the feed formats themselves: their elements go without a prefix. A `*` stands for whatever follows. */
const FEED_NAMESPACES = [
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
const NAMESPACES = [...FEED_NAMESPACES.map((namespace) => [namespace, ""] as const), ...PREFIXES];

/**
 * Returns the well-known prefix of a namespace, empty for those of the feed formats and for an undeclared `atom:` or
 * `rss:`. A namespace that nobody knows, or none, under a usual prefix is a misspelling of the usual one. Any other
 * gets the prefix that it was written with and a question mark before, so that a `title` of some extension is never
 * taken for the feed's.
 */
function prefixOf(space: string | undefined, written: string): string {
  if (space === undefined && (written === "atom" || written === "rss")) return "";
  const prefix = space === undefined ? undefined : knownPrefix(space);
  if (prefix !== undefined) return prefix;
  // An unknown namespace as the default of a whole feed is somebody's own name for RSS.
  return written === "" || USUAL.has(written) ? written : `?${written}`;
}

function knownPrefix(space: string): string | undefined {
  const name = trimEnd(space.toLowerCase().replace(/^https?:\/+(?:www\.)?/, ""), /[/#?]/);
  if (name === "") return "";
  return NAMESPACES.find(([known]) =>
    known.endsWith("*") ? name.startsWith(known.slice(0, -1)) : name === known,
  )?.[1];
}

/** An element of a feed. */
export interface XmlElement {
  /**
   * Local name in lower case, with a well-known prefix when it is in a namespace of another purpose: `title`,
   * `dc:date`.
   */
  readonly name: string;
  /** Names in lower case with the prefix as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
  readonly parent: XmlElement | null;
  /** It has no end tag of its own; so have empty elements. */
  readonly isUnclosed: boolean;
}

interface Growing extends XmlElement {
  readonly children: (XmlElement | string)[];
  isUnclosed: boolean;
  /** The usual prefix of each prefix that is declared here or around. */
  readonly prefixes: Readonly<Record<string, string>>;
}

/** Bounds of {@link readXml}. */
interface XmlLimits {
  /** Elements that are read; what comes after is left out. Default 200,000. */
  readonly maxElements?: number;
}

const MAX_DEPTH = 200;
/** The parser itself gets slow on elements nested deeper than this: the text ends there. */
const MAX_NESTING = 10_000;
const MAX_NAMESPACES = 50;
const PIECE = 65_536;

/**
 * Reads XML as it comes: unknown entities and prefixes, unclosed elements and bare ampersands are put up with. Returns
 * the root element, null for a text without one. Elements deeper than 200 levels are left out, and so is what follows
 * the most elements. Takes time in proportion to the text, whatever is in it.
 */
export function readXml(source: string, { maxElements = 200_000 }: XmlLimits = {}): XmlElement | null {
  let root: Growing | null = null;
  let current: Growing | null = null;
  let skipped = 0;
  let count = 0;
  let depth = 0;
  let inCdata = false;
  const entities = ownEntities(source);
  const decode = (text: string) => decodeHTMLStrict(entities === null ? text : entities(text));
  const parser = new Parser(
    {
      onopentag(raw, attributes) {
        if (skipped > 0 || depth >= MAX_DEPTH || ++count > maxElements || (root !== null && current === null)) {
          skipped++;
          return;
        }
        depth++;
        const element = grow(raw, attributes, current);
        current?.children.push(element);
        root ??= element;
        current = element;
      },
      ontext(text) {
        if (skipped === 0) current?.children.push(inCdata ? text : decode(text));
      },
      oncdatastart() {
        inCdata = true;
      },
      oncdataend() {
        inCdata = false;
      },
      onclosetag(_name, isImplied) {
        if (skipped > 0) skipped--;
        else if (current !== null) {
          current.isUnclosed = isImplied;
          depth--;
          current = current.parent as Growing | null;
        }
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  const text = closeCdata(source);
  let at = 0;
  while (at < text.length && count <= maxElements && skipped < MAX_NESTING) {
    // A piece ends behind a tag, so that no entity is cut in two.
    const end = text.indexOf(">", at + PIECE) + 1 || text.length;
    parser.write(text.slice(at, end));
    at = end;
  }
  parser.end();
  return root;
}

/** Closes a CDATA section that never ends: it takes the rest of the text. */
function closeCdata(source: string): string {
  const open = source.lastIndexOf("<![CDATA[");
  return open >= 0 && source.indexOf("]]>", open) < 0 ? `${source}]]>` : source;
}

function grow(raw: string, attributes: Record<string, string>, parent: Growing | null): Growing {
  const decodedAttributes: Record<string, string> = {};
  let prefixes = parent?.prefixes ?? {};
  let declared = 0;
  for (const [key, value] of Object.entries(attributes)) {
    const name = key.toLowerCase();
    const decoded = decodeHTMLStrict(value);
    decodedAttributes[name] ??= decoded;
    if ((name !== "xmlns" && !name.startsWith("xmlns:")) || ++declared > MAX_NAMESPACES) continue;
    const prefix = name.slice(6);
    prefixes = { ...prefixes, [prefix]: prefixOf(decoded.trim(), prefix) };
  }
  const colon = raw.indexOf(":");
  const prefix = colon < 0 ? "" : raw.slice(0, colon).toLowerCase();
  const local = raw.slice(colon + 1).toLowerCase();
  const usual = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : prefixOf(undefined, prefix);
  const name = usual === "" ? local : `${usual}:${local}`;
  return { name, attributes: decodedAttributes, children: [], parent, isUnclosed: false, prefixes };
}

/** Returns the child elements of that name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string" && child.name === name) as XmlElement[];
}

/** Returns the first child element with one of the names, in the order of the names. */
export function firstChild(element: XmlElement, ...names: string[]): XmlElement | undefined {
  for (const name of names) {
    const child = childrenOf(element, name)[0];
    if (child !== undefined) return child;
  }
  return undefined;
}

/** Returns all text under an element, as it stands. */
export function textUnder(element: XmlElement): string {
  let text = "";
  for (const child of element.children) text += typeof child === "string" ? child : textUnder(child);
  return text;
}

/** Returns the value of an attribute on the element or its nearest ancestor. */
export function inherited(element: XmlElement, attribute: string): string | undefined {
  for (let at: XmlElement | null = element; at !== null; at = at.parent) {
    const value = at.attributes[attribute];
    if (value !== undefined) return value;
  }
  return undefined;
}
