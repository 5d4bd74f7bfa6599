import { codePointSlicer, nameKey } from "../../../../text/mod.ts";
import { type AliasGroup, aliasGroup, type Entity, type EntityKind, isCountry, kindOf } from "../aliases.ts";
import {
  isCommon,
  isEventHead,
  isGroupHead,
  isInstitution,
  isPlaceHead,
  isTitle,
  nationality,
  peopleOf,
} from "./arabic-words.ts";

const COMPANY = /(?: (?:inc|corp|co|ltd|plc|llc|company|corporation|limited|ag|sa|nv|holdings|group|bancorp))+$/;

/**
 * Returns the key of an entity: that of its name, of the first of its aliases where it has some, of the people whatever
 * its case, of a company without its legal form.
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

/**
 * Returns the group of a name without the adjectives at its end; of one word only for what the table has as the same
 * kind.
 */
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

/**
 * Returns the usual name of a ministry, chamber, bank, army or team that is called by what it is for, and a country.
 */
function ministry(key: string): string {
  if (/^(?:جيش|منتخب) الوطني \S+$/.test(key)) return key.replace("الوطني ", "");
  if (/^(?:شيوخ|نواب) \S+$/.test(key)) return `مجلس ال${key}`;
  if (/^مركزي \S+$/.test(key) && nationality(key.split(" ")[1] ?? "") !== undefined) return `بنك ال${key}`;
  return MINISTRY.test(key) && nationality(key.split(" ")[1] ?? "") !== undefined ? `وزاره ال${key}` : key;
}

/** Tells whether two names end with the adjectives of two countries: الجيش المصري, الجيش الليبي. */
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

/** Says where a place is before its name, or behind it, in English. */
const ENGLISH_PLACE =
  /^(?:the )?(?:city|town|village|state|province|island) of (?=\p{Lu})|(?<=\S) (?:state|province)$/u;

/** Titles before a person's name, which is the same without them. */
const ENGLISH_TITLE =
  /^(?:(?:US|U\.S\.|Vice|Prime|Foreign|Former|former|Secretary|General|Crown) )*(?:President|Minister|Chancellor|Senator|Sen\.|Governor|Gov\.|Mr\.?|Mrs\.?|Ms\.?|Dr\.?|King|Queen|Prince|Princess|Pope|Gen\.|General|Sir) (?=\p{Lu})/u;

/** Says for whom or what a contest or a body is, which its name may be without. */
const FOR_WHAT = / (?:لكرة القدم|للمحترفين)$/;

/** Keys of what a name may mean besides, if the article has it: without letters before it, without a common noun. */
export function shorterKeys(name: string, type: string): string[] {
  const kind = kindOf(type);
  const whole = name.replace(FOR_WHAT, "");
  const core = coreOf(whole, kind);
  const out = [...bareKeys(name), nameKey(whole), nameKey(core)];
  for (const each of [whole, core]) {
    const words = each.split(" ");
    const last = words.at(-1) ?? "";
    const isOfKind = type === "FAC" && words.length > 2 && /^ال(?:\p{L}{3,}(?:ي|ية)|شريف)$/u.test(last);
    if (words.length > 1 && (isOfKind || nationality(last) !== undefined))
      out.push(nameKey(words.slice(0, -1).join(" ")));
    // الانتفاضة الفلسطينية الثانية
    const inner = words.filter((word, i) => i === 0 || i === words.length - 1 || nationality(word) === undefined);
    if (kind !== "person" && kind !== "place" && inner.length > 1) out.push(nameKey(inner.join(" ")));
  }
  const own = nameKey(name);
  return [...new Set(out)].filter((key) => key.length > 2 && key !== own);
}

/** Tells whether a name's first word says what or who it is of. */
function isHead(first: string, second: string, kind: EntityKind): boolean {
  if (kind === "person") return isTitle(first);
  if (kind === "place") return isPlaceHead(first);
  if (kind === "other") return isEventHead(first);
  return isGroupHead(first) || (second.startsWith("ال") && isGroupHead(first.replace(/^ال/, "")));
}

