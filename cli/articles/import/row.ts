import { type ItemDraft, LIMITS } from "@isnad/lib/contract";
import { isObject } from "@isnad/lib/std";
import { readDate } from "./dates.ts";
import { fieldValue, type Mapping, type Row } from "./mapping.ts";

/** What was filled in, because the row did not have it. */
export type Derived = "url" | "title" | "lead" | "date-unreadable";

/** A row as an item of the ingest route, and what had to be derived for it. */
export type MappedRow = { item: ItemDraft; derived: Derived[] };

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

/** A stable address for an article that has none; it can never be resolved (RFC 2606). */
export function syntheticUrl(sourceId: string, externalId: string): string {
  const host = sourceId
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^-|-$/g, "");
  const path = encodeURIComponent(externalId);
  if (/^[ -~]*$/.test(sourceId) && host !== "" && host.length <= 63) return `https://${host}.invalid/${path}`;
  return `https://import.invalid/${encodeURIComponent(sourceId)}/${path}`;
}

/** The first sentence of a text, cut at a word when it is long. */
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

/** The entries of a list, or of one text in which a sign parts them, as a table writes it. */
function list(value: unknown, sign: RegExp): string[] {
  const values = Array.isArray(value) ? value : (text(value)?.split(sign) ?? []);
  return values.map((entry: unknown) => text(entry)?.trim()).filter((entry) => entry !== undefined);
}

/** The entries that have a value. */
function present<T extends Record<string, string | undefined>>(fields: T): { [K in keyof T]?: string } {
  const out: { [K in keyof T]?: string } = {};
  for (const key in fields) {
    const value = fields[key];
    if (value !== undefined) out[key] = value;
  }
  return out;
}
