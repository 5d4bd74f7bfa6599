import { nameKey } from "../../../../text/mod.ts";
import { aliasGroup, type ArticleEntity, type Entity, type EntityKind, isCountry, kindOf } from "../aliases.ts";
import { isBuildingHead, isEventHead, isGroupHead, nationality } from "./arabic-words.ts";
import { editions, leagueOf } from "./introduced.ts";
import {
  bareKeys,
  coreOf,
  entityKey,
  isShortFor,
  misspelled,
  ofOneCountry,
  ofTwoCountries,
  partOf,
  shorterKeys,
  spelledAlike,
} from "./same-name.ts";

type Groups = Map<string, Entity[]>;

/** A name of a person that others may be short forms of is as likely as this. */
const MIN_FULL_NAME_CONFIDENCE = 0.6;

/** Of several, the one that is as likely as this, where the others are not. */
const LIKELY = 0.85;

/**
 * Returns the entities of an article from its mentions, the most mentioned first: one for each real thing. Mentions
 * with one key are one entity, of the type that most confidence speaks for; so are a name and what it is called by its
 * kind or country (`شركة غوغل`), the end of just one person's name, whatever it was taken for, and the first letters of
 * one organisation's words. `same`: keys of organisations and persons by those of their other names, as the text says.
 */
export function mergeEntities(
  mentions: readonly Entity[],
  same: Partial<Record<"organisations" | "persons", ReadonlyMap<string, string>>> = {},
): ArticleEntity[] {
  const groups: Groups = new Map();
  const events = mentions.filter(({ type }) => type === "EVENT").map(({ name, type }) => entityKey(name, type));
  const others = { organisation: same.organisations, person: same.persons, other: editions(events), place: undefined };
  for (const mention of uncoordinated(mentions)) {
    const own = entityKey(mention.name, mention.type);
    const key = others[kindOf(mention.type)]?.get(own) ?? own;
    if (key === "") continue;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [mention]);
    else group.push(mention);
  }
  for (const other of [
    shorterName,
    clubOf,
    personAtEnd,
    wholeName,
    ownCompany,
    lastWord,
    spelledOut,
    partName,
    otherSpelling,
    wholeName,
  ]) {
    for (const [key, group] of [...groups]) {
      const into = groups.get(other(key, group, groups) ?? key);
      if (into === undefined || into === group || isGuess(into)) continue;
      // the type of the name that says more
      const type = other === shorterName ? undefined : typeOf(into);
      into.push(...(type === undefined ? group : group.map((mention) => ({ ...mention, type }))));
      groups.delete(key);
    }
  }
  for (const [key, group] of groups) {
    // the end of several persons' names is one of them, whoever it is
    if (key.includes(" ") || !/^(?:ORG|OCC|MISC|PRODUCT)$/.test(typeOf(group)) || personsEnding(key, groups).length < 2)
      continue;
    const type = /\p{Script=Arabic}/u.test(key) ? "PERS" : "PER";
    groups.set(
      key,
      group.map((mention) => ({ ...mention, type })),
    );
  }
  return [...groups]
    .map(([key, group]) => merged(key, group))
    .sort((a, b) => b.mentions - a.mentions || (a.spans[0] ?? 0) - (b.spans[0] ?? 0));
}

/** Tells whether nothing but a title of capitals has a name, whose words may be others: BUITONI ACQUIRES. */
const isGuess = (group: readonly Entity[]): boolean => group.every(({ confidence }) => confidence === 0);

/** Holds what is left without its و of second names of persons that begin with it. */
const WAW_NAMES =
  /^(?:ليد|ائل|سيم|جدي|فاء|رد|هبة|هبي|فيق|حيد|جيه|داد|سام|صفي|ضاح|لد|زان|اصف|ردة|الي|صال|يلسون|ليام.*|يليام.*|ايت|ود|ورد|اتسون|اين|يست|وكر|الكر|اغنر|ينفري|يد|دود|ازن)$/;

