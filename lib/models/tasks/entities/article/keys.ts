import { nameKey } from "../../../../text/mod.ts";
import { type AliasGroup, aliasGroup, type EntityKind, kindOf } from "../aliases.ts";
import { isGroupHead, isPlaceHead, nationality, peopleOf } from "./arabic-words.ts";

const COMPANY = /(?: (?:inc|corp|co|ltd|plc|llc|company|corporation|limited|ag|sa|nv|holdings|group|bancorp))+$/;

/**
 * The key of an entity: that of its name, of the first of its aliases where it has some, of the people whatever its
 * case, of a company without its legal form.
 */
export function entityKey(name: string, type: string): string {
  const key = nameKey(name);
  if (type === "NORP") return peopleOf(key) ?? key;
  const own = /^(?:ORG|PER)$/.test(type) ? ministry(key.replace(/ الرسمي(?:ه)?(?= |$)/, "")).replace(COMPANY, "") : key;
  const kind = kindOf(type);
  // الفتح is a club, and فتح a movement
  if (/^ال\p{L}{3}$/u.test(name) && aliasGroup(key, kind)?.kind === "organisation") return `ال${key}`;
  // what is said of it does not make it another: تنظيم داعش الإرهابي
  return (
    (aliasGroup(key, kind) ?? aliasGroup(own, kind) ?? plainGroup(key, kind, !name.startsWith("ال")))?.keys[0] ?? own
  );
}

/** The group of a name without the adjectives at its end; of one word only for what the table has as the same kind. */
function plainGroup(key: string, kind: EntityKind, isBare: boolean): AliasGroup | undefined {
  const plain = /^(.+) ال\S+[يه]$/.exec(key)?.[1];
  if (plain === undefined) return undefined;
  const group = aliasGroup(plain, kind);
  if (group === undefined) return plainGroup(plain, kind, isBare);
  // القاعدة التركية is a base
  const isOne = kind === "other" || (kind === "organisation" && isBare);
  return plain.includes(" ") || (isOne && group.kind === kind) ? group : undefined;
}

const MINISTRY = /^(?:خارجيه|داخليه|دفاع|ماليه|خزانه|صحه|عدل) \S+$/;

/** The usual name of a ministry, chamber, bank, army or team that is called by what it is for, and a country. */
function ministry(key: string): string {
  if (/^(?:جيش|منتخب) الوطني \S+$/.test(key)) return key.replace("الوطني ", "");
  if (/^(?:شيوخ|نواب) \S+$/.test(key)) return `مجلس ال${key}`;
  if (/^مركزي \S+$/.test(key) && nationality(key.split(" ")[1] ?? "") !== undefined) return `بنك ال${key}`;
  return MINISTRY.test(key) && nationality(key.split(" ")[1] ?? "") !== undefined ? `وزاره ال${key}` : key;
}

/** Whether two names end with the adjectives of two countries: الجيش المصري, الجيش الليبي. */
export function ofTwoCountries(a: string, b: string): boolean {
  const [one, other] = [a, b].map((name) => nationality(name.split(" ").at(-1) ?? "")?.replace("اميرك", "امريك"));
  return one !== undefined && other !== undefined && one !== other;
}

/** Keys of a name without the letters that may be written onto its first word. */
export function bareKeys(name: string): string[] {
  const [first = "", ...rest] = name.split(" ");
  if (!/^[وفبلك]\p{L}{3}/u.test(first)) return [];
  const bare = [first.startsWith("لل") ? `ا${first}` : first.slice(1)];
  if (/^[وف][بلك]\p{L}{3}/u.test(first)) bare.push(first.slice(2));
  return bare.map((word) => nameKey([word, ...rest].join(" ")));
}

/** Keys of what a name may mean besides, if the article has it: without letters before it, without a common noun. */
export function shorterKeys(name: string, type: string): string[] {
  const words = name.split(" ");
  const [first = ""] = words;
  const out = bareKeys(name);
  const isHead = kindOf(type) === "place" ? isPlaceHead(first) : isGroupHead(first);
  const sport = words.findIndex((word, i) => i > 0 && word === "لكرة" && i === words.length - 2);
  const whole = sport > 0 ? words.slice(0, sport) : words;
  const core = isHead && whole.length > 1 ? whole.slice(1) : whole;
  if (core !== words) out.push(nameKey(core.join(" ")));
  if (core.length > 1 && nationality(core.at(-1) ?? "") !== undefined) out.push(nameKey(core.slice(0, -1).join(" ")));
  return out.filter((key) => key.length > 2 && key !== nameKey(name));
}
