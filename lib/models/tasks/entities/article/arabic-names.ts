import { nameKey } from "../../../../text/mod.ts";
import { aliasGroup, isCountry, kindOf } from "../aliases.ts";
import type { Entity } from "../entity.ts";
import {
  isBuildingHead,
  isCommon,
  isCommonEvent,
  isCommonPlace,
  isContest,
  isInstitution,
  isLandHead,
  isManagement,
  isNational,
  isNickname,
  isPlaceHead,
  isPlural,
  isPurpose,
  isTime,
  nationality,
  peopleOf,
} from "./arabic-words.ts";

const QUOTES = /^["“”«»']+|["“”«»']+$/g;
const FOR = /^لل/;

/**
 * A mention in Arabic as an article's entity, or undefined where it names nobody and nothing: offices and occupations,
 * people by what they do, a noun such as "the company" or "the Syrian organisation", an adjective alone. Countries are
 * places, whatever they do; days and what the name is for do not end it.
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
  return { ...mention, name, type: typeBy(first, type, words.length) };
}

/** The type that a name's first word says it is of. */
function typeBy(first: string, type: string, words: number): string {
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

/** Whether words are one of many, or of those of a country, without an article: قاعدة جوية سورية. */
function isOfMany([first = "", ...rest]: readonly string[]): boolean {
  const isNoun = isInstitution(first) || isBuildingHead(first) || isCommonEvent(first);
  if (!isNoun || rest.length === 0 || [first, ...rest].some((word) => word.startsWith("ال"))) return false;
  // سورية is the country, but not behind an adjective
  return rest.every(
    (word, i) =>
      isCommon(word) || nationality(word) !== undefined || (i > 0 && /ية$/.test(word) && isCountry(nameKey(word))),
  );
}

/** Whether an institution's noun is followed by no name: by nothing, by adjectives of a country, by what it is for. */
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
