import { codePointSlicer, nameKey } from "../../../../text/mod.ts";
import { aliasGroup, type Entity, isCountry, kindOf } from "../aliases.ts";
import { isGroupHead, isInstitution, nationality } from "./arabic-words.ts";
import { entityKey } from "./same-name.ts";

/**
 * Probability of an organisation that the tagger is unsure of, where a noun before it or at its beginning says that it
 * is one: the share that was right of those read in news (27 of 35).
 */
const SHOWN = 0.8;

/** The tagger must have found it with this probability. */
const LEAST = 0.4;

/** Code points of a text that are looked at before a mention. */
const LOOKED_AT = 16;

const OPEN = String.raw`\s["«“”(]?\s?#?$`;
const GROUP =
  "نادي|شركة|صحيفة|جريدة|مجلة|قناة|شبكة|وكالة|موقع|بنك|مصرف|حزب|حركة|تحالف|ائتلاف|مجموعة|مؤسسة|منظمة|محطة|منصة|تطبيق";
const before = (nouns: string): RegExp => new RegExp(String.raw`(?<!\p{L})[وف]?[بل]?(${nouns})${OPEN}`, "u");

/** Nouns of which what follows is the name, and maybe a quotation mark between them. */
const NAMED = before(`${GROUP}|فريق|تنظيم|جماعة|شركتي|صحيفتي|ناديي?`);

/** Those after which no place, product or person has its own name. */
const CLUB = before("نادي|صحيفة|جريدة|مجلة");
const COMPANY = before("شركة");

/** Those of sport, after which a city is its club. */
const SPORT = before("ضيفه|مضيفه|غريمه|لاعب|مهاجم|مدافع|حارس|مدرب|ظهير|هداف|مرمى|شباك");
const MEDIUM = before("نادي|صحيفة|جريدة|مجلة|قناة|وكالة");

/** Holds what stands before a place where it is one. */
const WHERE = /(?<!\p{L})(?:في|إلى|العاصمة|[بل]?مدينة)\s$/u;

/**
 * Returns the mentions of an Arabic text, those of organisations that a noun shows to be names as likely as such are;
 * what is called a club, a company or a newspaper anywhere is one everywhere in the text.
 */
export function introduced(text: string, mentions: readonly Entity[]): Entity[] {
  if (!/\p{Script=Arabic}/u.test(text)) return [...mentions];
  const slice = codePointSlicer(text);
  const leading = ({ start }: Entity): string => slice(start - LOOKED_AT, start);
  const organisations = mentions.filter(({ type }) => type === "ORG");
  // the noun before باريس سان جيرمان does not say what باريس is
  const isBeginning = ({ start, end }: Entity): boolean =>
    organisations.some((other) => other.start <= start && end < other.end);
  const called = new Map(
    mentions.flatMap((mention) => (isBeginning(mention) ? [] : calledBy(mention, leading(mention)))),
  );
  const clubs = new Map(
    organisations.flatMap(({ name }) => {
      const [first = "", ...rest] = name.split(" ");
      return rest.length > 0 && /^(?:نادي|شركة)$/.test(first) ? [[nameKey(rest.join(" ")), name] as const] : [];
    }),
  );
  // nobody is in a person
  const isWhere = (mention: Entity): boolean => mention.type !== "PERS" && WHERE.test(leading(mention));
  return mentions.flatMap((mention) => {
    const club = mention.type === "PERS" ? clubs.get(nameKey(mention.name)) : undefined;
    if (club !== undefined) return [{ ...mention, type: "ORG", name: club }];
    const name = called.get(nameKey(mention.name));
    if (name !== undefined && /^(?:GPE|PERS|PRODUCT|ORG)$/.test(mention.type) && !isWhere(mention)) {
      const isPart = organisations.some(
        (other) => other !== mention && other.start <= mention.start && mention.end <= other.end,
      );
      return isPart ? [] : [{ ...mention, type: "ORG", name }];
    }
    if (mention.type !== "ORG" || mention.confidence >= SHOWN || mention.confidence < LEAST) return [mention];
    return isShown(mention.name, leading(mention)) ? [{ ...mention, confidence: SHOWN }] : [mention];
  });
}

/**
 * Returns the key of a mention that names an organisation, though the tagger or the table has it as something else.
 */
function calledBy({ name, type }: Entity, leading: string): [key: string, name: string][] {
  const key = nameKey(name);
  const [first = "", second = "", ...rest] = name.split(" ");
  if (isCountry(key)) return [];
  // a club, which is masculine as no city is: روما الإيطالي
  if (type === "ORG" && second !== "" && rest.length === 0 && !isInstitution(first) && !first.startsWith("ال")) {
    return nationality(second) !== undefined && /^ال.+ي$/.test(second) ? [[nameKey(first), name]] : [];
  }
  const isPlace = aliasGroup(key, "place")?.kind === "place";
  const isPlayedFor = /^(?:GPE|ORG)$/.test(type) && SPORT.test(leading);
  const noun = isPlayedFor ? "نادي" : (type === "PERS" ? MEDIUM : CLUB).exec(leading)?.[1];
  if (noun !== undefined && /^(?:GPE|PRODUCT|PERS)$/.test(type)) return [[key, isPlace ? `${noun} ${name}` : name]];
  if (noun !== undefined && type === "ORG" && isPlace) return [[key, `${noun} ${name}`]];
  return !isPlace && /^(?:GPE|PRODUCT)$/.test(type) && COMPANY.test(leading) ? [[key, name]] : [];
}