/** Mentions of two persons or organisations as two, where one is named elsewhere: راموس لزيدان, مارسيلو برونالدو. */
function uncoordinated(mentions: readonly Entity[]): Entity[] {
  const ends = new Set(
    mentions
      .filter(({ type, confidence }) => /^(?:PERS|ORG)$/.test(type) && confidence >= MIN_FULL_NAME_CONFIDENCE)
      .flatMap(({ name }) => [nameKey(name), nameKey(name.split(" ").at(-1) ?? "")]),
  );
  return mentions.flatMap((mention) => {
    const [, first = "", second = ""] = /^(\p{L}+) [ولب](\p{L}{3,})$/u.exec(mention.name) ?? [];
    if (second === "" || !/^(?:PERS|ORG)$/.test(mention.type)) return [mention];
    const isTwo = mention.type === "PERS" && mention.name.includes(" و") && !WAW_NAMES.test(second);
    if (!isTwo && !ends.has(nameKey(second))) return [mention];
    const split = mention.start < 0 ? -1 : mention.end - [...second].length;
    return [
      { ...mention, name: first, end: split < 0 ? -1 : split - 2 },
      { ...mention, name: second, start: split },
    ];
  });
}

/** Returns the key of the same name without proclitics, kind or country, where the article has it. */
function shorterName(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  const { name = "", type = "" } = group[0] ?? {};
  if (aliasGroup(key, kindOf(type)) !== undefined) return undefined;
  const kind = kindOf(typeOf(group));
  const isOther = (each: string): boolean => name.startsWith("ال") && aliasGroup(each, kind) !== undefined;
  const shorter = shorterKeys(name, type)
    .filter((each) => !isOther(each))
    .map((each) => aliasGroup(each, kind)?.keys[0] ?? each);
  const own = shorter.find((each) => {
    const other = groups.get(each);
    if (other === undefined) return false;
    const otherKind = kindOf(typeOf(other));
    // أوسكار was taken for an organisation, and is a prize
    const isPrize = kind === "other" && otherKind === "organisation" && isEventHead(name.split(" ")[0] ?? "");
    return otherKind === kind || isPrize || !name.includes(" ");
  });
  if (own !== undefined) return own;
  if (shorter.length === 0) return undefined;
  // two that are the same when each is shortened
  return [...groups].find(
    ([other, all]) =>
      other !== key &&
      kindOf(typeOf(all)) === kind &&
      shorterKeys(all[0]?.name ?? "", all[0]?.type ?? "").some((each) => shorter.includes(each)) &&
      !ofTwoCountries(name, all[0]?.name ?? ""),
  )?.[0];
}

/** Returns the key of the one person whose name ends, or for a person begins, with this one. */
function wholeName(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  const isPerson = kindOf(typeOf(group)) === "person";
  const withMiddle = isPerson ? persons(groups).filter((other) => isShortFor(key, other)) : [];
  if (withMiddle.length === 1) return withMiddle[0];
  if (!isPerson && (key.includes(" ") || isCountry(key) || aliasGroup(key, "other") !== undefined)) return undefined;
  const bare = key.includes(" ") ? [] : bareKeys(group[0]?.name ?? "").filter((each) => each.length > 2);
  const plain = isPerson ? nameKey(coreOf(group[0]?.name ?? "", "person")) : key;
  const ending = [...new Set([key, plain, ...bare].flatMap((each) => personsEnding(each, groups)))].filter(
    (other) => other !== key,
  );
  if (ending.length === 1) return ending[0];
  if (ending.length > 1) {
    const likely = ending.filter((other) => groups.get(other)?.some(({ confidence }) => confidence >= LIKELY));
    return likely.length === 1 ? likely[0] : undefined;
  }
  const isFirstName =
    isPerson || (typeOf(group) === "ORG" && /^\p{Script=Arabic}{4,}$/u.test(key) && !key.startsWith("ال"));
  const beginning = isFirstName ? persons(groups).filter((other) => other.startsWith(`${key} `)) : [];
  return beginning.length === 1 ? beginning[0] : undefined;
}

