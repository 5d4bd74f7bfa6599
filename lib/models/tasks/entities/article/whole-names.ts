import { codePointSlicer, nameKey } from "../../../../text/mod.ts";
import { isCountry } from "../aliases.ts";
import type { Entity } from "../entity.ts";
import { isInstitution, isPurpose, nationality } from "./arabic-words.ts";

/** Persons less likely than this are not joined. */
const LEAST = 0.5;

/** Gives a text from one code point to another. */
type Slice = (start: number, end: number) => string;

/** Code points of a text that are looked at behind a mention. */
const LOOKED_AT = 40;

/**
 * The mentions of a text with the words around them that are a part of their names. In Arabic two persons in a row are
 * one, names in quotation marks end with them, an institution has the adjective of its country, and what it is for; in
 * English a company has its partners.
 */
export function wholeNames(text: string, mentions: readonly Entity[]): Entity[] {
  const slice = codePointSlicer(text);
  if (!/\p{Script=Arabic}/u.test(text)) return partners(slice, mentions);
  return inOne(slice, mentions).map((mention) => {
    const behind = slice(mention.end, mention.end + LOOKED_AT);
    const before = slice(mention.start - LOOKED_AT, mention.start);
    const more = mention.type === "ORG" ? restOf(mention, behind, before) : "";
    return more === "" ? mention : longer(mention, more);
  });
}

const PARTNERS = /^(?:,(?: \p{Lu}[\p{L}.]*){1,3})? (?:and|&) Co(?: (?:Inc|Ltd|Plc))?(?![\p{L}\p{N}])/u;

/** Persons whose name a company has are the company: Robert H. Barker and Co. */
function partners(slice: Slice, mentions: readonly Entity[]): Entity[] {
  const whole = mentions.map((mention) => {
    const behind = slice(mention.end, mention.end + LOOKED_AT);
    if (isTicker(slice, mention)) return { ...mention, confidence: 0 };
    const more = /^(?:PER|ORG)$/.test(mention.type) ? (PARTNERS.exec(behind)?.[0] ?? "") : "";
    return more === "" ? mention : { ...longer(mention, more), type: "ORG" };
  });
  return whole.filter((mention) => !whole.some((other) => isWithin(mention, other)));
}

/** Whether a mention is the short name of a share, <CANN.T>, which stands behind its company and is no other. */
const isTicker = (slice: Slice, { name, start, end }: Entity): boolean =>
  slice(start - 1, start) === "<" && slice(end, end + 1) === ">" && /^[A-Z.]{1,7}$/.test(name);

const isWithin = (a: Entity, b: Entity): boolean =>
  b.start <= a.start && a.end <= b.end && b.end - b.start > a.end - a.start;

/** Persons between whom there is nothing but a space are one: ترينت ألكسندر أرنولد. */
function inOne(slice: Slice, mentions: readonly Entity[]): Entity[] {
  const persons = mentions
    .filter(({ type, confidence }) => type === "PERS" && confidence >= LEAST)
    .sort((a, b) => a.start - b.start);
  const gone = new Set<Entity>();
  const whole = new Map<Entity, Entity>();
  for (const [i, first] of persons.entries()) {
    const second = persons[i + 1];
    if (
      second === undefined ||
      gone.has(first) ||
      second.start !== first.end + 1 ||
      slice(first.end, first.end + 1) !== " "
    )
      continue;
    // الملك عبد الله
    if (/^ال\S+$/.test(first.name)) continue;
    gone.add(second);
    whole.set(first, longer(first, ` ${second.name}`));
  }
  return mentions.flatMap((mention) => (gone.has(mention) ? [] : [whole.get(mention) ?? mention]));
}

/** What stands behind an organisation's mention and belongs to its name. */
function restOf({ name }: Entity, behind: string, before: string): string {
  const words = name.split(" ");
  const quoted =
    /["«“]$/.test(before) && !/["»”]/.test(name) ? /^((?: \p{L}+){1,2})["»”]/u.exec(behind)?.[1] : undefined;
  if (quoted !== undefined) return quoted;
  const [first = ""] = words;
  const last = words.at(-1) ?? "";
  const next = /^ (ال\p{L}{3,})(?!\p{L})/u.exec(behind)?.[1];
  if (next === undefined || !isInstitution(first)) return "";
  const purpose = words.findLastIndex((word) => isPurpose(word));
  if (purpose > 0 && !words.slice(purpose + 1).some((word) => word.startsWith("ال"))) return ` ${next}`;
  // لتحلية المياه المالحة, للمنتجات المتخصصة
  if (purpose > 0 || words.some((word) => /^لل\p{L}{3}/u.test(word))) {
    return /(?:ات|المياه|العلوم|الأوراق)$/.test(last) && /ة$/.test(next) ? ` ${next}` : "";
  }
  const isNamed = words.some((word) => nationality(word) !== undefined || isCountry(nameKey(word)));
  if (isNamed || words.length < 2 || !last.startsWith("ال") || nationality(next) === undefined) return "";
  return /(?:ة|ات)$/.test(first) === /ة$/.test(next) ? ` ${next}` : "";
}

function longer(mention: Entity, more: string): Entity {
  const { text, name, end } = mention;
  return { ...mention, text: text + more, name: name + more, end: end + [...more].length };
}
