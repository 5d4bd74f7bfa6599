import { trimEnd } from "../../../std/mod.ts";
import { webAddress } from "../links.ts";
import { foldedText } from "../plain-text.ts";
import { childrenOf, firstChild, readXml, textUnder, type XmlElement } from "../xml/read-xml.ts";
import { type OpmlDocument, OpmlError, type OpmlFeed, type OpmlProblem } from "./opml.ts";

const MAX_CHARS = 10_000_000;
const MAX_FEEDS = 20_000;
/** Prefix of the attributes that OPML does not know. */
export const EXTRA = "isnad:";

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
  const own = Object.entries(attributes).filter(([name]) => name.startsWith(EXTRA));
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
    extra: Object.fromEntries(own.map(([name, value]) => [name.slice(EXTRA.length), value])),
  };
}
