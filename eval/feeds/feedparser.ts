import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeText } from "@isnad/lib/web/egress";
import { type Feed, readFeed, webAddress } from "@isnad/lib/web/feeds";
import { type FeedOutcome, sameAddress, sameMoment, sameText } from "./outcome.ts";

/** A case of the feedparser corpus (BSD-2) in its machine-readable form. */
export interface FeedCase {
  readonly file: string;
  readonly http_headers?: Readonly<Record<string, string>>;
  readonly asserts: readonly { path: readonly (string | number)[]; op: string; value?: unknown }[] | null;
}

/** The cases of a feedparser folder. */
export function readCases(folder: string): FeedCase[] {
  const lines = readFileSync(join(folder, "cases.jsonl"), "utf8").trim().split("\n");
  return lines.map((line) => JSON.parse(line));
}

/** Checks the assertions of a case that concern fields which we carry; none for a case about others. */
export function checkCase(folder: string, feedCase: FeedCase): FeedOutcome[] {
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

/** Which of our fields a path of feedparser's result is about, undefined for one that we do not carry. */
export function fieldOf(path: readonly (string | number)[]): string | undefined {
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
