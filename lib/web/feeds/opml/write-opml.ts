import type { OpmlFeed } from "./opml.ts";
import { EXTRA } from "./read-opml.ts";

const NAMESPACE = "urn:isnad:opml";

/** What {@link writeOpml} writes; of a feed only the address and the title are needed. */
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
  const made: Folder = { folders: new Map(), lines: [] };
  folder.folders.set(name, made);
  return made;
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
