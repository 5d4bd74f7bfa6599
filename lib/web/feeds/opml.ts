import { trimEnd } from "../../std/mod.ts";
import { foldedText, webAddress } from "./text.ts";
import { childrenOf, firstChild, readXml, textUnder, type XmlElement } from "./xml.ts";

/** A feed that an OPML file lists. */
export interface OpmlFeed {
  readonly title: string;
  /** The feed's address, http or https. */
  readonly xmlUrl: string;
  /** The address of the site. */
  readonly htmlUrl: string | null;
  readonly description: string;
  readonly language: string | null;
  /** The outlines around it, outermost first. */
  readonly folders: readonly string[];
  /** Categories of its `category` attribute, slashes at the ends removed. */
  readonly categories: readonly string[];
  /** Its attributes with the prefix `isnad:`, names without it in lower case: what a source has beyond OPML. */
  readonly extra: Readonly<Record<string, string>>;
}

/** An outline that could not be read as a feed. */
interface OpmlProblem {
  readonly title: string;
  /**
   * `no-address` (an outline without feeds), `bad-address` (not http or https), `duplicate`, `link` (an outline that
   * includes another file).
   */
  readonly reason: "no-address" | "bad-address" | "duplicate" | "link";
  /** The address as written, empty for none. */
  readonly address: string;
}

/** An OPML file as a flat list of feeds. */
export interface OpmlDocument {
  readonly title: string;
  readonly feeds: readonly OpmlFeed[];
  readonly problems: readonly OpmlProblem[];
}

/** The text is no OPML, or too large to read as one. */
export class OpmlError extends Error {
  override name = "OpmlError";
  readonly code: "not-opml" | "too-large";
  constructor(code: OpmlError["code"], message: string) {
    super(message);
    this.code = code;
  }
}

const MAX_CHARS = 10_000_000;
const MAX_FEEDS = 20_000;
/** Prefix of the attributes that OPML does not know. */
const EXTRA = "isnad:";

/**
 * Reads OPML 1.0 and 2.0: nested outlines become folders. An outline with an `xmlUrl` is a feed whatever its `type`
 * says; one that is neither a feed nor a folder is among the problems, as is the second of two with the same address.
 * At most 20,000 feeds are read. Throws OpmlError `not-opml`, or `too-large` beyond ten million characters.
 */
export function readOpml(source: string): OpmlDocument {
  if (source.length > MAX_CHARS) throw new OpmlError("too-large", `the file is longer than ${MAX_CHARS} characters`);
  const root = readXml(source.replace(/^[\s\ufeff\0]+/, ""));
  if (root === null) throw new OpmlError("not-opml", "there is no element");
  if (root.name !== "opml") throw new OpmlError("not-opml", `the root element is <${root.name}>`);
  const body = firstChild(root, "body");
  if (body === undefined) throw new OpmlError("not-opml", "there is no <body>");
  const head = firstChild(root, "head");
  const title = head === undefined ? undefined : firstChild(head, "title");
  const feeds = new Map<string, OpmlFeed>();
  const problems: OpmlProblem[] = [];
  const walk = (parent: XmlElement, folders: readonly string[]) => {
    for (const outline of childrenOf(parent, "outline")) {
      if (feeds.size >= MAX_FEEDS) return;
      const name = nameOf(outline);
      const inner = childrenOf(outline, "outline");
      const feed = readOutline(outline, name, folders);
      if ("reason" in feed) {
        if (feed.reason !== "no-address" || inner.length === 0) problems.push(feed);
      } else if (feeds.has(feed.xmlUrl)) problems.push({ title: name, reason: "duplicate", address: feed.xmlUrl });
      else feeds.set(feed.xmlUrl, feed);
      walk(outline, name === "" ? folders : [...folders, name]);
    }
  };
  walk(body, []);
  return { title: title === undefined ? "" : foldedText(textUnder(title)), feeds: [...feeds.values()], problems };
}

function nameOf({ attributes }: XmlElement): string {
  return foldedText(attributes.title ?? "") || foldedText(attributes.text ?? "");
}

