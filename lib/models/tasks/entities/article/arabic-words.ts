import { readFileSync } from "node:fs";
import { URL } from "node:url";
import { z } from "zod";
import { memoize } from "../../../../std/mod.ts";
import { nameKey } from "../../../../text/mod.ts";
import { aliasGroup, type Entity, isCountry } from "../aliases.ts";
import { foldToken } from "../find-entities.ts";

const WORD_LISTS = [
  "institution",
  "national",
  "plural",
  "common",
  "group-head",
  "place-head",
  "land-head",
  "building-head",
  "event-head",
  "title",
  "common-place",
  "nickname",
  "contest",
  "common-event",
  "people",
  "nationality",
  "time",
] as const;

/** A list of `nlp/lexicon/entity-words.tsv`, which says what each is for. */
type WordList = (typeof WORD_LISTS)[number];

const row = z.tuple([z.enum(WORD_LISTS), z.string()]);

let shipped: ReadonlyMap<WordList, ReadonlySet<string>> | undefined;

/** Returns the words of a list that ships, as they are written there. */
export function wordList(name: WordList): ReadonlySet<string> {
  shipped ??= readWordLists(
    readFileSync(new URL("../../../../../nlp/lexicon/entity-words.tsv", import.meta.url), "utf8"),
  );
  return shipped.get(name) ?? new Set();
}

/** Words by list. @throws ZodError for a line of another form; RangeError where a word stands twice in a list */
export function readWordLists(table: string): Map<WordList, Set<string>> {
  const lists = new Map<WordList, Set<string>>();
  for (const line of table.split("\n")) {
    if (line === "" || line.startsWith("#")) continue;
    const [name, words] = row.parse(line.split("\t"));
    const list = lists.get(name) ?? new Set();
    for (const word of words.split("|")) {
      if (list.has(word)) throw new RangeError(`${word} stands twice in the list ${name}`);
      list.add(word);
    }
    lists.set(name, list);
  }
  return lists;
}

const folded = new Map<WordList, ReadonlySet<string>>();

/** Tells whether a word, folded, stands in a list. */
function is(list: WordList, word: string): boolean {
  let words = folded.get(list);
  if (words === undefined) {
    words = new Set(Array.from(wordList(list), list === "nickname" ? nameKey : foldToken));
    folded.set(list, words);
  }
  return words.has(word);
}

/** Holds what is done for somebody or something, with ل: لسلامة, لتقديم, لحماية, لمكافحة. */
const PURPOSE =
  /^ل(?:ت\p{L}{2}ي\p{L}|ت\p{L}{2,3}ة|[إا]\p{L}{2}ا\p{L}ة?|م\p{L}ا\p{L}{2}ة|\p{L}{2}ا\p{L}ة|دعم|شؤون|حقوق|بحوث)$/u;

const NISBA = /^(?:ال)?(.{2,})ي(?:ه|ون|ين|ات|ا)?$/;
const ARTICLE = /^ال(?=...)/;

const bare = (word: string): string => foldToken(word).replace(ARTICLE, "");

/** Tells whether a word is a noun that names of institutions begin with, with or without its article. */
export const isInstitution = (word: string): boolean => is("institution", bare(word));

/** Tells whether a word is the plural of a noun that names of institutions begin with. */
export const isPlural = (word: string): boolean => is("plural", bare(word));

/** Tells whether a word says what is done for somebody or something, which ends no name. */
export const isPurpose = (word: string): boolean => PURPOSE.test(word);

/** Tells whether a name is a nickname of a team. */
export const isNickname = (name: string): boolean => is("nickname", nameKey(name));

/** Tells whether an institution's noun makes a name with a nationality alone: الجيش السوري. */
export const isNational = (word: string): boolean => is("national", bare(word));

/** Tells whether names of contests begin with a word, which may end with a place's: دوري أبطال أوروبا. */
export const isContest = (word: string): boolean => is("contest", bare(word));

/** Tells whether a word names one of many events alone, with its article: الدوري. */
export const isCommonEvent = (word: string): boolean => is("common-event", bare(word));

/** Tells whether a word ends no name: a day or another word of time. */
export const isTime = (word: string): boolean => is("time", foldToken(word));