/** Returns a name without the noun or title before it that says what or who it is of. */
export function coreOf(name: string, kind: EntityKind): string {
  const [first = "", second = "", ...rest] = name.split(" ");
  if (kind === "person" && ENGLISH_TITLE.test(name)) return name.replace(ENGLISH_TITLE, "");
  if (kind === "place" && ENGLISH_PLACE.test(name)) return name.replace(ENGLISH_PLACE, "");
  if (second === "") return name;
  if (kind === "place" && first === "شبه" && second === "جزيرة" && rest.length > 0) return rest.join(" ");
  if (!isHead(first, second, kind) && !(kind === "organisation" && first === "حزب" && rest.length > 0)) return name;
  // شركة طيران العال
  const isCommonNoun = kind === "organisation" && rest.length > 0 && !second.startsWith("ال") && isCommon(second);
  return (isCommonNoun ? rest : [second, ...rest]).join(" ");
}

const LONG = 5;

/** Letters that a country's name and its adjective have in common. */
const ALIKE = 4;

/**
 * Tells whether two keys are one foreign name in two Arabic spellings, which differ in their long vowels and in what
 * stands for g: نوتنغهام and نوتينجهام. Short names, of which many differ in a vowel alone (ناصر, نصر), are not.
 */
export function spelledAlike(a: string, b: string): boolean {
  if (!/^\p{Script=Arabic}/u.test(a)) return false;
  const skeleton = skeletonOf(a);
  return skeleton.length >= LONG && skeleton === skeletonOf(b);
}

/**
 * Tells whether two keys are one person whose first name is misspelled in one of them, or foreign and spelled in two
 * ways: أندرو and أندور, كريستيانو and كرستيانو of one family.
 */
export function misspelled(a: string, b: string): boolean {
  const [first = "", ...rest] = a.split(" ");
  const [other = "", ...others] = b.split(" ");
  if (rest.length === 0 || rest.join(" ") !== others.join(" ") || first.length < LONG) return false;
  if (Math.min(first.length, other.length) > LONG && spelledAlike(first, other)) return true;
  return [...first].sort().join("") === [...other].sort().join("");
}

/** Tells whether a person's key is another one's with less in it: محمد بزي of محمد إبراهيم بزي, D Leamy of Denis. */
export function isShortFor(key: string, whole: string): boolean {
  const [words, names] = [key.split(" "), whole.split(" ")];
  if (words.length < 2 || words.at(-1) !== names.at(-1)) return false;
  const [[initial = ""], [first = ""]] = [words, names];
  if (words.length === 2 && /^[a-z]$/.test(initial) && first.length > 1 && first.startsWith(initial)) return true;
  if (words.length >= names.length || /(?:^| )(?:بن|ابن|bin|ibn) /.test(whole)) return false;
  let at = 0;
  for (const name of names) if (name === words[at]) at++;
  return at === words.length && initial === first;
}

/**
 * Tells whether two keys are one body, by its country's name and by the adjective: حكومة اليمن, الحكومة اليمنية;
 * جيش الولايات المتحدة, الجيش الأميركي.
 */
export function ofOneCountry(a: string, b: string): boolean {
  const [head, ...of] = a.split(" ");
  const [other, by = "", ...others] = b.split(" ");
  const name = of.at(-1) !== by && nationality(of.at(-1) ?? "") !== undefined && of.length > 1 ? of.slice(0, -1) : of;
  const country = name.join(" ").replace(/^ال(?=...)/, "");
  if (head !== other || others.length > 0 || !isCountry(country)) return false;
  const stem = nationality(by);
  if (stem === undefined) return false;
  const names = [country, ...(aliasGroup(country, "place")?.keys ?? [])];
  // إنجلترا and الإنجليزي
  return names.some((each) => each.startsWith(stem) || each.slice(0, ALIKE) === stem.slice(0, ALIKE));
}

const skeletonOf = (key: string): string =>
  key
    .replace(/[اويى]/g, "")
    .replace(/[غجق]/g, "غ")
    .replace(/(.)\1/g, "$1");

/** Holds what else names of organisations begin with that mean the same without it; جامعة الأزهر is not الأزهر. */
const HEADS = /^(?:ال)?(?:وزاره|هيئه|محكمه|قوات|حزب|تحالف|ائتلاف|لجنه|مجلس|كتائب|وحدات|جبهه|مصرف)$/;

