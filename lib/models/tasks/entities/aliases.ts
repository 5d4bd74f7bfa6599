import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { z } from "zod";
import { nameKey } from "../../../text/mod.ts";

/** Holds what sort of thing an entity is, as far as it decides whether two names can mean the same. */
export type EntityKind = "person" | "place" | "organisation" | "other";

/** Returns the sort of an entity of one of the tagger's types. */
export function kindOf(type: string): EntityKind {
  switch (type) {
    case "PER":
    case "PERS":
      return "person";
    case "GPE":
    case "LOC":
    case "FAC":
      return "place";
    case "ORG":
    case "WEBSITE":
      return "organisation";
    default:
      return "other";
  }
}

/** The keys ({@link nameKey}) of the names of one thing; the first one stands for all of them. */
export type AliasGroup = { kind: EntityKind; isCountry: boolean; keys: readonly string[] };

const row = z.tuple([z.enum(["country", "place", "organisation", "event"]), z.string()]);

const KINDS = {
  country: "place",
  place: "place",
  organisation: "organisation",
  event: "other",
} as const;

let shipped: ReadonlyMap<string, AliasGroup> | undefined;
let organisations: ReadonlyMap<string, readonly string[][]> | undefined;

/**
 * Returns the group of names to which a key belongs, by the table that ships; undefined where it is in none. A person
 * is never in a group of another sort; a country and an organisation are, whatever the tagger took them for. A known
 * organisation is itself with what it is, or where it is from, beside its name (نادي برشلونة الإسباني, وكالة رويترز).
 */
export function aliasGroup(key: string, kind: EntityKind): AliasGroup | undefined {
  shipped ??= readGroups(readFileSync(new URL("../../../../nlp/lexicon/aliases.tsv", import.meta.url), "utf8"));
  const group = shipped.get(key);
  if (kind === "person") return undefined;
  if (group !== undefined || kind === "place") return group;
  for (const name of [key.replace(HEAD, ""), key.replace(ORIGIN, ""), key.replace(HEAD, "").replace(ORIGIN, "")]) {
    // A base of a country (القاعدة التركية) is no band.
    const isWhole = name !== key && (name.includes(" ") || HEAD.test(key));
    const known = isWhole ? shipped.get(name) : undefined;
    if (known?.kind === "organisation") return known;
  }
  return undefined;
}

/** Says before a name what it is of, and behind it where that is from. */
const HEAD = /^(?:نادي|فريق|وكاله|شركه|منظمه|صحيفه|قناه) /u;
const ORIGIN = / ال\p{L}{2,14}(?:ي|يه)$/u;

/** Keys of organisations that are of several words, which mean nothing else, by their first word; the longest first. */
export function organisationKeys(): ReadonlyMap<string, readonly string[][]> {
  aliasGroup("", "other");
  organisations ??= Map.groupBy(
    [...(shipped ?? [])]
      .filter(([key, { kind }]) => kind === "organisation" && key.includes(" "))
      .map(([key]) => key.split(" "))
      .sort((a, b) => b.length - a.length),
    ([first = ""]) => first,
  );
  return organisations;
}

/** Tells whether a key is a name of a country. */
export function isCountry(key: string): boolean {
  return aliasGroup(key, "place")?.isCountry === true;
}

/** Groups by each of their keys. @throws ZodError for a line of another form */
export function readGroups(table: string): Map<string, AliasGroup> {
  const groups = new Map<string, AliasGroup>();
  for (const line of table.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [sort, names] = row.parse(line.split("\t"));
    const keys = [...new Set(names.split("|").map(nameKey))];
    const group = { kind: KINDS[sort], isCountry: sort === "country", keys };
    for (const key of keys) if (!groups.has(key)) groups.set(key, group);
  }
  return groups;
}

/** A name found in a text. `start` and `end` count code points of the text as given, end exclusive, and
 * `text` is what stands there; `name` is how the name is shown; `confidence` is a probability. */
export type Entity = { type: string; text: string; name: string; start: number; end: number; confidence: number };

/**
 * An entity of a whole article: all mentions under one name. `spans`: start and end of each mention, in turn;
 * `aliases`: keys of other names that the same thing is known by,
 * `kind`: what sort of thing it is.
 */
export type ArticleEntity = {
  type: string;
  name: string;
  key: string;
  aliases: readonly string[];
  kind: EntityKind;
  mentions: number;
  confidence: number;
  spans: number[];
};