/** Returns the keys of persons whose names end with a key; the father's name is no short form of the son's. */
const personsEnding = (key: string, groups: Groups): string[] =>
  persons(groups).filter(
    (other) => (other.endsWith(` ${key}`) || other.endsWith(` ال${key}`)) && !other.endsWith(` بن ${key}`),
  );

/** Returns the keys of those that surely are persons. */
const persons = (groups: Groups): string[] =>
  [...groups]
    .filter(
      ([, group]) =>
        kindOf(typeOf(group)) === "person" && group.some(({ confidence }) => confidence >= MIN_FULL_NAME_CONFIDENCE),
    )
    .map(([key]) => key);

/**
 * Returns the key of the one club that a city's name stands for, where the article has the club with its country, and
 * at least as often: برشلونة of برشلونة الإسباني. A country is none, and no city is masculine.
 */
function clubOf(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  if (typeOf(group) !== "GPE" || isCountry(key)) return undefined;
  const own = [...groups].filter(([, all]) => {
    const isClub = ({ name }: Entity): boolean => {
      const [first = "", second = "", ...rest] = name.replace(/^نادي /, "").split(" ");
      return rest.length === 0 && nameKey(first) === key && /^ال.+ي$/.test(second) && nationality(second) !== undefined;
    };
    return typeOf(all) === "ORG" && all.length >= group.length && all.some(isClub);
  });
  return own.length === 1 ? own[0]?.[0] : undefined;
}

/** Returns the key of the one person with whose whole name ends what was taken for something else. */
function personAtEnd(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  if (!/^(?:ORG|MISC|PRODUCT|OCC)$/.test(typeOf(group)) || aliasGroup(key, "other") !== undefined) return undefined;
  const own = persons(groups).filter(
    (other) =>
      other.includes(" ") && key.endsWith(` ${other}`) && key.split(" ").length === other.split(" ").length + 1,
  );
  return own.length === 1 ? own[0] : undefined;
}

/** A place that is as likely as this is one, though a company is named after it. */
const CITY = 0.9;

/** Says how names of companies end. */
const LEGAL = / (?:Inc|Corp|Co|Ltd|Plc|PLC|AG|SA|NV)\.?$/;

/**
 * Returns the key of the one organisation whose name begins with a word that was taken for a person, or of a company's
 * whose word was taken for an unlikely place.
 */
function ownCompany(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  const kind = kindOf(typeOf(group));
  const isPlace = kind === "place" && group.every(({ confidence }) => confidence < CITY);
  if (aliasGroup(key, kind) !== undefined || (kind !== "person" && !isPlace)) return undefined;
  const own = [...groups].filter(
    ([other, all]) =>
      typeOf(all) === "ORG" &&
      [other, ...all.map(({ name }) => nameKey(name))].some((each) => each.startsWith(`${key} `)),
  );
  const [whole, mentions = []] = own[0] ?? [];
  const isEnough = (!isPlace && !key.includes(" ")) || mentions.some(({ name }) => LEGAL.test(name));
  return own.length === 1 && isEnough ? whole : undefined;
}

/** Holds what many names end with. */
const BODIES =
  /^(?:house|bank|court|group|department|company|board|union|party|fund|council|agency|university|exchange)$/;

/** Returns the key of the one organisation whose name ends with a word that names it alone: Journal. */
function lastWord(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  if (typeOf(group) !== "ORG" || !/^[a-z]{4,}$/.test(key) || BODIES.test(key)) return undefined;
  const own = [...groups].filter(
    ([other, all]) =>
      other !== key &&
      typeOf(all) === "ORG" &&
      [other, ...all.map(({ name }) => nameKey(name))].some((each) => each.endsWith(` ${key}`)),
  );
  return own.length === 1 ? own[0]?.[0] : undefined;
}

