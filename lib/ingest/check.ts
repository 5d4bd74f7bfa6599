import { IngestItem } from "../contract/ingest-v1.ts";
import type { RelationsPackage } from "../contract/mod.ts";
import { type ItemError, itemError, type ItemSlug } from "../contract/problem.ts";
import { clampConfidence } from "../service/config/mod.ts";
import { isObject, mapInSlices } from "../std/mod.ts";
import type { AdmissionItem, EntityName, NewRelation, RelationsReport, RevisionReport } from "../store/mod.ts";
import { canonicalUrl, cleanText, contentHash, displayName, hostOf, nameKey } from "../text/mod.ts";

/**
 * A valid item as it is to be stored, or what is wrong with it. `externalId` is as sent, null where it is no string.
 */
export type CheckedItem = { externalId: string; item: AdmissionItem } | { externalId: string | null; error: ItemError };

/**
 * Checks one entry of a request against the rules of the contract, and brings it into the form in which it is stored.
 */
export function checkItem(entry: unknown): CheckedItem {
  if (!isObject(entry)) return { externalId: null, error: itemError("invalid-field", "the item must be an object") };
  const parsed = IngestItem.safeParse(entry);
  if (parsed.success) return { externalId: parsed.data.external_id, item: storedForm(parsed.data) };
  return refused(entry, parsed.error.issues);
}

/** Returns an entry that breaks a rule of its schema, with the error to report. */
export function refused(
  entry: Record<string, unknown>,
  issues: readonly object[],
): Extract<CheckedItem, { error: unknown }> {
  const { external_id } = entry;
  return { externalId: typeof external_id === "string" ? external_id : null, error: errorOf(entry, issues) };
}

/** Returns the report that a source says this of a known article now. */
export function changeReport(item: AdmissionItem, requestId: string | null): RevisionReport {
  const { sourceId, externalId, url, title, content, contentHash } = item;
  return { kind: "changed", sourceId, externalId, requestId, url, title, content, contentHash };
}

type Issue = { path: readonly PropertyKey[]; message: string; params?: { [key: string]: unknown } | undefined };

/** The slugs of fields of which even a wrong type says what is wrong; others are invalid-field. */
const SLUG_OF_FIELD: Record<string, ItemSlug> = {
  url: "invalid-url",
  canonical_url: "invalid-url",
  images: "invalid-url",
  title: "invalid-title",
  lang: "unsupported-language",
  published_at: "invalid-date",
};

/** Wrong fields that an error names. */
const MAX_NAMED = 20;

/**
 * Returns the error to report: a missing field before a wrong one, in the order of the contract, and all of them where
 * there are more.
 */
function errorOf(entry: Record<string, unknown>, issues: readonly object[]): ItemError {
  const complaints = issues.filter(isIssue);
  const isMissing = ({ path }: Issue) => path.length === 1 && entry[String(path[0])] === undefined;
  const first = complaints.find(isMissing) ?? complaints[0];
  if (first === undefined) return itemError("invalid-field", "the item is not valid");
  const ruleOf = (issue: Issue) => (isMissing(issue) ? "is required" : issue.message);
  const error = itemError(isMissing(first) ? "missing-field" : slugOf(first), `${nameOf(first.path)} ${ruleOf(first)}`);
  const byField = Map.groupBy(complaints, ({ path }) => nameOf(path));
  if (byField.size < 2) return error;
  const named = Array.from(byField, ([field, wrong]): [string, string[]] => [field, wrong.map(ruleOf)]);
  return { ...error, errors: Object.fromEntries(named.slice(0, MAX_NAMED)) };
}

function slugOf({ path, params }: Issue): ItemSlug {
  const slug = params?.slug;
  if (isItemSlug(slug)) return slug;
  const field = String(path[0]);
  // A list that is none has no address to be wrong.
  if (field === "images" && path.length === 1) return "invalid-field";
  return SLUG_OF_FIELD[field] ?? "invalid-field";
}

function isItemSlug(slug: unknown): slug is ItemSlug {
  return typeof slug === "string";
}

function isIssue(issue: object): issue is Issue {
  return "path" in issue && "message" in issue;
}

/** Returns a field's path as one would write it: `images[3]`. */
function nameOf(path: readonly PropertyKey[]): string {
  const [field, ...rest] = path.map(String);
  return `${field}${rest.map((key) => `[${key}]`).join("")}`;
}

function storedForm(item: IngestItem): AdmissionItem {
  const canonical = canonicalUrl(item.canonical_url ?? item.url);
  return {
    sourceId: item.source_id,
    externalId: item.external_id,
    url: item.url,
    canonicalUrl: canonical,
    domain: hostOf(canonical),
    title: item.title,
    content: item.content,
    contentHash: contentHash(item.title, item.content),
    lang: item.lang ?? null,
    publishedAt: item.published_at ?? null,
    authors: (item.authors ?? []).map(cleanText).filter((name) => name !== ""),
    images: item.images ?? [],
    raw: item.raw ?? null,
    categoryLabel: item.category_label ?? null,
    provider: item.provider ?? null,
    categoryId: null,
    categorySource: null,
    categoryConfidence: item.category_confidence === undefined ? null : clampConfidence(item.category_confidence),
    taxonomyVersion: null,
  };
}

/**
 * Texts of an item that are longer in all are checked by the thread, in UTF-16 units. Markup costs up to 0.1 µs each.
 */
const HEAVY = 40_000;

/**
 * Checks the entries of a request one after the other, without ever holding the event loop for long: heavy entries go
 * to `thread`, and between the others the loop gets its turns.
 */
export async function checkItems(
  entries: readonly unknown[],
  thread: { check(entry: unknown): Promise<CheckedItem> },
): Promise<CheckedItem[]> {
  const checked = await mapInSlices(entries, (entry): CheckedItem | Promise<CheckedItem> =>
    // An entry that the thread could not check is checked here after all.
    isHeavy(entry) ? thread.check(entry).catch(() => checkItem(entry)) : checkItem(entry),
  );
  return await Promise.all(checked);
}

function isHeavy(entry: unknown): boolean {
  if (!isObject(entry)) return false;
  return (
    sum(Object.values(entry).map((value) => (Array.isArray(value) ? sum(value.map(lengthOf)) : lengthOf(value)))) >
    HEAVY
  );
}

function lengthOf(value: unknown): number {
  return typeof value === "string" ? value.length : 0;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

/** Bounds the folded length of what fills a role: longer is a clause: it names nothing. */
const MAX_NAME_LENGTH = 200;
/** UTF-16 units of what is folded to find that out: more than any name has, with all its marks. */
const FOLDED_LENGTH = 1000;

/**
 * Returns a package as the store takes it, with the entities that its arguments name. The event loop gets its turns
 * meanwhile.
 */
export async function relationsReport(body: RelationsPackage, requestId: string): Promise<RelationsReport> {
  const relations = await mapInSlices(
    body.relations ?? [],
    ({ type, args, confidence, offsets }): NewRelation => ({
      type,
      args,
      confidence,
      start: offsets.start,
      end: offsets.end,
      entities: entitiesOf(args),
    }),
  );
  return {
    package: body,
    requestId,
    relations,
    replace: body.enrichment_status === "ok",
  };
}

function entitiesOf(args: Record<string, string>): Record<string, EntityName> {
  return Object.fromEntries(
    Object.entries(args).flatMap(([role, filler]) => {
      if (filler.length > FOLDED_LENGTH) return [];
      const key = nameKey(filler);
      return key === "" || key.length > MAX_NAME_LENGTH ? [] : [[role, { name: displayName(filler, ""), key }]];
    }),
  );
}
