import { type ItemDraft, LIMITS } from "@isnad/lib/contract";
import { UsageError } from "@isnad/lib/service/cli";
import { isObject, type Json } from "@isnad/lib/std";

const MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/** A named zone that mail and news headers use, as minutes east of UTC. */
const ZONES: Record<string, number> = {
  z: 0,
  ut: 0,
  utc: 0,
  gmt: 0,
  est: -300,
  edt: -240,
  cst: -360,
  cdt: -300,
  mst: -420,
  mdt: -360,
  pst: -480,
  pdt: -420,
};

const TIME = String.raw`(?:[T\s]+(\d{1,2}(?=:)|\d{2}(?=\d{4}(?!\d))):?(\d{2})(?::?(\d{2})(?:[.,]\d+)?)?)?`;
const ZONE = String.raw`\s*(Z|[A-Z]{2,4}|[+-]\d{2}:?\d{2})?`;

/** `2018-02-18T21:35:43+04:00`, `2012-11-29 17:11:56`, `2017-01-22T185600`, `2018-02-18`. */
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}${ZONE}`, "i");
/** `17/05/2015`, `17.05.2015 21:35`: day before month. */
const DAY_FIRST = new RegExp(String.raw`^(\d{1,2})[/.](\d{1,2})[/.](\d{4})${TIME}${ZONE}`, "i");
/** `Sun, 18 Feb 2018 21:35:43 +0400`, `26-FEB-1987 15:01:01.79`. */
const MONTH_NAME = new RegExp(
  String.raw`^(?:[A-Z]{3,9},?\s+)?(\d{1,2})[-\s]([A-Z]{3})[A-Z]*[-\s](\d{4})${TIME}${ZONE}`,
  "i",
);

/**
 * Reads a time as news archives write it and returns it as ISO 8601 in UTC, or null when there is none to read.
 * A time without a zone is taken as UTC, a date without a (possible) time as its midnight; numbers are Unix seconds or
 * milliseconds. What follows a readable time is ignored.
 */
export function readDate(value: unknown): string | null {
  if (typeof value === "number") return fromEpoch(value);
  if (typeof value !== "string") return null;
  const text = value.trim();
  if (/^\d{9,13}$/.test(text)) return fromEpoch(Number(text));
  const numeric = YEAR_FIRST.exec(text);
  if (numeric !== null) return build(numeric[1], Number(numeric[2]), numeric[3], numeric.slice(4));
  const dayFirst = DAY_FIRST.exec(text);
  if (dayFirst !== null) return build(dayFirst[3], Number(dayFirst[2]), dayFirst[1], dayFirst.slice(4));
  const named = MONTH_NAME.exec(text);
  if (named === null) return null;
  return build(named[3], MONTHS.indexOf((named[2] ?? "").toLowerCase()) + 1, named[1], named.slice(4));
}

function fromEpoch(value: number): string | null {
  const date = new Date(value < 1e11 ? value * 1000 : value);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}

function build(year: string | undefined, month: number, day: string | undefined, rest: (string | undefined)[]) {
  const midnight = Date.UTC(Number(year), month - 1, Number(day));
  const date = new Date(midnight);
  if (date.getUTCMonth() !== month - 1 || date.getUTCDate() !== Number(day)) return null;
  const [hour = 0, minute = 0, second = 0] = rest.slice(0, 3).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60) return date.toISOString();
  const local = midnight + ((hour * 60 + minute) * 60 + second) * 1000;
  return new Date(local - offsetMinutes(rest[3]) * 60_000).toISOString();
}

function offsetMinutes(zone: string | undefined): number {
  if (zone === undefined) return 0;
  const numeric = /^([+-])(\d{2}):?(\d{2})$/.exec(zone);
  if (numeric === null) return ZONES[zone.toLowerCase()] ?? 0;
  return (numeric[1] === "-" ? -1 : 1) * (Number(numeric[2]) * 60 + Number(numeric[3]));
}

/** Fields of an item that `--map` and `--set` can name. */
export const FIELDS = [
  "source_id",
  "external_id",
  "url",
  "canonical_url",
  "title",
  "content",
  "lead",
  "lang",
  "published_at",
  "authors",
  "images",
  "category_label",
  "provider",
] as const;

type Field = (typeof FIELDS)[number];

/** Says where each field is looked for in a row, first present one first. */
const COLUMNS: Readonly<Record<Field, readonly string[]>> = {
  source_id: ["source_id", "source"],
  external_id: ["external_id", "id", "guid"],
  url: ["url", "link"],
  canonical_url: ["canonical_url"],
  title: ["title", "headline"],
  content: ["content", "text", "body"],
  lead: ["lead", "abstract", "summary", "description"],
  lang: ["lang", "language"],
  published_at: ["published_at", "published", "date", "pubDate"],
  authors: ["authors", "author"],
  images: ["images", "image"],
  category_label: ["category_label", "category"],
  provider: ["provider"],
};

/** A row of a file. */
export type Row = { [column: string]: Json };

/** Says how rows of a file become items: the columns of each field, and fields that are the same for every row. */
export type Mapping = {
  columns: Readonly<Record<Field, readonly string[]>>;
  constants: Partial<Record<Field, string>>;
};

/**
 * Reads `--map FIELD=COLUMN` (a dot reaches into an object) and `--set FIELD=VALUE` over the usual columns.
 * Throws UsageError.
 */
export function readMapping(maps: readonly string[], sets: readonly string[]): Mapping {
  const columns: Record<Field, readonly string[]> = { ...COLUMNS };
  for (const [field, column] of maps.map((entry) => pair("map", entry))) columns[field] = [column];
  const constants: Partial<Record<Field, string>> = {};
  for (const [field, value] of sets.map((entry) => pair("set", entry))) constants[field] = value;
  return { columns, constants };
}

function pair(option: string, entry: string): [Field, string] {
  const [, name = "", value = ""] = /^([^=]+)=(.*)$/s.exec(entry) ?? [];
  const field = FIELDS.find((known) => known === name);
  if (field === undefined || value === "") {
    throw new UsageError(
      `--${option} ${entry}: expected FIELD=${option === "map" ? "COLUMN" : "VALUE"} with one of ${FIELDS.join(", ")}`,
    );
  }
  return [field, value];
}

/** Returns the value of a row's column; `a.b` reaches into an object when the row has no column of that very name. */
export function column(row: Row, name: string): Json {
  if (Object.hasOwn(row, name)) return row[name];
  let value: Json = row;
  for (const part of name.split(".")) {
    if (!isObject(value) || !Object.hasOwn(value, part)) return undefined;
    value = value[part];
  }
  return value;
}

/** Returns a field's value for this row: the constant, or the first of its columns that is not null or empty. */
export function fieldValue(row: Row, field: Field, mapping: Mapping): Json {
  const constant = mapping.constants[field];
  if (constant !== undefined) return constant;
  for (const name of mapping.columns[field]) {
    const value = column(row, name);
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return undefined;
}

/** Holds what was filled in, because the row did not have it. */
export type Derived = "url" | "title" | "lead" | "date-unreadable";

/** A row as an item of the ingest route, and what had to be derived for it. */
type MappedRow = { item: ItemDraft; derived: Derived[] };

const MAX_DERIVED_TITLE = 160;

/**
 * Turns a row into an item. Nothing is judged here: what is missing or wrong is left to the ingest route to say. With
 * `derive`, three gaps that archives have are filled: no URL (a stable one under the reserved domain `.invalid`, from
 * source and id), no title (the first sentence), and a text too short to stand alone (the lead is put before it).
 */
export function mapRow(row: Row, mapping: Mapping, { derive = true } = {}): MappedRow {
  const derived: Derived[] = [];
  const value = (field: Parameters<typeof fieldValue>[1]) => fieldValue(row, field, mapping);
  const sourceId = text(value("source_id"));
  const externalId = text(value("external_id"));
  const published = value("published_at");
  const date = readDate(published);
  if (published !== undefined && date === null) derived.push("date-unreadable");

  let title = text(value("title"));
  let content = text(value("content"));
  let url = text(value("url"));
  const lead = text(value("lead"));
  if (derive && content !== undefined && lead !== undefined && isShort(content) && !content.includes(lead)) {
    content = `${lead}\n${content}`;
    derived.push("lead");
  }
  if (derive && title === undefined && content !== undefined) {
    title = firstSentence(content);
    derived.push("title");
  }
  if (derive && url === undefined && sourceId !== undefined && externalId !== undefined) {
    url = syntheticUrl(sourceId, externalId);
    derived.push("url");
  }

  const provider = text(value("provider")) ?? sourceId;
  const label = text(value("category_label"))?.split(",")[0]?.trim();
  const item: ItemDraft = {
    ...present({ source_id: sourceId, external_id: externalId, url, title, content }),
    ...present({ canonical_url: text(value("canonical_url")) }),
    lang: language(value("lang")),
    published_at: date,
    authors: list(value("authors"), /[;؛]/),
    images: list(value("images"), /[\s|]+/),
    raw: {
      ...(isObject(row.raw) && row.raw),
      ...present({ provider }),
      ...(date === null && published !== undefined ? { published_at: published } : {}),
    },
    ...(label ? present({ category_label: label, provider }) : {}),
  };
  return { item, derived };
}

/** Returns a stable address for an article that has none; it can never be resolved (RFC 2606). */
export function syntheticUrl(sourceId: string, externalId: string): string {
  const host = sourceId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const path = encodeURIComponent(externalId);
  if (/^[ -~]*$/.test(sourceId) && host !== "" && host.length <= 63) return `https://${host}.invalid/${path}`;
  return `https://import.invalid/${encodeURIComponent(sourceId)}/${path}`;
}

