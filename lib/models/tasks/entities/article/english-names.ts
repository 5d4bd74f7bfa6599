import type { Entity } from "../entity.ts";

/** How a text is written: whether it is all capitals, and how often each word stands in it in small letters. */
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

/** What a name of a country is put before, as in Sino-U.S. */
const PREFIX = /^(?:Sino|Anglo|Franco|Russo|Indo|Afro|Euro|Pan)-/;
const UNION = /^(U\.S\.|U\.K\.|U\.N\.)\s+(\S+)/;
const OF_STATE =
  /^(?:Embassy|Army|Navy|Marine|Marines|Senate|House|Supreme|Department|Treasury|Congress|Federal|Securities|District|Court|Air|Coast|Open|Steel|Airways|Agriculture|Justice|State|Trade|Central|National|Virgin|Customs|Geological|Security|General|High|Human)/;
const DEMONYM =
  /^(?:\p{Lu}\S*(?:ian|ese|ish|ican|nean|rean|lean|pean)s?|French|Germans?|Dutch|Swiss|Greeks?|Iraqis?|Saudis?|Israelis?|Pakistanis?|Kuwaitis?|Qataris?|Omanis?|Yemenis?|Emiratis?|Bangladeshis?|Afghans?|Thais?|Briton?s|Danes?|Finns?|Swedes?|Turks?|Kurds?|Czechs?|Poles|Arabs?|Spaniards?|Somalis?|Welsh|Icelandic|Filipinos?|Sunnis?|Shiites?|Shias?|Muslims?|Christians?|Jews|Jewish|Islamic|Arabic|Argentines?|Yazidis?|Western)$/u;

/** What names of persons, places and events look like, whatever the tagger took them for. */
const INITIAL = /^\p{Lu}{1,2}\.? (?:(?:de|del|dal|di|van|von|el|al) )?\p{Lu}\p{Ll}{2,}$/u;
const PLACE = / (?:Stadium|Airport|Bridge|Park|Station|Street|Avenue|River|Island|Islands|Lake|Mountains)$/;
const GROUP =
  / (?:Archdiocese|Diocese|University|College|Ministry|Bank|Council|Airlines|Air Lines|Airways|Aerospace|Corp|Corporation|Inc|Ltd|Plc|Industries|Police)\.?$/;
const AGENCY = /^Reuters?$/i;
const EVENT = / (?:Championships?|Cup|League|Prize|Awards?|Games|Olympics|Act|War)$/;

/**
 * A mention in Latin letters as an article's entity, or undefined where it names nobody and nothing: words in small
 * letters, titles, months, ratings, forms of companies, and a single word that the article has in small letters as
 * well. Nationalities are MISC, as CoNLL-2003 has them; `-based` and the like do not belong to a name.
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
  return { ...cut(mention, name), type: typeBy(name, mention.type) };
}

function typeBy(name: string, type: string): string {
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

/** The mention under a shorter name, and where that stands. */
function cut(mention: Entity, name: string): Entity {
  const at = mention.text.indexOf(name);
  if (at < 0) return { ...mention, name };
  const start = mention.start + [...mention.text.slice(0, at)].length;
  return { ...mention, name, text: name, start, end: start + [...name].length };
}
