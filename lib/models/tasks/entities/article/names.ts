import { nameKey } from "../../../../text/mod.ts";
import { aliasGroup, type Entity, isCountry, kindOf } from "../aliases.ts";
import {
  isBuildingHead,
  isCommon,
  isCommonEvent,
  isCommonPlace,
  isContest,
  isInstitution,
  isLandHead,
  isNational,
  isNickname,
  isPlaceHead,
  isPlural,
  isPurpose,
  isTime,
  nationality,
  peopleOf,
} from "./arabic-words.ts";

/**
 * Tells whether the two words are the management of some group, or one of many royal clubs, national teams or agencies.
 */
const isManagement = (first: string, second: string): boolean =>
  (/^(?:ال)?(?:إدارة|مقر|مسؤولو|جماهير)$/.test(first) && second.startsWith("ال") && isInstitution(second)) ||
  (/^(?:النادي|الفريق)$/.test(first) && second === "الملكي") ||
  (/^(?:ال)?منتخب$/.test(first) && /^(?:الشباب|الناشئين|السيدات|الفراعنة)$/.test(second)) ||
  (/^(?:قوات|أجهزة)$/.test(first) && second === "الأمن") ||
  (first === "المنتخب" && /^(?:الوطني|الأول)$/.test(second)) ||
  (/^وكال(?:ة|ات)$/.test(first) && second === "الأنباء");