/** Returns the first sentence of a text, cut at a word when it is long. */
export function firstSentence(content: string): string {
  const flat = content.replace(/\s+/g, " ").trim();
  const sentence = /^.{20,}?[.!?؟](?=\s|$)/u.exec(flat)?.[0] ?? flat;
  if (sentence.length <= MAX_DERIVED_TITLE) return sentence;
  const cut = sentence.slice(0, MAX_DERIVED_TITLE).replace(/\s+\S*$/, "");
  return `${cut.replace(/[\uD800-\uDBFF]$/, "")}…`;
}

function isShort(content: string): boolean {
  const flat = content.replace(/\s+/g, " ").trim();
  return flat.length < 2 * LIMITS.contentMin && Array.from(flat).length < LIMITS.contentMin;
}

function text(value: unknown): string | undefined {
  if (typeof value === "number") return String(value);
  return typeof value === "string" && value.trim() !== "" ? value : undefined;
}

/** `ar-SA` is `ar`; what is no text is unknown. */
function language(value: unknown): string | null {
  return text(value)?.trim().toLowerCase().split(/[-_]/)[0] ?? null;
}

/** Returns the entries of a list, or of one text in which a sign parts them, as a table writes it. */
function list(value: unknown, sign: RegExp): string[] {
  const values = Array.isArray(value) ? value : (text(value)?.split(sign) ?? []);
  return values.map((entry: unknown) => text(entry)?.trim()).filter((entry) => entry !== undefined);
}

/** Returns the entries that have a value. */
function present<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  const out: { [K in keyof T]?: string } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) out[key] = value;
  }
  return out;
}
