import { nameKey } from "../../../../text/index.ts";
import { aliasGroup, kindOf } from "../aliases.ts";
import type { ArticleEntity, Entity } from "../entity.ts";
import { arabicName } from "./arabic-names.ts";
import { isInstitution } from "./arabic-words.ts";
import { englishName, type LetterCase, letterCase } from "./english-names.ts";
import { knownOrganisations } from "./known-organisations.ts";
import { mergeEntities } from "./merge.ts";

/** What the tagger found in the two texts of an article. */
export type FoundInArticle = { title: readonly Entity[]; content: readonly Entity[] };

/** Mentions less likely than this count for nothing; of names that the table has, than {@link LEAST_OF_KNOWN}. */
const LEAST = 0.5;
const LEAST_OF_KNOWN = 0.4;

/** A name with one mention needs to be as likely as this; a single word of no organisation as {@link ONE_WORD}. */
const ENOUGH = 0.65;
const ONE_WORD = 0.7;

/** Longest name, in UTF-16 units: what is longer is no name. */
const LONGEST = 200;

/** Types of what is said with numbers, which are no names. */
const NUMERIC = /^(?:DATE|TIME|CARDINAL|ORDINAL|PERCENT|MONEY|CURR|QUANTITY|UNIT)$/;

/**
 * Who and what an article is about, the most mentioned first, from what the tagger found in its title and content:
 * names that hold as such, one entity for each real thing. Places of mentions are those in the content.
 */
export function articleEntities(
  { title, content }: { title: string; content: string },
  found: FoundInArticle,
): ArticleEntity[] {
  const cases = { title: letterCase(title), content: letterCase(content) };
  const body = outer([...found.content, ...knownOrganisations(content, found.content)]).flatMap((mention) =>
    named(mention, cases.content),
  );
  const head = outer([...found.title, ...knownOrganisations(title, found.title)])
    .flatMap((mention) => named(mention, cases.content))
    .map((mention) => ({ ...mention, start: -1, end: -1 }));
  const all = mergeEntities(cases.title.isCapitals ? [...body, ...head.map(asGuess)] : [...head, ...body]);
  return all
    .filter((entity) => holds(entity))
    .map((entity) => ({ ...entity, spans: entity.spans.filter((offset) => offset >= 0) }));
}

/** Without places that are only a part of another's name: مدريد in ريال مدريد, but not in a name made of a noun. */
function outer(mentions: readonly Entity[]): Entity[] {
  const holders = mentions.filter(
    ({ type, name }) => /^(?:ORG|PERS|PRODUCT)$/.test(type) && !isInstitution(name.split(" ")[0] ?? ""),
  );
  return mentions.filter(
    ({ start, end, type }) =>
      kindOf(type) !== "place" ||
      !holders.some((other) => other.start <= start && end <= other.end && other.end - other.start > end - start),
  );
}

/** A mention in a title of capitals, which tell no name from other words: it counts where the content has the name. */
const asGuess = (mention: Entity): Entity => ({ ...mention, confidence: 0 });

function named(mention: Entity, article: LetterCase): Entity[] {
  const isKnown = aliasGroup(nameKey(mention.name), kindOf(mention.type)) !== undefined;
  if (mention.confidence < (isKnown ? LEAST_OF_KNOWN : LEAST) || mention.name.length > LONGEST) return [];
  if (NUMERIC.test(mention.type)) return [mention];
  const own = /\p{Script=Arabic}/u.test(mention.name) ? arabicName(mention) : englishName(mention, article);
  return own === undefined ? [] : [own];
}

/** Whether enough speaks for an entity. */
function holds({ key, type, mentions, confidence }: ArticleEntity): boolean {
  if (confidence === 0) return false;
  if (mentions > 1 || NUMERIC.test(type) || aliasGroup(key, kindOf(type)) !== undefined) return true;
  const isWord = !key.includes(" ") && kindOf(type) !== "organisation";
  return confidence >= (isWord || /^(?:EVENT|PRODUCT)$/.test(type) ? ONE_WORD : ENOUGH);
}
