import { generateAtomFeed, generateJsonFeed } from "feedsmith";

/** An entry of a feed; texts are plain, times ISO 8601. */
export type FeedItem = {
  /** A URI that stays the same. */
  id: string;
  url: string;
  title: string;
  summary?: string | undefined;
  authors?: readonly string[] | undefined;
  lang?: string | null | undefined;
  /** Its publication, and its coming into this feed. */
  publishedAt: string | null;
  updatedAt: string;
};

/** A feed to be written, newest entries first. */
export type OutgoingFeed = {
  id: string;
  title: string;
  /** The address under which the feed is read. */
  self: string;
  /** Its last change. */
  updatedAt: string;
  items: readonly FeedItem[];
};

/** Matches what XML 1.0 has no place for: control characters, halves of characters, and U+FFFE and U+FFFF. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;

/** Matches the blanks that the writer puts around a text in CDATA. */
const BEFORE_TEXT = />\n *<!\[CDATA\[/g;
const AFTER_TEXT = /\]\]>\n *<\//g;

/** Writes an Atom feed (RFC 4287). Who has no author is by the feed's title, for an entry must have one. */
export function writeAtom({ id, title, self, updatedAt, items }: OutgoingFeed): string {
  const xml = generateAtomFeed({
    id: clean(id),
    title: { value: clean(title) },
    updated: new Date(updatedAt),
    links: [{ href: self, rel: "self", type: "application/atom+xml" }],
    authors: [{ name: clean(title) }],
    entries: items.map((item) => ({
      id: clean(item.id),
      title: { value: clean(item.title) },
      updated: new Date(item.updatedAt),
      ...(item.publishedAt !== null && { published: new Date(item.publishedAt) }),
      links: [{ href: clean(item.url), rel: "alternate", ...(item.lang && { hreflang: item.lang }) }],
      ...(item.summary !== undefined && { summary: { value: clean(item.summary) } }),
      ...(item.authors?.length && { authors: item.authors.map((name) => ({ name: clean(name) })) }),
    })),
  });
  return xml.replaceAll(BEFORE_TEXT, "><![CDATA[").replaceAll(AFTER_TEXT, "]]></");
}

/** Writes a JSON feed (version 1.1). */
export function writeJsonFeed({ title, self, items }: OutgoingFeed): string {
  const feed = generateJsonFeed({
    title,
    feed_url: self,
    items: items.map((item) => ({
      id: item.id,
      url: item.url,
      title: item.title,
      // An item must have content.
      content_text: item.summary ?? item.title,
      ...(item.publishedAt !== null && { date_published: new Date(item.publishedAt) }),
      date_modified: new Date(item.updatedAt),
      ...(item.authors?.length && { authors: item.authors.map((name) => ({ name })) }),
      ...(item.lang && { language: item.lang }),
    })),
  });
  // The list must be there, even where it is empty; the writer leaves that out.
  return JSON.stringify({ items: [], ...Object(feed) });
}

function clean(text: string): string {
  return text.replaceAll(NOT_XML, "");
}