/** Returns the key of the one organisation of whose words an abbreviation has the first letters. */
function spelledOut(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  if (!/^[a-z]{2,6}$/.test(key) || !group.some(({ name }) => /^[A-Z.]+$/.test(name))) return undefined;
  const full = [...groups].filter(
    ([, all]) =>
      all[0]?.name.includes(" ") === true && kindOf(typeOf(all)) === "organisation" && initials(all[0].name) === key,
  );
  return full.length === 1 ? full[0]?.[0] : undefined;
}

/** Returns the key of the one organisation, building or league whose name has this one as its beginning or its end. */
function partName(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  const type = typeOf(group);
  const others = (): string[] => [...groups].filter(([, all]) => typeOf(all) === type).map(([other]) => other);
  if (type === "EVENT") return leagueOf(key, others());
  if (type === "FAC") return buildingOf(key, others());
  if (type === "GPE" && aliasGroup(key, "place") === undefined) return buildingOf(key, shrines(groups));
  if (kindOf(type) !== "organisation") return undefined;
  const organisations = [...groups].filter(([, all]) => typeOf(all) === "ORG").map(([other]) => other);
  const armies = organisations.filter((other) => /^جيش ال\S+$/.test(other) && other !== key);
  if (key === "جيش الوطني" && armies.length === 1) return armies[0];
  const body = bodyCalled(key, organisations);
  if (body !== undefined) return body;
  const isCompany = (other: string): boolean => groups.get(other)?.some(({ name }) => LEGAL.test(name)) === true;
  // two legal forms are those of two companies: Ecolab Co, Ecolab Chemical Industrial Co
  const whole = partOf(key, organisations, (other) => isCompany(other) && !isCompany(key));
  if (whole !== undefined || !key.includes(" ") || aliasGroup(key, "other") !== undefined) return whole;
  // وزارة الخزانة, where the table has وزارة الخزانة الأميركية under another key
  const isNamedSo = (other: string): boolean =>
    groups.get(other)?.some(({ name }) => nameKey(name).startsWith(`${key} `)) === true;
  const candidates = organisations.filter((other) => aliasGroup(other, "other") !== undefined && isNamedSo(other));
  return candidates.length === 1 ? candidates[0] : undefined;
}

/**
 * Returns the one body of those that a short name stands for in news: the national federation that is called اتحاد
 * الكرة, the coalition whose forces are قوات التحالف.
 */
function bodyCalled(key: string, organisations: readonly string[]): string | undefined {
  const [, country = ""] = /^اتحاد الكره(?: (\S+))?$/.exec(key) ?? [];
  const isFootball = key.startsWith("اتحاد الكره") && (country !== "" || key === "اتحاد الكره");
  const isCoalition = /^(?:قوات )?ال?تحالف$/.test(key);
  const own = organisations.filter((other) => {
    if (other === key) return false;
    const [, of = ""] = /^اتحاد (\S+) لكره القدم$/.exec(other) ?? [];
    if (isFootball) return nationality(of) !== undefined && (country === "" || of === country);
    return isCoalition && /^(?:قوات ال)?تحالف \S{3}/.test(other);
  });
  return own.length === 1 ? own[0] : undefined;
}

/** Returns the one key that says what sort of building this one is: المسجد الأقصى of الأقصى. */
function buildingOf(key: string, buildings: readonly string[]): string | undefined {
  const own = buildings.filter((other) => {
    const [first = "", ...rest] = other.split(" ");
    return isBuildingHead(first) && rest.join(" ").replace(/^ال/, "") === key;
  });
  return own.length === 1 ? own[0] : undefined;
}