const QUOTES = /^["“”«»']+|["“”«»']+$/g;
const FOR = /^لل/;

/**
 * Returns a mention in Arabic as an article's entity, or undefined where it names nobody and nothing: offices and
 * occupations, people by what they do, a noun such as "the company" or "the Syrian organisation", an adjective alone.
 * Countries are places, whatever they do; days and what the name is for do not end it.
 */
export function arabicName(mention: Entity): Entity | undefined {
  const { type } = mention;
  if (type === "OCC") return undefined;
  if (type === "NORP") return people(mention);
  const name = trimmed(mention);
  const words = name.split(" ");
  const [first = ""] = words;
  if (name === "") return undefined;
  // no country's name has the article and the ending of an adjective: التشيلي
  if (words.length === 1 && isCountry(nameKey(name)) && /^ال.+ي$/.test(name)) return undefined;
  if (isCountry(nameKey(name)) && type !== "PERS") return { ...mention, name, type: "GPE" };
  if (aliasGroup(nameKey(name), kindOf(type)) !== undefined) return { ...mention, name };
  if (type === "LAW" && words.length === 2 && /^(?:القانون|النظام|اللائحة)$/.test(first)) return undefined;
  // what is American is no language
  if (type === "LANGUAGE" && !first.startsWith("ال")) return undefined;
  if (type === "LANGUAGE" || type === "LAW") return { ...mention, name };
  if (type === "LOC" && isCommonPlace(first)) return undefined;
  if (words.length === 1 && nationality(first) !== undefined) return undefined;
  if (isInstitution(first) && isGeneric(words)) return undefined;
  const isRepublic = isPlaceHead(first) && isCountry(nameKey(words.slice(1).join(" ")));
  if (isRepublic && type !== "PERS") return { ...mention, name, type: "GPE" };
  if (type === "ORG" && (isNickname(name) || /^الأمن القومي /.test(`${name} `))) return undefined;
  if (type === "ORG" && words.length === 1 && /^لل/.test(first)) return undefined;
  if (type === "ORG" && (isPlural(first) || (words.length === 1 && isCommon(first)))) return undefined;
  if (type !== "PERS" && isOfMany(words)) return undefined;
  if (isPlaceHead(first) && words.slice(1).every((word) => nationality(word) !== undefined)) return undefined;
  if (words.some((word) => /^بلاد(?:ه|ها|هم|نا)$/.test(word))) return undefined;
  const [, second = ""] = words;
  if (type === "FAC" && words.length === 2 && second.startsWith("ال") && isBuildingHead(second.slice(2)))
    return undefined;
  if (type === "EVENT" && words.length === 1 && isCommonEvent(first)) return undefined;
  if (type === "PERS" && words.length > 2 && first.startsWith("ال") && nationality(first) !== undefined) {
    return { ...mention, name: words.slice(1).join(" ") };
  }
  return { ...mention, name, type: arabicTypeBy(first, type, words.length) };
}

/** Returns the type that a name's first word says it is of. */
function arabicTypeBy(first: string, type: string, words: number): string {
  if (words === 1) return type;
  if (isLandHead(first) && /^(?:GPE|FAC)$/.test(type)) return "LOC";
  return isBuildingHead(first) && /^(?:PERS|GPE|LOC|ORG)$/.test(type) ? "FAC" : type;
}

function people(mention: Entity): Entity | undefined {
  const words = mention.name.split(" ");
  const [first = ""] = words;
  // one of them is no people: السنغالي ساديو ماني
  const isOne = /(?:ي|ية)$/.test(first) && nationality(first) !== undefined;
  return words.length === 1 && !isOne && peopleOf(first) !== undefined ? mention : undefined;
}

/** Tells whether words are one of many, or of those of a country, without an article: قاعدة جوية سورية. */
function isOfMany([first = "", ...rest]: readonly string[]): boolean {
  const isNoun = isInstitution(first) || isBuildingHead(first) || isCommonEvent(first);
  if (!isNoun || rest.length === 0 || [first, ...rest].some((word) => word.startsWith("ال"))) return false;
  // سورية is the country, but not behind an adjective
  return rest.every(
    (word, i) =>
      isCommon(word) || nationality(word) !== undefined || (i > 0 && /ية$/.test(word) && isCountry(nameKey(word))),
  );
}

/**
 * Tells whether an institution's noun is followed by no name: by nothing, by adjectives of a country, by what it is
 * for.
 */
function isGeneric(words: readonly string[]): boolean {
  const [first = "", ...rest] = words;
  if (rest.length === 0) return true;
  if (rest.every((word) => isCommon(word))) return true;
  const [second = ""] = rest;
  if (rest.length === 1 && isManagement(first, second)) return true;
  if (rest.every((word) => nationality(word) !== undefined || isCommon(word))) {
    return !isNational(first) || !(first.startsWith("ال") || second.startsWith("ال"));
  }
  if (first.startsWith("ال")) return false;
  const isFor = /^ل(?:[إت]\p{L}{3,}|\p{L}{3,}ة)$/u.test(second);
  return isFor || (rest.length === 1 && /ة$/.test(first) && /^(?!ال).{3,}ية$/.test(second));
}

/** A preposition written onto a common noun with which a name begins: ب in بجامعة. */
const PREPOSITION = /^[وف]?[بل](?=\p{L}{3})/u;

/** Particles with which no name ends. */
const DANGLING = /^(?:في|من|على|إلى|عن|إن|أن|التي|الذي|الذين|هو|هي|وهو|وهي)$/;

function trimmed({ name, type }: Entity): string {
  const words = withoutPreposition(name.replace(QUOTES, "")).split(" ");
  if (type === "ORG" && words[0] === "قوات" && words[1] === "الجيش") words.shift();
  const [, capital = ""] = words;
  const isCity = !capital.startsWith("ال") || aliasGroup(nameKey(capital), "place") !== undefined;
  // العاصمة الإدارية is the name
  if (type === "GPE" && words[0] === "العاصمة" && capital !== "" && isCity) words.shift();
  // what would be left of a newspaper's name is no name: المصري اليوم
  const isTitle = type === "ORG" && words.length === 2 && nationality(words[0] ?? "") !== undefined;
  if (isKnown(words.join(" "))) return words.join(" ");
  while (words.length > 1 && DANGLING.test(words.at(-1) ?? "")) words.pop();
  while (words.length > 1 && !isTitle && isTime(words.at(-1) ?? "")) words.pop();
  const second = words.findIndex((word, i) => i > 0 && /^وال\p{L}{3}/u.test(word));
  if (second > 0 && isNational(words[0] ?? "")) words.splice(second);
  while (words.length > 1 && type === "GPE" && FOR.test(words.at(-1) ?? "")) words.pop();
  if (words.length > 2 && isCountry(nameKey(/^ب(.{3,})/.exec(words.at(-1) ?? "")?.[1] ?? ""))) words.pop();
  if (type === "ORG" && isCountry(nameKey(/^ل(.{3,})/.exec(words.at(-1) ?? "")?.[1] ?? "")) && words.length > 1)
    words.pop();
  // منتخب تونس كوستاريكا
  if (words.length === 3 && isInstitution(words[0] ?? "") && words.slice(1).every((word) => isCountry(nameKey(word))))
    words.pop();
  if (type === "ORG" && words.length > 2 && /^بال\p{L}{3}/u.test(words.at(-1) ?? "")) words.pop();
  if (type === "ORG" && words.length > 2 && isPurpose(words.at(-1) ?? "")) words.pop();
  const purpose = words.findIndex(
    (word, i) => i > 1 && /^ل\p{L}{3}/u.test(word) && isKnown(words.slice(0, i).join(" ")),
  );
  if (purpose > 0 && !isKnown(words.join(" "))) words.splice(purpose);
  const open = words
    .join(" ")
    .replace(/ ?\([^)]*$/, "")
    .replace(/^([^(]*)\)/, "$1");
  return (open.match(/"/g)?.length ?? 0) % 2 === 1 ? open.replace('"', "") : open;
}

const isKnown = (name: string): boolean => aliasGroup(nameKey(name), "organisation")?.kind === "organisation";

function withoutPreposition(name: string): string {
  const bare = /^[وف]?لل\p{L}{3}/u.test(name) ? name.replace(/^[وف]?لل/u, "ال") : name.replace(PREPOSITION, "");
  const [first = ""] = bare.split(" ");
  const isHead = isInstitution(first) || isPlaceHead(first) || isBuildingHead(first) || isContest(first);
  return bare !== name && (isHead || aliasGroup(nameKey(bare), "place") !== undefined) ? bare : name;
}

/** Says how a text is written: whether it is all capitals, and how often each word stands in it in small letters. */
export type LetterCase = { isCapitals: boolean; small: ReadonlyMap<string, number> };

/** Reads how the words of an article's text are written. */
export function letterCase(text: string): LetterCase {
  const small = new Map<string, number>();
  for (const [word] of text.matchAll(/(?<![\p{L}\p{N}@#/.])\p{Ll}[\p{Ll}'’]+(?![\p{Lu}\p{N}])/gu)) {
    small.set(word, (small.get(word) ?? 0) + 1);
  }
  return { isCapitals: /\p{Lu}{2}/u.test(text) && !/\p{Ll}/u.test(text), small };
}

const TITLES =
  /^(?:Mr|Mrs|Ms|Miss|Dr|Sir|Lord|Lady|President|Prime Minister|Senator|Chairman|King|Queen|Prince|Princess)\.?$/;
const FORMS = /^(?:(?:Inc|Corp|Co|Ltd|Plc|LLC|Group|Company|Corporation|Limited|AG|SA|S\.A|NV|N\.V)\.?\s?)+$/i;
const CALENDAR =
  /^(?:Jan(?:uary)?|Feb(?:ruary)?|March|April|May|June|July|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?|Nov(?:ember)?|Dec(?:ember)?|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)s?$/i;
const NUMBERS =
  /^(?:One|Two|Three|Four|Five|Six|Seven|Eight|Nine|Ten|First|Second|Third|\d+(?:st|nd|rd|th)|[\d.,:-]+)$/i;
const RATINGS = /^(?:A{1,3}|B{1,3}|C{2,3})(?:[+-]|-plus|-minus)?$|^(?:Aa?|Baa?|Caa?)\d$/;
const COMMON =
  /^(?:dollar|yen|euro|pound|sterling|mark|franc|dlrs?|shr|mths|qtr|net|pct|mln|bln|lt|gw|vs|northern|southern|eastern|western|eurozone|inshallah|god|internet|ltd|gnp|gdp|hiv|aids|ceo|tv|dna|vat|dvd)s?$/i;
const TAIL =
  /-(?:based|born|led|lead|backed|style|related|owned|held|run|controlled|made|area|wide|listed|like|dominated|linked|speaking|friendly)$|\s(?:and|of|the|for|in)$/i;
/** Parts of laws and kinds of shares. */
const NUMBERED = /^(?:Chapter|Class|Section|Article|Phase|Series) (?:\d{1,3}|[A-Z])$/;

/** Holds what a name of a country is put before, as in Sino-U.S. */
const PREFIX = /^(?:Sino|Anglo|Franco|Russo|Indo|Afro|Euro|Pan)-/;
const UNION = /^(U\.S\.|U\.K\.|U\.N\.)\s+(\S+)/;
const OF_STATE =
  /^(?:Embassy|Army|Navy|Marine|Marines|Senate|House|Supreme|Department|Treasury|Congress|Federal|Securities|District|Court|Air|Coast|Open|Steel|Airways|Agriculture|Justice|State|Trade|Central|National|Virgin|Customs|Geological|Security|General|High|Human)/;
const DEMONYM =
  /^(?:\p{Lu}\S*(?:ian|ese|ish|ican|nean|rean|lean|pean)s?|French|Germans?|Dutch|Swiss|Greeks?|Iraqis?|Saudis?|Israelis?|Pakistanis?|Kuwaitis?|Qataris?|Omanis?|Yemenis?|Emiratis?|Bangladeshis?|Afghans?|Thais?|Briton?s|Danes?|Finns?|Swedes?|Turks?|Kurds?|Czechs?|Poles|Arabs?|Spaniards?|Somalis?|Welsh|Icelandic|Filipinos?|Sunnis?|Shiites?|Shias?|Muslims?|Christians?|Jews|Jewish|Islamic|Arabic|Argentines?|Yazidis?|Western)$/u;

/** Holds what names of persons, places and events look like, whatever the tagger took them for. */
const INITIAL = /^\p{Lu}{1,2}\.? (?:(?:de|del|dal|di|van|von|el|al) )?\p{Lu}\p{Ll}{2,}$/u;
const PLACE = / (?:Stadium|Airport|Bridge|Park|Station|Street|Avenue|River|Island|Islands|Lake|Mountains)$/;
const GROUP =
  / (?:Archdiocese|Diocese|University|College|Ministry|Bank|Council|Airlines|Air Lines|Airways|Aerospace|Corp|Corporation|Inc|Ltd|Plc|Industries|Police)\.?$/;
const AGENCY = /^Reuters?$/i;
const EVENT = / (?:Championships?|Cup|League|Prize|Awards?|Games|Olympics|Act|War)$/;

/**
 * Returns a mention in Latin letters as an article's entity, or undefined where it names nobody and nothing: words in
 * small letters, titles, months, ratings, forms of companies, and a single word that the article has in small letters
 * as well. Nationalities are MISC, as CoNLL-2003 has them; `-based` and the like do not belong to a name.
 */
export function englishName(mention: Entity, article: LetterCase): Entity | undefined {
  const name = withoutTail(mention.name);
  if (!/[\p{Lu}\p{N}]/u.test(name.replace(/^@\S+$/, "X")) || name.replace(/[^\p{L}\p{N}]/gu, "").length < 2) {
    return undefined;
  }
  if (/^@/.test(name) || PREFIX.test(name) || NUMBERED.test(name)) return undefined;
  if ([TITLES, FORMS, CALENDAR, NUMBERS, RATINGS, COMMON].some((pattern) => pattern.test(name))) return undefined;
  const union = UNION.exec(name);
  if (union !== null && !OF_STATE.test(union[2] ?? "")) return { ...cut(mention, union[1] ?? ""), type: "LOC" };
  if (/^\p{Ll}+\s/u.test(name) && !/^(?:al|el|de|van|von|bin|ibn|da|di|du|la|le)\s/.test(name)) return undefined;
  if (!name.includes(" ")) {
    const times = article.small.get(name.toLowerCase()) ?? 0;
    if (times > 0 && !/\p{Lu}.*\p{Lu}/u.test(name)) return undefined;
  }
  if (DEMONYM.test(name.replace(/^(?:South|North|East|West|Central|Latin|Saudi) /, ""))) {
    return { ...cut(mention, name), type: "MISC" };
  }
  return { ...cut(mention, name), type: englishTypeBy(name, mention.type) };
}

function englishTypeBy(name: string, type: string): string {
  if (INITIAL.test(name)) return "PER";
  if (type === "ORG" && PLACE.test(name)) return "LOC";
  if (GROUP.test(name) || AGENCY.test(name)) return "ORG";
  return (type === "ORG" || type === "PER") && EVENT.test(name) ? "MISC" : type;
}

function withoutTail(name: string): string {
  let rest = name;
  for (let next = rest.replace(TAIL, ""); next !== rest; next = rest.replace(TAIL, "")) rest = next;
  const open = rest.includes("(") ? rest : rest.replace(/\).*$/, "");
  return open.replace(/^(?:[Tt]he\s+|[RD]-)(?=\p{Lu})/u, "");
}

/** Returns the mention under a shorter name, and where that stands. */
function cut(mention: Entity, name: string): Entity {
  const at = mention.text.indexOf(name);
  if (at < 0) return { ...mention, name };
  const start = mention.start + [...mention.text.slice(0, at)].length;
  return { ...mention, name, text: name, start, end: start + [...name].length };
}
