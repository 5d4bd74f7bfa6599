import { codePointSlicer, displayName, nameKey, unitToCodePoint } from "../../../../text/mod.ts";
import { type Entity, isCountry, kindOf, organisationKeys } from "../aliases.ts";
import { isInstitution, isPurpose, nationality } from "./arabic-words.ts";

/** Persons less likely than this are not joined. */
const LEAST = 0.5;

/** Gives a text from one code point to another. */
type Slice = (start: number, end: number) => string;

/** Code points of a text that are looked at behind a mention. */
const LOOKED_AT = 40;

/**
 * Returns the mentions of a text with the words around them that are a part of their names. In Arabic two persons in a
 * row are one, names in quotation marks end with them, an institution has the adjective of its country, and what it is
 * for; in English a company has its partners.
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

/** Tells whether a mention is the short name of a share, <CANN.T>, which stands behind its company and is no other. */
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

/** Returns what stands behind an organisation's mention and belongs to its name. */
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

/** Probability of a name of several words that stands in the table: it means nothing else. */
const TABLE_CONFIDENCE = 0.9;

/** Holds what the tagger found with this probability stands. */
const LIKELY = 0.5;

const ARABIC_WORD = /[\p{Script=Arabic}\p{M}\u0640]+/gu;
const PROCLITIC = /^[وف]?[بلك]?(?=\p{L}{3})/u;

/**
 * Returns the names of organisations in an Arabic text that the table has and the tagger has not found whole, as
 * mentions; of several words only, for a word alone may mean something else.
 */
export function knownOrganisations(text: string, found: readonly Entity[]): Entity[] {
  const toCodePoint = unitToCodePoint(text);
  const words = [...text.matchAll(ARABIC_WORD)].map(({ 0: word, index }) => ({
    word,
    from: index,
    key: nameKey(word),
    isOpened: text[index - 1] === "(",
  }));
  const added: Entity[] = [];
  for (let i = 0; i < words.length; i++) {
    const first = words[i];
    if (first === undefined) continue;
    const match = matchAt(words, i);
    if (match === undefined) continue;
    const last = words[i + match.length - 1] ?? first;
    const from = first.from + match.cut;
    const name = text.slice(from, last.from + last.word.length);
    const [start, end] = [toCodePoint(from), toCodePoint(last.from + last.word.length)];
    i += match.length - 1;
    const isFound = ({ type, confidence, ...other }: Entity): boolean =>
      kindOf(type) === "organisation" &&
      confidence >= LIKELY &&
      other.start < end &&
      start < other.end &&
      !(start <= other.start && other.end <= end && other.end - other.start < end - start);
    if (found.some(isFound)) continue;
    const shown = displayName((match.isArticleCut ? `ا${name}` : name).replace(/["«»“”]/g, ""), "ORG");
    added.push({ type: "ORG", text: name, name: shown, start, end, confidence: TABLE_CONFIDENCE });
  }
  return added;
}

type Word = { word: string; key: string; isOpened: boolean };
type Match = { length: number; cut: number; isArticleCut: boolean };

function matchAt(words: readonly Word[], at: number): Match | undefined {
  const { word = "", key = "" } = words[at] ?? {};
  const cut = PROCLITIC.exec(word)?.[0].length ?? 0;
  const bare = word.slice(cut);
  const isArticleCut = cut > 0 && word[cut - 1] === "ل" && bare.startsWith("ل");
  const firsts = [{ key, cut: 0, isArticleCut: false }];
  if (cut > 0) firsts.push({ key: nameKey(isArticleCut ? `ا${bare}` : bare), cut, isArticleCut });
  for (const first of firsts) {
    const names = organisationKeys().get(first.key) ?? [];
    const name = names.find((parts) => parts.every((part, i) => i === 0 || isSame(part, words[at + i])));
    if (name !== undefined) return { length: name.length, cut: first.cut, isArticleCut: first.isArticleCut };
  }
  return undefined;
}

/** Tells whether a word behind a name's first one is that part of its key, which keeps its article. */
const isSame = (part: string, { word, isOpened }: Word = { word: "", key: "", isOpened: false }): boolean =>
  !isOpened && nameKey(`x ${word}`) === `x ${part}`;