/** Returns the keys of buildings that places are named after, and not the other way round. */
const shrines = (groups: Groups): string[] =>
  [...groups]
    .filter(([key, all]) => typeOf(all) === "FAC" && /^(?:ضريح|معبد|كنيسه|قلعه) /.test(key))
    .map(([key]) => key);

/** Returns the key of the same thing in another spelling, or in other words for its country. */
function otherSpelling(key: string, group: readonly Entity[], groups: Groups): string | undefined {
  const kind = kindOf(typeOf(group));
  const isSame = (other: string): boolean => {
    if (kind === "person") return misspelled(key, other) || key.replaceAll(" ", "") === other.replaceAll(" ", "");
    if (kind === "organisation" && /^[a-z]/.test(key) && (other === `${key}s` || key === `${other}s`)) return true;
    if (kind === "other") return false;
    return spelledAlike(key, other) || ofOneCountry(key, other) || ofOneCountry(other, key);
  };
  return [...groups].find(
    ([other, all]) => other !== key && kindOf(typeOf(all)) === kind && all.length >= group.length && isSame(other),
  )?.[0];
}

const initials = (name: string): string =>
  name
    .split(/[\s-]+/)
    .filter((word) => /^\p{Lu}/u.test(word))
    .map((word) => word.charAt(0).toLowerCase())
    .join("");

function typeOf(group: readonly Entity[]): string {
  const [first] = group;
  if (first !== undefined && group.every(({ type }) => type === first.type)) return first.type;
  const sums = new Map<string, number>();
  for (const { type, confidence } of group) sums.set(type, (sums.get(type) ?? 0) + confidence);
  return [...sums].reduce((best, next) => (next[1] > best[1] ? next : best), ["", -1])[0];
}

/** Returns what a name of the table is, where the tagger took it for something else. */
function typeAs(kind: EntityKind, type: string, name: string): string {
  if (kindOf(type) === kind) return type;
  if (kind === "organisation") return "ORG";
  const isArabic = /\p{Script=Arabic}/u.test(name);
  if (kind === "other") return isArabic ? "EVENT" : "MISC";
  return isArabic ? "GPE" : "LOC";
}

function merged(key: string, group: readonly Entity[]): ArticleEntity {
  const inOrder = [...group].sort((a, b) => a.start - b.start);
  const name = shownName(key, inOrder);
  const type = typeOf(group);
  const alias = aliasGroup(key, kindOf(type));
  return {
    type: alias === undefined ? type : typeAs(alias.kind, type, name),
    kind: alias?.kind ?? kindOf(type),
    name,
    key,
    aliases: alias?.keys.filter((other) => other !== key) ?? [],
    mentions: group.length,
    confidence: Math.max(...group.map(({ confidence }) => confidence)),
    spans: inOrder.flatMap(({ start, end }) => [start, end]),
  };
}

/**
 * Returns the name as most mentions have it, of those with the entity's key where there are some; in capitals, or by
 * first letters, only where all mentions are.
 */
function shownName(key: string, group: readonly Entity[]): string {
  const own = group.filter(({ name, type }) => entityKey(name, type) === key);
  const names = Map.groupBy(own.length > 0 ? own : group, ({ name }) => name);
  const isShouted = (name: string): boolean => /\p{Lu}{4}/u.test(name) && names.size > 1;
  const isShort = (name: string): boolean =>
    kindOf(typeOf(group)) === "organisation" && /^(?:[A-Z.&]{2,6}|\p{Script=Arabic}{2,3})$/u.test(name);
  const isCalled = (name: string): boolean => name.includes(" ") && isGroupHead(name.split(" ")[0] ?? "");
  const [best] = [...names].sort(
    ([a, of], [b, others]) =>
      Number(isShouted(a)) - Number(isShouted(b)) ||
      Number(isShort(a)) - Number(isShort(b)) ||
      others.length - of.length ||
      Number(isCalled(a)) - Number(isCalled(b)),
  );
  return best?.[0] ?? key;
}
