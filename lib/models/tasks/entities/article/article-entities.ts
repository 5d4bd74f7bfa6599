import { nameKey } from "../../../../text/mod.ts";
import { aliasGroup, type ArticleEntity, type Entity, kindOf } from "../aliases.ts";
import { appositions, introduced, otherNames } from "./introduced.ts";
import { arabicName, englishName, type LetterCase, letterCase } from "./names.ts";
import { isContest, isInstitution, withoutCommonEvents } from "./arabic-words.ts";
import { joined } from "./same-name.ts";
import { knownOrganisations, wholeNames } from "./whole-names.ts";
import { mergeEntities } from "./merge.ts";

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
