import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseDate } from "@isnad/lib/text/dates";
import { decodeText } from "@isnad/lib/web/egress";
import {
  type Feed,
  type FeedEntry,
  FeedError,
  foldedText,
  plainTextOf,
  readFeed,
  webAddress,
} from "@isnad/lib/web/feeds";
import charsets from "../feeds/charset-cases.json" with { type: "json" };
import waivedCases from "../feeds/waived.json" with { type: "json" };
import type { EvalTask } from "../task.ts";

/** A file by its path below the feeds folder, and the name of its charset in the WHATWG Encoding Standard. */
type CharsetCases = Readonly<Record<string, string>>;

/** Decodes a file by its bytes alone: right when the charset is found and nothing came out as U+FFFD. */
function checkCharset(feeds: string, file: string, expected: string): FeedOutcome {
  const { text, charset } = decodeText(readFileSync(join(feeds, file)));
  const actual = text.includes("\ufffd") ? `${charset}, with undecodable bytes` : charset;
  return { file, field: "charset", right: actual === expected, expected, found: actual };
}

/** Says how one expectation of a case came out. */
interface FeedOutcome {
  /** Name of the case within its collection: the file. */
  readonly file: string;
  readonly field: string;
  readonly right: boolean;
  readonly expected: unknown;
  readonly found: unknown;
}

/** True when texts say the same: white space aside, and the expected one, which may be HTML, as plain text. */
function sameText(found: string, expected: string): boolean {
  const own = squash(found);
  return own === squash(plainTextOf(expected)) || own === squash(foldedText(expected));
}

/** True when an address is the expected one, as written or as URL parsers write it. */
function sameAddress(found: string | null, expected: string): boolean {
  return found === expected || (found !== null && found === webAddress(expected, undefined));
}

/** True when both times are the same moment; undefined and null are none. */
function sameMoment(found: string | null | undefined, expectedMs: number): boolean {
  return found !== null && found !== undefined && parseDate(found)?.ms === expectedMs;
}

