import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@isnad/lib/web/egress";
import { type Feed, type FeedEntry, readFeed } from "@isnad/lib/web/feeds";
import { type FeedOutcome, sameAddress, sameMoment, sameText } from "./outcome.ts";

/** A case of the gofeed corpus (MIT): a feed, and what gofeed reads in it. */
export interface GofeedCase {
  /** Path of the feed below the corpus folder. */
  readonly file: string;
  readonly expected: string;
}

const FOLDERS = [
  "parser/rss",
  "parser/atom",
  "parser/json",
  "extensions/dublincore",
  "extensions/itunes",
  "extensions/media",
];

/** The cases of a gofeed folder: feeds with an expectation beside them. */
export function gofeedCases(folder: string): GofeedCase[] {
  return FOLDERS.flatMap((part) => {
    const names = existsSync(join(folder, part)) ? readdirSync(join(folder, part)).sort() : [];
    return names
      .filter((name) => /\.(?:xml|json)$/.test(name))
      .flatMap((name) => {
        const expected = name.endsWith(".xml")
          ? name.replace(/\.xml$/, ".json")
          : name.replace(/\.json$/, "_expected.json");
        return expected !== name && names.includes(expected)
          ? [{ file: `${part}/${name}`, expected: `${part}/${expected}` }]
          : [];
      });
  });
}

/** Checks what a case expects of the fields that we carry; no outcome for a case about others. */
export function checkGofeedCase(folder: string, { file, expected }: GofeedCase): FeedOutcome[] {
  const expectations = expectationsOf(object(JSON.parse(readFileSync(join(folder, expected), "utf8"))));
  if (expectations.length === 0) return [];
  let feed: Feed | Error;
  try {
    feed = readFeed(decodeText(readFileSync(join(folder, file))).text);
  } catch (error) {
    feed = error instanceof Error ? error : new Error(String(error));
  }
  return expectations.map(({ field, value, check }) => {
    if (feed instanceof Error) return { file, field, right: false, expected: value, found: feed.message };
    const { found, right } = check(feed);
    return { file, field, right, expected: value, found };
  });
}

interface Expectation {
  readonly field: string;
  readonly value: string;
  check(feed: Feed): { found: unknown; right: boolean };
}

type Json = { readonly [key: string]: unknown };

function expectationsOf(root: Json): Expectation[] {
  const expectations: Expectation[] = [];
  const text = (field: string, value: unknown, read: (feed: Feed) => string | null | undefined) => {
    if (typeof value !== "string" || value.trim() === "") return;
    expectations.push({ field, value, check: (feed) => judge(read(feed), (found) => sameText(found, value)) });
  };
  const same = (field: string, value: unknown, read: (feed: Feed) => string | null | undefined) => {
    if (typeof value !== "string" || value.trim() === "") return;
    expectations.push({ field, value, check: (feed) => judge(read(feed), (found) => found === value.trim()) });
  };
  const address = (field: string, value: unknown, read: (feed: Feed) => string | null | undefined) => {
    // An address that is relative, or none of the web, is what gofeed leaves as it is and we resolve or leave out.
    if (typeof value !== "string" || !/^https?:\/\/\w/.test(value)) return;
    expectations.push({ field, value, check: (feed) => judge(read(feed), (found) => sameAddress(found, value)) });
  };
  const moment = (field: string, value: unknown, read: (feed: Feed) => string | null | undefined) => {
    if (typeof value !== "string") return;
    expectations.push({
      field,
      value,
      check: (feed) => judge(read(feed), (found) => sameMoment(found, Date.parse(value))),
    });
  };
  text("feed.title", root.title, (feed) => feed.title);
  address("feed.link", root.link ?? root.home_page_url ?? alternate(root), (feed) => feed.link);
  text("feed.language", root.language, (feed) => feed.language);
  const items = list(root.items ?? root.entries);
  for (const [i, item] of items.entries()) {
    const entry = (feed: Feed): FeedEntry | undefined => feed.entries[i];
    const name = (field: string) => `entries.${i}.${field}`;
    text(name("title"), item.title, (feed) => entry(feed)?.title);
    address(name("link"), item.link ?? item.url ?? alternate(item), (feed) => entry(feed)?.link);
    same(name("id"), item.id ?? object(item.guid).value, (feed) => entry(feed)?.id);
    text(name("summary"), item.description ?? item.summary, (feed) => entry(feed)?.summaryText);
    const content = item.content_html ?? item.content_text ?? item.content;
    text(
      name("content"),
      typeof content === "string" ? content : object(content).value,
      (feed) => entry(feed)?.contentText,
    );
    moment(
      name("published"),
      item.pubDateParsed ?? item.publishedParsed ?? item.date_published,
      (feed) => entry(feed)?.publishedAt,
    );
    moment(name("updated"), item.updatedParsed ?? item.date_modified, (feed) => entry(feed)?.updatedAt);
    const named = [...list(item.authors), object(item.author)].map((author) => author.name);
    const authors = [...new Set(named.filter((each) => typeof each === "string" && each !== ""))].join(", ");
    text(name("author"), typeof item.author === "string" ? item.author : authors, (feed) => entry(feed)?.author);
    const categories = [item.categories, item.tags].flat();
    for (const category of categories) {
      const label = typeof category === "string" ? category : (object(category).value ?? object(category).term);
      text(name("category"), label, (feed) =>
        entry(feed)?.categories.find((own) => typeof label === "string" && sameText(own, label)),
      );
    }
    for (const { url } of [...list(item.enclosures), ...list(item.attachments)]) {
      address(name("enclosure"), url, (feed) => entry(feed)?.enclosures.find((own) => own.url === url)?.url);
    }
  }
  return expectations;
}

function judge(found: string | null | undefined, same: (found: string) => boolean) {
  return { found, right: typeof found === "string" && same(found) };
}

/** The link that stands for the page: of Atom's, the alternate one. */
function alternate(value: Json): unknown {
  const links = list(value.links);
  return links.find(({ rel }) => rel === "alternate" || rel === undefined)?.href;
}

function list(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}

function object(value: unknown): Json {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