/** Tells whether a word makes no name of an institution's noun before it. */
export const isCommon = (word: string): boolean => is("common", foldToken(word));

/** Tells whether names of seas, mountains and islands begin with a word. */
export const isLandHead = (word: string): boolean => is("land-head", foldToken(word));

/** Tells whether names of buildings, streets and squares begin with a word. */
export const isBuildingHead = (word: string): boolean => is("building-head", foldToken(word));

/** Tells whether a noun names a part of many places, and none itself: الحدود السورية, شواطئ أستراليا. */
export const isCommonPlace = (word: string): boolean => is("common-place", bare(word));

/** Tells whether a word stands before names of places that mean the same without it. */
export const isPlaceHead = (word: string): boolean => is("place-head", bare(word));

/** Tells whether a word stands before names of groups, companies and media that mean the same without it. */
export const isGroupHead = (word: string): boolean => is("group-head", foldToken(word));

/** Tells whether a noun stands before names of contests and prizes that mean the same without it. */
export const isEventHead = (word: string): boolean => is("event-head", foldToken(word));

/** Tells whether a word is a title, before which or behind which a person's name is the same. */
export const isTitle = (word: string): boolean => is("title", foldToken(word));

/** Returns the country's part of a nationality (`سوري`, `المصرية`, `لبنانيون`), folded; undefined for other words. */
export const nationality = (word: string): string | undefined => nationalStem(word) ?? undefined;

/** Words of which it is kept whether they are a nationality. */
const CACHED_WORDS = 10_000;

const nationalStem = memoize(
  (word): string | null => {
    const stem = NISBA.exec(foldToken(word))?.[1];
    // ministries of finance are not of Mali
    if (stem === "مال") return null;
    // السعودية is said of a thing, too
    if (stem === undefined || (isCountry(nameKey(word)) && !/^ال.*ي[ةه]$/.test(word))) return null;
    const isOfCountry = ["", "ا", "ه", "يا", "ي"].some((end) => isCountry(stem + end) || isCountry(`ال${stem}${end}`));
    return isOfCountry || is("nationality", stem) ? stem : null;
  },
  { capacity: CACHED_WORDS },
);

/** Returns the name of a people by which its forms are one (`الفلسطينيين`, `فلسطينيا`): undefined for other words. */
export function peopleOf(word: string): string | undefined {
  const own = bare(word);
  const stem = nationality(word);
  if (stem !== undefined) return `${stem}يون`;
  return is("people", own) ? own.replace(/ين$/, "ون") : undefined;
}

/** Adjectives and what it is for, of which no event's name is made alone. */
const COMMON = /^(?:لل\p{L}{3,}|(?!ال)\p{L}{3,}ة|سلام|شامل|نووي|تجاري|ثنائي|ودي)$/u;
const COMMON_WITH_ARTICLE =
  /^و?ال(?:أهلي|تشريعي|برلماني|رئاسي|محلي|بلدي|نيابي|عام|داخلي|مبكر|تمهيدي|ثنائي|مقبل|أخير|حالي)ة?$/;

/**
 * Returns the mentions without events of many, which have neither article, name nor number (حرب باردة, معرض للفنون), or
 * only an adjective that says of what sort they are (الانتخابات البرلمانية).
 */
export function withoutCommonEvents(mentions: readonly Entity[]): Entity[] {
  return mentions.filter((mention) => mention.type !== "EVENT" || !isOfMany(mention, mentions));
}

function isOfMany({ name, start, end }: Entity, mentions: readonly Entity[]): boolean {
  const [first = "", second = "", ...rest] = name.split(" ");
  if (!isCommonEvent(first)) return false;
  if (first.startsWith("ال")) return second !== "" && [second, ...rest].every((word) => COMMON_WITH_ARTICLE.test(word));
  if (!COMMON.test(second)) return false;
  if (!second.startsWith("لل") && rest.length > 0) return false;
  const hasName = mentions.some(
    (other) => other.start > start && other.end <= end && /^(?:GPE|LOC|FAC|PERS|ORG|DATE)$/.test(other.type),
  );
  return !hasName && aliasGroup(nameKey(second), "place") === undefined;
}