function squash(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** A case of the feedparser corpus (BSD-2) in its machine-readable form. */
interface FeedCase {
  readonly file: string;
  readonly http_headers?: Readonly<Record<string, string>>;
  readonly asserts: readonly { path: readonly (string | number)[]; op: string; value?: unknown }[] | null;
}

/** The cases of a feedparser folder. */
function readCases(folder: string): FeedCase[] {
  const lines = readFileSync(join(folder, "cases.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Checks the assertions of a case that concern fields which we carry; none for a case about others. */
function checkCase(folder: string, feedCase: FeedCase): FeedOutcome[] {
  const equalities = (feedCase.asserts ?? []).filter(({ path, op }) => op === "==" && fieldOf(path) !== undefined);
  if (equalities.length === 0) return [];
  const headers = feedCase.http_headers ?? {};
  const bytes = readFileSync(join(folder, feedCase.file));
  const { text } = decodeText(bytes, { contentType: headers["Content-Type"] ?? headers["Content-type"] });
  const base = headers["Content-Location"];
  const url = webAddress(base, "http://127.0.0.1:8097/") ?? `http://127.0.0.1:8097/${feedCase.file}`;
  let feed: Feed | Error;
  try {
    feed = readFeed(text, { url });
  } catch (error) {
    feed = error instanceof Error ? error : new Error(String(error));
  }
  return equalities.map(({ path, value }) => {
    const field = fieldOf(path) ?? "";
    const actual = feed instanceof Error ? feed.message : read(feed, path, field);
    return {
      file: feedCase.file,
      field: path.join("."),
      right: agrees(field, actual, value),
      expected: value,
      found: actual,
    };
  });
}

const FIELDS: readonly (readonly [path: RegExp, field: string])[] = [
  [/^feed\.title(?:_detail\.value)?$/, "title"],
  [/^feed\.link$/, "link"],
  [/^feed\.language$/, "language"],
  [/^entries\.\d+\.(?:id|guid)$/, "id"],
  [/^entries\.\d+\.title(?:_detail\.value)?$/, "title"],
  [/^entries\.\d+\.link$/, "link"],
  [/^entries\.\d+\.published_parsed$/, "publishedAt"],
  [/^entries\.\d+\.updated_parsed$/, "updatedAt"],
  [/^entries\.\d+\.author$/, "author"],
  [/^entries\.\d+\.author_detail\.name$/, "author"],
  [/^entries\.\d+\.authors\.0\.name$/, "author"],
  [/^entries\.\d+\.content\.0\.value$/, "contentText"],
  [/^entries\.\d+\.(?:summary|description)$/, "summaryText"],
  [/^entries\.\d+\.summary_detail\.value$/, "summaryText"],
  [/^entries\.\d+\.category$/, "category"],
  [/^entries\.\d+\.tags\.\d+\.term$/, "tag"],
  [/^entries\.\d+\.enclosures\.\d+(?:\.(?:type|length|href|url))?$/, "enclosure"],
];

/** Tells which of our fields a path of feedparser's result is about, undefined for one that we do not carry. */
function fieldOf(path: readonly (string | number)[]): string | undefined {
  const joined = path.join(".");
  return FIELDS.find(([pattern]) => pattern.test(joined))?.[1];
}

function read(feed: Feed, path: readonly (string | number)[], field: string): unknown {
  if (path[0] === "feed") return { title: feed.title, link: feed.link, language: feed.language }[field];
  const entry = feed.entries[Number(path[1])];
  if (entry === undefined) return undefined;
  if (path[2] === "authors") return entry.author.split(", ")[0];
  if (field === "category") return entry.categories[0];
  if (field === "tag") return entry.categories[Number(path[3])];
  if (field === "enclosure") {
    const enclosure = entry.enclosures[Number(path[3])];
    const key = path[4];
    return key === undefined
      ? enclosure
      : key === "type"
        ? enclosure?.type
        : key === "length"
          ? String(enclosure?.length)
          : enclosure?.url;
  }
  // feedparser calls Atom's content the description where there is no summary.
  if (field === "summaryText") return entry.summaryText || entry.contentText;
  return entry[field as keyof typeof entry];
}

function agrees(field: string, found: unknown, expected: unknown): boolean {
  if (field.endsWith("At")) return Array.isArray(expected) && sameMoment(String(found), momentOf(expected));
  if (typeof expected === "string" && typeof found === "string") {
    return field === "link" || field === "id" ? sameAddress(found, expected) : sameText(found, expected);
  }
  if (field === "enclosure" && isObject(expected) && isObject(found)) {
    return Reflect.get(found, "url") === (Reflect.get(expected, "href") ?? Reflect.get(expected, "url"));
  }
  return (found ?? "") === (expected ?? "");
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

/** feedparser gives a time as year, month, day, hour, minute, second, … in UTC. */
function momentOf(expected: readonly unknown[]): number {
  const [y = 0, m = 1, d = 1, h = 0, i = 0, s = 0] = expected.map(Number);
  return Date.UTC(y, m - 1, d, h, i, s);
}

/** A case of the gofeed corpus (MIT): a feed, and what gofeed reads in it. */
interface GofeedCase {
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
function gofeedCases(folder: string): GofeedCase[] {
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
function checkGofeedCase(folder: string, { file, expected }: GofeedCase): FeedOutcome[] {
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

// Tags, and what the payloads of the cases would run.
const LEFT_OVER =
  /<\s*[/!?]?[a-z][^<>]*|javascript\s*:|vbscript\s*:|\balert\s*\(|\bon(?:click|error|load|mouse\w+)\s*=|document\s*\.|expression\s*\(/i;

/** The cases about harmful markup: every feed of the feedparser corpus, and the pages of miniflux's sanitiser. */
function sanitiserCases(feeds: string): string[] {
  const feedparser = readdirSync(join(feeds, "feedparser"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".xml"))
    .map((name) => `feedparser/${name}`);
  const pages = readdirSync(join(feeds, "miniflux/sanitizer/testdata")).map(
    (name) => `miniflux/sanitizer/testdata/${name}`,
  );
  return [...feedparser, ...pages].sort();
}

/** Looks for markup and script in the texts that come out of a case; null for a file that is no feed. */
function checkSanitised(feeds: string, file: string): FeedOutcome | null {
  const { text } = decodeText(readFileSync(join(feeds, file)));
  const texts = file.endsWith(".html") ? [plainTextOf(text)] : textsOf(text);
  if (texts === null) return null;
  const leftover = texts.map((each) => LEFT_OVER.exec(each)?.[0]).find((rest) => rest !== undefined);
  return { file, field: "texts", right: leftover === undefined, expected: "no markup, no script", found: leftover };
}

function textsOf(source: string): string[] | null {
  let feed: Feed;
  try {
    feed = readFeed(source);
  } catch (error) {
    if (error instanceof FeedError) return null;
    throw error;
  }
  return [
    feed.title,
    ...feed.entries.flatMap(({ title, author, contentText, summaryText, categories }) => [
      title,
      author,
      contentText,
      summaryText,
      ...categories,
    ]),
  ];
}

/** Says how the cases of a collection came out: a case is right when all that it expects of our fields is. */
interface CollectionResult {
  readonly collection: "feedparser" | "gofeed" | "sanitiser" | "charset";
  readonly right: number;
  /** Cases that concern fields which we carry, waived ones aside. */
  readonly total: number;
  readonly wrong: readonly FeedOutcome[];
  /** Waived cases that do fail. */
  readonly waived: readonly string[];
}

/** Cases that we mean to read differently, by collection and file, each with the reason. */
type Waived = Readonly<Record<string, string>>;

/** Measures feed reading on the collections below a feeds folder. */
export function measureFeeds(feeds: string, charsets: CharsetCases, waived: Waived): CollectionResult[] {
  const [feedparser, gofeed] = [join(feeds, "feedparser"), join(feeds, "gofeed")];
  return [
    tally(
      "feedparser",
      readCases(feedparser).map((each) => checkCase(feedparser, each)),
      waived,
    ),
    tally(
      "gofeed",
      gofeedCases(gofeed).map((each) => checkGofeedCase(gofeed, each)),
      waived,
    ),
    tally(
      "sanitiser",
      sanitiserCases(feeds).map((file) => [checkSanitised(feeds, file)].filter((each) => each !== null)),
      waived,
    ),
    tally(
      "charset",
      Object.entries(charsets).map(([file, charset]) => [checkCharset(feeds, file, charset)]),
      waived,
    ),
  ];
}

function tally(
  collection: CollectionResult["collection"],
  cases: readonly FeedOutcome[][],
  waived: Waived,
): CollectionResult {
  const wrong: FeedOutcome[] = [];
  const excused: string[] = [];
  let right = 0;
  let total = 0;
  for (const outcomes of cases) {
    const [first] = outcomes;
    if (first === undefined) continue;
    const failed = outcomes.filter((outcome) => !outcome.right);
    const name = `${collection}/${first.file}`;
    if (failed.length > 0 && waived[name] !== undefined) {
      excused.push(name);
      continue;
    }
    total++;
    if (failed.length === 0) right++;
    wrong.push(...failed);
  }
  return { collection, right, total, wrong, waived: excused };
}

/**
 * Reading feeds, over public collections of cases: feedparser and gofeed (fields that we carry), sanitiser (no markup,
 * no script in a text), charset. Waived cases, each with its reason, are in `eval/feeds/waived.json` and are written
 * out as predictions.
 */
export const feeds: EvalTask = {
  name: "feeds",
  formats: "a folder with feedparser/, gofeed/ and miniflux/ as the data folder has them",
  sets: (data) => {
    const path = join(data, "feeds");
    return existsSync(path) ? [{ set: "public feeds", path }] : [];
  },
  load: async () => ({
    async measure({ path }) {
      const waived: Waived = waivedCases;
      const results = measureFeeds(path, charsets, waived);
      const wrong = results.flatMap((result) => result.wrong);
      return {
        figures: Object.fromEntries(results.map(({ collection, right, total }) => [collection, right / total])),
        size: results.reduce((sum, { total }) => sum + total, 0),
        predictions: [
          ...wrong.map(
            ({ file, field, expected, found }) =>
              `wrong\t${file}\t${field}\t${JSON.stringify(expected)}\t${JSON.stringify(found)}`,
          ),
          ...results.flatMap((result) => result.waived).map((name) => `waived\t${name}\t${waived[name] ?? ""}`),
        ],
      };
    },
    close: async () => {},
  }),
};
