import { isObject, parseJsonObject } from "../../std/mod.ts";
import { isoTime, parseDate } from "../../text/dates/machine-dates.ts";
import { oneLine } from "./entry.ts";
import {
  type Enclosure,
  type Feed,
  type FeedEntry,
  FeedError,
  type FeedOptions,
  MAX_ENTRIES,
  MAX_PARTS,
} from "./feed.ts";
import { webAddress } from "./construct.ts";
import { foldedText, plainTextOf } from "./plain-text.ts";

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
      readItem(item, { base, zone, feedAuthors: authorsOf(root) }),
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
    author: authorsOf(item) || feedAuthors,
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

function authorsOf(value: Json): string {
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