function readOutline({ attributes }: XmlElement, title: string, folders: readonly string[]): OpmlFeed | OpmlProblem {
  const address = attributes.xmlurl?.trim() ?? "";
  if (address === "") {
    const isLink = /^(?:link|include)$/i.test(attributes.type ?? "");
    return { title, reason: isLink ? "link" : "no-address", address: attributes.url?.trim() ?? "" };
  }
  const xmlUrl = webAddress(address, undefined);
  if (xmlUrl === null) return { title, reason: "bad-address", address };
  const extras = Object.entries(attributes).filter(([name]) => name.startsWith(EXTRA));
  return {
    title: title || xmlUrl,
    xmlUrl,
    htmlUrl: webAddress(attributes.htmlurl, undefined),
    description: foldedText(attributes.description ?? ""),
    language: attributes.language?.trim() || null,
    folders,
    categories: [
      ...new Set(
        (attributes.category ?? "")
          .split(",")
          .map((category) => trimEnd(foldedText(category).replace(/^\/+/, ""), /\//))
          .filter((category) => category !== ""),
      ),
    ],
    extra: Object.fromEntries(extras.map(([name, value]) => [name.slice(EXTRA.length), value])),
  };
}

const NAMESPACE = "urn:isnad:opml";

/** Input of {@link writeOpml}; of a feed only the address and the title are needed. */
export interface OpmlInput {
  readonly title: string;
  readonly createdAt?: Date;
  readonly feeds: readonly (Pick<OpmlFeed, "title" | "xmlUrl"> & Partial<OpmlFeed>)[];
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly lines: string[];
}

/**
 * Writes OPML 2.0: feeds in the order given, each within the outlines of its `folders`; `readOpml` gives the same feeds
 * back. Throws RangeError for an `extra` name that is no XML name in lower case.
 */
export function writeOpml({ title, createdAt, feeds }: OpmlInput): string {
  const top: Folder = { folders: new Map(), lines: [] };
  for (const feed of feeds) {
    let folder = top;
    for (const name of feed.folders ?? []) folder = inner(folder, name);
    folder.lines.push(outlineOf(feed));
  }
  const extended = feeds.some((feed) => Object.keys(feed.extra ?? {}).length > 0);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<opml version="2.0"${extended ? attribute("xmlns:isnad", NAMESPACE) : ""}>`,
    "  <head>",
    `    <title>${escaped(title)}</title>`,
    ...(createdAt === undefined ? [] : [`    <dateCreated>${createdAt.toUTCString()}</dateCreated>`]),
    "  </head>",
    "  <body>",
    ...linesOf(top, "    "),
    "  </body>",
    "</opml>",
    "",
  ].join("\n");
}

function inner(folder: Folder, name: string): Folder {
  const existing = folder.folders.get(name);
  if (existing !== undefined) return existing;
  const nested: Folder = { folders: new Map(), lines: [] };
  folder.folders.set(name, nested);
  return nested;
}

function linesOf(folder: Folder, indent: string): string[] {
  const lines = folder.lines.map((line) => indent + line);
  for (const [name, child] of folder.folders) {
    lines.push(`${indent}<outline${attribute("text", name)}>`, ...linesOf(child, `${indent}  `), `${indent}</outline>`);
  }
  return lines;
}

function outlineOf(feed: OpmlInput["feeds"][number]): string {
  const extra = Object.entries(feed.extra ?? {}).map(([name, value]) => {
    if (!/^[a-z_][a-z0-9_.-]*$/.test(name)) throw new RangeError(`no attribute name: ${name}`);
    return attribute(EXTRA + name, value);
  });
  return [
    `<outline type="rss"${attribute("text", feed.title)}`,
    attribute("xmlUrl", feed.xmlUrl),
    attribute("htmlUrl", feed.htmlUrl ?? ""),
    attribute("description", feed.description ?? ""),
    attribute("language", feed.language ?? ""),
    attribute("category", (feed.categories ?? []).join(",")),
    ...extra,
    "/>",
  ].join("");
}

function attribute(name: string, value: string): string {
  return value === "" ? "" : ` ${name}="${escaped(value)}"`;
}

function escaped(text: string): string {
  return text
    .toWellFormed()
    .replace(/(?![\t\n\r])\p{Cc}/gu, "")
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;")
    .replace(/[\t\n\r]/g, (space) => `&#${space.charCodeAt(0)};`);
}
