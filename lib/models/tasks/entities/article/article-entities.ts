import { codePointSlicer, displayName, nameKey, unitToCodePoint } from "../../../../text/mod.ts";
import { aliasGroup, type ArticleEntity, type Entity, isCountry, kindOf, organisationKeys } from "../aliases.ts";
import { isContest, isInstitution, isPurpose, nationality, withoutCommonEvents } from "./arabic-words.ts";
import { appositions, introduced, otherNames } from "./introduced.ts";
import { mergeEntities } from "./merge.ts";
import { arabicName, englishName, type LetterCase, letterCase } from "./names.ts";
import { joined } from "./same-name.ts";

/** Persons less likely than this are not joined. */
const MIN_PERSON = 0.5;

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

/** A single name behind a title is a person's: President Reagan. */
const TITLE_BEFORE =
  /(?<!\p{L})(?:President|Chancellor|Senator|Sen\.|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|Pope|Sir|Prime Minister) $/u;

/** Persons whose name a company has are the company: Robert H. Barker and Co. */
function partners(slice: Slice, mentions: readonly Entity[]): Entity[] {
  const whole = inOneLine(slice, mentions).map((mention) => {
    const behind = slice(mention.end, mention.end + LOOKED_AT);
    if (isTicker(slice, mention)) return { ...mention, confidence: 0 };
    if (mention.type === "ORG" && TITLE_BEFORE.test(slice(mention.start - LOOKED_AT, mention.start))) {
      return /^\p{Lu}[\p{Ll}'’-]+$/u.test(mention.name) ? { ...mention, type: "PER" } : mention;
    }
    const more = /^(?:PER|ORG)$/.test(mention.type) ? (PARTNERS.exec(behind)?.[0] ?? "") : "";
    return more === "" ? mention : { ...longer(mention, more), type: "ORG" };
  });
  return whole.filter((mention) => !whole.some((other) => isWithin(mention, other)));
}

/** Names of one type between which a line ends are one, and so are companies that are named with "and" each time. */
function inOneLine(slice: Slice, mentions: readonly Entity[]): Entity[] {
  const pairs = mentions.flatMap((first) => {
    const second = mentions.find(
      ({ type, start }) => type === first.type && start > first.end && start - first.end < 6,
    );
    if (second === undefined) return [];
    return [{ first, second, between: slice(first.end, second.start).replace(/\s+/g, " ") }];
  });
  const joined = new Map<Entity, Entity>();
  const gone = new Set<Entity>();
  for (const { first, second, between } of pairs) {
    const isWrapped = slice(first.end, second.start) === "\n";
    if (gone.has(first) || !(isWrapped || isFirm(pairs, mentions, { first, second, between }))) continue;
    gone.add(second);
    const [text, name] = [slice(first.start, second.end), `${first.name}${between}${second.name}`];
    joined.set(first, { ...first, text, name, end: second.end });
  }
  return mentions.flatMap((mention) => (gone.has(mention) ? [] : [joined.get(mention) ?? mention]));
}

type Pair = { first: Entity; second: Entity; between: string };

/** Tells whether two organisations are named together more than once, and never apart: Bausch and Lomb. */
function isFirm(pairs: readonly Pair[], mentions: readonly Entity[], { first, second, between }: Pair): boolean {
  if (first.type !== "ORG" || !/^ (?:and|&) $/.test(between)) return false;
  const isSame = (pair: Pair): boolean =>
    pair.between === between && pair.first.name === first.name && pair.second.name === second.name;
  const together = pairs.filter((pair) => isSame(pair)).length;
  const countOf = (name: string): number => mentions.filter((each) => each.name === name).length;
  return together > 1 && countOf(first.name) === together && countOf(second.name) === together;
}

/** Tells whether a mention is the short name of a share, <CANN.T>, which stands behind its company and is no other. */
const isTicker = (slice: Slice, { name, start, end }: Entity): boolean =>
  slice(start - 1, start) === "<" && slice(end, end + 1) === ">" && /^[A-Z.]{1,7}$/.test(name);

const isWithin = (a: Entity, b: Entity): boolean =>
  b.start <= a.start && a.end <= b.end && b.end - b.start > a.end - a.start;

/** Persons between whom there is nothing but a space are one: ترينت ألكسندر أرنولد. */
function inOne(slice: Slice, mentions: readonly Entity[]): Entity[] {
  const persons = mentions
    .filter(({ type, confidence }) => type === "PERS" && confidence >= MIN_PERSON)
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
const LIKELY_NAME = 0.5;

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
      confidence >= LIKELY_NAME &&
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

/** Holds what the tagger found in the two texts of an article. */
type FoundInArticle = { title: readonly Entity[]; content: readonly Entity[] };

/** Mentions less likely than this count for nothing; of names that the table has, than {@link LEAST_OF_KNOWN}. */
const LEAST = 0.5;
const LEAST_OF_KNOWN = 0.4;

/**
 * A name with one mention needs to be as likely as this; a single word, an event and an organisation (of those in news
 * less likely, 13 of 21 were none) as {@link LIKELY}, a product, which may be any word in quotation marks, as
 * {@link PRODUCT}.
 */
const ENOUGH = 0.65;
const LIKELY = 0.7;
const PRODUCT = 0.8;

/** Longest name, in UTF-16 units: what is longer is no name. */
const MAX_NAME_UNITS = 200;

/** Types of what is said with numbers, which are no names. */
const NUMERIC = /^(?:DATE|TIME|CARDINAL|ORDINAL|PERCENT|MONEY|CURR|QUANTITY|UNIT)$/;

/**
 * Tells who and what an article is about, the most mentioned first, from what the tagger found in its title and
 * content: names that hold as such, one entity for each real thing. Places of mentions are those in the content.
 */
export function articleEntities(
  { title, content }: { title: string; content: string },
  found: FoundInArticle,
): ArticleEntity[] {
  const cases = { title: letterCase(title), content: letterCase(content) };
  const namesOf = (text: string, mentions: readonly Entity[]): Entity[] =>
    outer(withoutCommonEvents(STEPS.reduce((all, step) => step(text, all), mentions))).flatMap((mention) =>
      named(mention, cases.content),
    );
  const body = namesOf(content, found.content);
  const head = namesOf(title, found.title).map((mention) => ({ ...mention, start: -1, end: -1 }));
  const same = { organisations: appositions(content, body), persons: otherNames(content, body) };
  const all = mergeEntities(cases.title.isCapitals ? [...body, ...head.map(asGuess)] : [...head, ...body], same);
  return all
    .filter((entity) => holds(entity))
    .map((entity) => ({
      ...entity,
      spans: entity.spans.filter((offset) => offset >= 0),
    }));
}

/** Holds what is done to the mentions of a text, in this order. */
const STEPS: ((text: string, mentions: readonly Entity[]) => readonly Entity[])[] = [
  wholeNames,
  joined,
  withKnown,
  introduced,
];

/** With the organisations of the table in the place of what the tagger was unsure of there. */
function withKnown(text: string, mentions: readonly Entity[]): Entity[] {
  const organisations = knownOrganisations(text, mentions);
  const isReplaced = ({ type, start, end }: Entity): boolean =>
    type === "ORG" && organisations.some((other) => other.start < end && start < other.end);
  return [...mentions.filter((mention) => !isReplaced(mention)), ...organisations];
}

/**
 * Without places that are only a part of another's name, as مدريد in ريال مدريد and أوروبا in دوري أبطال أوروبا, but
 * not in a name made of a noun; without organisations in a contest's name, and without languages and peoples that are
 * an organisation's adjective.
 */
function outer(mentions: readonly Entity[]): Entity[] {
  const organisations = mentions.filter(({ type }) => type === "ORG");
  const holders = mentions.filter(({ type, name }) => {
    const [first = ""] = name.split(" ");
    if (type === "EVENT") return isContest(first.replace(/^[وف]?[بل]/, "")) || isContest(first);
    const isWhole = !isInstitution(first) || aliasGroup(nameKey(name), "other")?.kind === "organisation";
    return /^(?:ORG|PERS|PRODUCT)$/.test(type) && isWhole;
  });
  const contests = holders.filter(({ type }) => type === "EVENT");
  const isIn = ({ start, end }: Entity, others: readonly Entity[]): boolean =>
    others.some((other) => other.start <= start && end <= other.end && other.end - other.start > end - start);
  return mentions.filter((mention) => {
    if (/^(?:LANGUAGE|NORP)$/.test(mention.type)) return !isIn(mention, organisations);
    if (mention.type === "ORG") return !isIn(mention, contests);
    return kindOf(mention.type) !== "place" || !isIn(mention, holders);
  });
}

/**
 * Returns a mention in a title of capitals, which tell no name from other words: it counts where the content has the
 * name.
 */
const asGuess = (mention: Entity): Entity => ({ ...mention, confidence: 0 });

function named(mention: Entity, article: LetterCase): Entity[] {
  const isKnown = aliasGroup(nameKey(mention.name), kindOf(mention.type)) !== undefined;
  if (mention.confidence === 0) return [mention];
  if (mention.confidence < (isKnown ? LEAST_OF_KNOWN : LEAST) || mention.name.length > MAX_NAME_UNITS) return [];
  if (NUMERIC.test(mention.type)) return [mention];
  const own = /\p{Script=Arabic}/u.test(mention.name) ? arabicName(mention) : englishName(mention, article);
  return own === undefined ? [] : [own];
}

/** Tells whether enough speaks for an entity. */
function holds({ key, type, mentions, confidence }: ArticleEntity): boolean {
  if (confidence === 0) return false;
  if (mentions > 1 || NUMERIC.test(type) || aliasGroup(key, kindOf(type)) !== undefined) return true;
  if (type === "PRODUCT") return confidence >= PRODUCT;
  const isDoubtful = !key.includes(" ") || type === "EVENT" || kindOf(type) === "organisation";
  return confidence >= (isDoubtful ? LIKELY : ENOUGH);
}