function isShown(name: string, leading: string): boolean {
  const words = name.split(" ");
  const [first = "", second = "", ...rest] = words;
  if (!isInstitution(first)) return NAMED.test(leading);
  if (second === "") return false;
  const isIndefinite = !first.startsWith("ال") && nationality(second) !== undefined && !second.startsWith("ال");
  if (isIndefinite || second.startsWith("لل")) return false;
  return (
    isGroupHead(first) ||
    words.some((word) => word.startsWith("ال")) ||
    [second, ...rest].some((word) => isCountry(nameKey(word)))
  );
}

/**
 * Keys of organisations by those of the names that stand in brackets or quotation marks right behind them, or the other
 * way round where the table has the second name: `منظمة الشرطة الجنائية الدولية (الإنتربول)`.
 */
export function appositions(text: string, mentions: readonly Entity[]): Map<string, string> {
  const slice = codePointSlicer(text);
  const same = new Map<string, string>();
  const organisations = mentions.filter(({ type }) => kindOf(type) === "organisation");
  for (const second of organisations) {
    const first = organisations.find(
      ({ end }) => end < second.start && second.start - end <= 3 && /^\s?["«“(<]\s?$/u.test(slice(end, second.start)),
    );
    if (first === undefined || !/^\s?["»”)>]/u.test(slice(second.end, second.end + 2))) continue;
    const keys = [first, second].map(({ name, type }) => entityKey(name, type));
    const [whole = "", short = ""] = keys;
    if (whole === short || aliasGroup(whole, "organisation") !== undefined) continue;
    if (short.split(" ").length >= whole.split(" ").length) continue;
    if (aliasGroup(short, "organisation") === undefined) same.set(short, whole);
    else same.set(whole, short);
  }
  return same;
}

/** Keys of persons by those of what stands right behind their names: in brackets, or by a son: محمود عباس، أبو مازن. */
export function otherNames(text: string, mentions: readonly Entity[]): Map<string, string> {
  const slice = codePointSlicer(text);
  const same = new Map<string, string>();
  const persons = mentions.filter(({ type }) => kindOf(type) === "person");
  for (const { name, type, start } of persons) {
    const first = persons.find(({ end }) => end < start && start - end <= 2);
    const between = first === undefined ? "" : slice(first.end, start);
    const isOther = (between === " (" && !name.includes(" ")) || (between === "، " && /^أبو /.test(name));
    if (first === undefined || !isOther) continue;
    same.set(entityKey(name, type), entityKey(first.name, first.type));
  }
  return same;
}

/** A contest of the table in a year, at a host: مونديال روسيا 2018. */
type Edition = { contest: string; year: string; host: string };

/**
 * Returns the key of the contest for the keys of events that name it, or its one edition that a text speaks of: كأس
 * العالم and مونديال روسيا 2018; nothing where it speaks of several.
 */
export function editions(events: readonly string[]): Map<string, string> {
  const all = new Map<string, Edition>();
  for (const key of events) {
    const edition = editionOf(key);
    if (edition !== undefined) all.set(key, edition);
  }
  const same = new Map<string, string>();
  for (const [contest, own] of Map.groupBy(all, ([, edition]) => edition.contest)) {
    const isOne = (["year", "host"] as const).every(
      (part) => new Set(own.flatMap(([, edition]) => edition[part] || [])).size <= 1,
    );
    if (isOne && own.length > 1) for (const [key] of own) same.set(key, contest);
  }
  return same;
}

function editionOf(key: string): Edition | undefined {
  const [, plain = "", year = ""] = /^(.+?)(?: (\d{4}))?$/.exec(key) ?? [];
  const words = plain.split(" ");
  for (let length = words.length; length > 0; length--) {
    const group = aliasGroup(words.slice(0, length).join(" "), "other");
    const host = words.slice(length).join(" ");
    if (group?.kind === "other" && (host === "" || isCountry(host))) {
      return { contest: group.keys[0] ?? plain, year, host };
    }
  }
  return undefined;
}

function isOfCountry(name: string): boolean {
  const [league, of = ""] = name.split(" ");
  return league === "دوري" && nationality(of) !== undefined && !/^ال(?:اوروبي|عربي|اسيوي|افريقي)$/.test(of);
}

/** Returns the one key among those of events that is the league which is called by its rank alone: الدوري الممتاز. */
export function leagueOf(key: string, events: readonly string[]): string | undefined {
  if (!/^دوري (?:ممتاز|الممتاز|المحلي|الوطني)$/.test(key)) return undefined;
  const leagues = events.filter((other) => {
    const names = aliasGroup(other, "other")?.keys ?? [other];
    return other !== key && names.some((name) => isOfCountry(name));
  });
  return leagues.length === 1 ? leagues[0] : undefined;
}