/** Holds what may follow the short name of a company. */
const BUSINESS =
  /^(?:(?:corp|corporation|co|company) of .*|(?:air ?lines|airways|air lines|bank|motors?|industries|stores|news|news agency|newspapers?|broadcasting|electronics|laboratories|oil|petroleum|systems?|technologies|securities|international|national|party)(?: .*)?)$/;

/** Holds what may stand before the name of an office or committee of several words. */
const LEVEL =
  /^(?:federal|national|house|senate|u ?s|us|european|royal|central|french|german|greek|turkish|[a-z]{2,9}(?:ian|ese|ish|iti|aqi|udi|eli|ani))$/;

/**
 * Returns the one key among those of organisations that says more than this one: بايرن ميونخ of بايرن, مانشستر يونايتد
 * of يونايتد, Delta Air Lines of Delta. `isCompany`: whether the name of a key has a legal form.
 */
export function partOf(
  key: string,
  organisations: readonly string[],
  isCompany: (key: string) => boolean = () => false,
): string | undefined {
  if (key.length < 3) return undefined;
  const own = aliasGroup(key, "organisation");
  if (own !== undefined && own.kind !== "organisation") return undefined;
  const longer = organisations.filter(
    (other) => other !== key && (begins(key, other, isCompany) || ends(key, other) || isWithin(key, other)),
  );
  const [whole] = longer;
  if (whole === undefined || longer.length > 1 || / وال/.test(whole.replace(key, ""))) return undefined;
  const group = aliasGroup(whole, "organisation");
  return own !== undefined && own.kind === "organisation" && group !== own ? undefined : whole;
}

function begins(key: string, other: string, isCompany: (key: string) => boolean): boolean {
  if (!other.startsWith(`${key} `)) return / ال/.test(key) && other.startsWith(`${key.replaceAll(" ال", " ")} `);
  if (!/^[a-z]/.test(key)) return true;
  const rest = other.slice(key.length + 1);
  return BUSINESS.test(rest) || isCompany(other) || (key.includes(" ") && rest.startsWith("of "));
}

/**
 * Tells whether a name has a word with its article, which is no adjective, in its middle: النقد of صندوق النقد الدولي.
 */
function isWithin(key: string, other: string): boolean {
  return !key.includes(" ") && /^\p{Script=Arabic}{3,}$/u.test(key) && other.includes(` ال${key} `);
}

function ends(key: string, other: string): boolean {
  if (/^[a-z]/.test(key)) {
    return key.includes(" ") && other.endsWith(` ${key}`) && LEVEL.test(other.slice(0, -key.length - 1));
  }
  const isWhole = other.endsWith(` ${key}`) || other.endsWith(` ال${key}`);
  if (!isWhole) return false;
  const rest = other
    .slice(0, other.length - key.length)
    .replace(/ ?ال$/, "")
    .trim();
  if (rest.includes(" ")) return false;
  return isGroupHead(rest) || HEADS.test(rest) || (!other.endsWith(` ال${key}`) && !/(?:^| )ال/.test(key));
}

/** Returns the mentions, two of organisations as one where ل joins them: الوكالة الفيدرالية لإدارة الطوارئ. */
export function joined(text: string, mentions: readonly Entity[]): Entity[] {
  if (!/\p{Script=Arabic}/u.test(text)) return [...mentions];
  const slice = codePointSlicer(text);
  const second = new Map<Entity, Entity>();
  const organisations = mentions.filter(({ type }) => type === "ORG");
  for (const body of organisations) {
    if (!isInstitution(body.name.split(" ")[0] ?? "") || aliasGroup(nameKey(body.name), "other") !== undefined)
      continue;
    const purpose = organisations.find(
      ({ start, name }) => start === body.end + 2 && aliasGroup(nameKey(name), "other") === undefined,
    );
    if (purpose !== undefined && slice(body.end, purpose.start) === " ل") second.set(body, purpose);
  }
  const purposes = new Set(second.values());
  return mentions.flatMap((mention) => {
    if (purposes.has(mention)) return [];
    const purpose = second.get(mention);
    if (purpose === undefined) return [mention];
    const rest = slice(mention.end, purpose.end);
    const confidence = Math.min(mention.confidence, purpose.confidence);
    return [{ ...mention, text: mention.text + rest, name: mention.name + rest, end: purpose.end, confidence }];
  });
}
