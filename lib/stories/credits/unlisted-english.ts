import { isDateline } from "./attribution.ts";
import { mentionAt, type TextWord } from "./outlets.ts";

/** A place of a name, in UTF-16 units. */
export type Span = { start: number; end: number };

/** Returns the place of an outlet's name in Latin letters that begins at a word, told by how it is written. */
export function englishSpanAt(text: string, words: readonly TextWord[], at: number): Span | undefined {
  const first = words[at];
  if (first === undefined) return undefined;
  const span = siteAt(text, first) ?? numberedAt(text, first);
  if (span !== undefined || !isCapital(text, first) || isJoined(text, words, at - 1)) return span;
  return stationAt(text, first) ?? datelineAt(text, first) ?? paperAt(text, words, at);
}

/** Addresses of sites that bring no news of their own; {@link SERVICES} has their names. */
const SERVICE_SITES =
  /^(?:twitter|facebook|youtube|instagram|soundcloud|reddit|amazon|ebay|linkedin|gofundme|change)\./i;

function siteAt(text: string, { start }: TextWord): Span | undefined {
  const site =
    /^[A-Za-z][\w-]{1,30}\.(?:(?:com|co|org|net)\.[a-z]{2}|(?:com|org|net|info|fr|de|it|es|ru|tv|ie|ca)(?!\.[a-z]{2}\b)|Com|Org|Net|Fr|Tv|COM|ORG|NET|TV)\b/.exec(
      text.slice(start, start + 40),
    );
  return site === null || SERVICE_SITES.test(site[0]) ? undefined : { start, end: start + site[0].length };
}

/** Letters by which American stations are called, and what is written like them. */
export const CALL_SIGN = /^[KW](?:[A-Z]{2,3}(?:-(?:TV|FM|AM|\d{1,2}))?|[A-Z]{3}\d{1,2})$/;
const NO_CALL_SIGN = /^(?:WWAN|WLAN|WIMP|WADA|WWII|KPMG|WIPO|WIFI|WITH|WHEN|WHAT|WERE|WILL|KING|WEST)/;

/** Letters of a call sign that need no more; shorter ones are other things, too. */
const CALL_LETTERS = 4;

function stationAt(text: string, { start, end }: TextWord): Span | undefined {
  const sign = text.slice(start, end);
  const isNamed = /\b(?:affiliate|station) $/.test(text.slice(Math.max(0, start - 10), start));
  const isStation = CALL_SIGN.test(sign) && (isNamed || (end - start >= CALL_LETTERS && !NO_CALL_SIGN.test(sign)));
  return isStation ? { start, end } : undefined;
}

/** Returns a station that goes by its number: `10 News`, `Channel 4 News`. */
function numberedAt(text: string, { start }: TextWord): Span | undefined {
  // `KCTV 5 News` is one name, that of the station.
  if (/\b[KW][A-Z]{2,3}(?:-TV)? $/.test(text.slice(Math.max(0, start - 9), start))) return undefined;
  const name =
    /^(?:(?:Channel )?\d{1,2} (?:News(?: NOW)?|Action News|Eyewitness News)|(?:NewsChannel|News|Fox|Local|Channel) ?\d{1,2}|Channel (?:One|Two|Four|Five|Seven|Nine|Ten)|(?:[A-Z]\w{1,12} )?Radio \d{2,3}(?:\.\d)?)\b/.exec(
      text.slice(start, start + 32),
    )?.[0];
  return name === undefined ? undefined : { start, end: start + name.length };
}

/** Returns what stands in the brackets of a dateline. */
function datelineAt(text: string, { start }: TextWord): Span | undefined {
  if (text.charAt(start - 1) !== "(") return undefined;
  const name = /^[A-Z][\w.&' -]{2,30}(?=\))/.exec(text.slice(start, start + 40))?.[0] ?? "";
  const span = { start, end: start + name.length };
  return name !== "" && isDateline(text, span) ? span : undefined;
}

/** Words that end the names of papers. */
const PAPERS = new Set(
  "Monitor Times Post News Journal Tribune Herald Gazette Chronicle Observer Globe Inquirer Examiner Review Dispatch Courier Oregonian Star-Ledger Capital-Journal Telegraaf Daily TV Television Radio Magazine Weekly Sun Telegram Telegraph Mail Press Standard Register Sentinel Bee Dealer Advertiser Echo Reporter Citizen".split(
    " ",
  ),
);

/** Words such as `TechNews`, with what a paper is in one with its subject. */
const JOINED_PAPER = /^[A-Z][a-z]+(?:News|Post|Times|Daily|Insider|Today)$/;

/** Words before a name that say that it is a paper's. */
const EPITHETS = new Set(
  "newspaper magazine broadcaster tabloid daily weekly blog outlet website publication".split(" "),
);

/** Words before a site that is somebody's, or none of news: `on her website Burton said`, `social media website …`. */
const NO_EPITHETS = new Set(
  "my your his her its our their media networking sharing shopping dating fundraising crowdfunding auction trading gaming".split(
    " ",
  ),
);

/** Names of sites that bring no news of their own. */
export const SERVICES = new Set(
  "Indiegogo Kickstarter GoFundMe Topsy Reddit Craigslist Facebook Twitter YouTube Instagram Wikipedia LinkedIn Gumtree eBay Amazon Etsy Pinterest Tumblr Imgur Flickr Vine Snapchat Weibo WhatsApp Telegram Google Yahoo Zillow Yelp TripAdvisor Airbnb PayPal".split(
    " ",
  ),
);

/** Words behind a name that say that it is an outlet's. */
const BEHIND =
  /^,? (?:an? (?:\w+ ){0,2})?(?:(?:online |daily |weekly |state |local |news |popular )*(?:newspaper|magazine|tabloid)|news (?:website|site|agency|channel|network|outlet|service))\b/;

/** Subject of a scientific journal, behind its name. */
const JOURNAL_OF = /^ of (?:the )?[A-Z][\w-]{2,20}(?:(?:,| and| &|, and)? [A-Z][\w-]{2,20}){0,4}/;
const MAX_SUBJECT = 100;

/** Returns whether a name is of a broadcaster by what it is called, or by what stands behind it where it was told. */
function isBroadcasterNamed(text: string, first: TextWord, last: TextWord): boolean {
  const name = text.slice(first.start, last.end);
  if (/^Radio (?!Shack)[A-Z\d]\w+$| (?:Online|FM|AM)$/.test(name)) return true;
  return (
    /\b(?:told|tells|to|with|by) (?:the )?$/.test(text.slice(Math.max(0, first.start - 12), first.start)) &&
    /^ (?:television|radio)\b(?! (?:show|series|set|star|host|actor|personality)s?\b)/.test(
      text.slice(last.end, last.end + 30),
    )
  );
}

/** Words before `newspaper` that are no name. */
const NATIONS =
  /^(?:The|North|South|State|A|An|This|That|Its|His|Her|One|Some|Several|Many|Most|Other|Another|Both|All|Two|Three|These|Those|Foreign|Western|Local|American|British|German|French|Israeli|Italian|Spanish|Argentine|Argentinian|Argentinean|Russian|Turkish|Chinese|Japanese|Korean|Indian|Saudi|Iraqi|Iranian|Egyptian|Austrian|Swiss|Danish|Swedish|Dutch|Belgian|Canadian|Australian|Mexican|Brazilian|Pakistani|Lebanese|Syrian|Jordanian|Kuwaiti|English|Scottish|Irish|Welsh|Greek|Polish|Ukrainian|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Apple|Google|Reality|Cable|New York|London|Korea|India|China|Israel|Japan|Iran|Iraq|Syria|Turkey|Russia|Germany|France|Italy|Spain|Britain)$/;

/** Last words that with a nation are no name: `South Korean TV`. */
const GENERIC = /^(?:tv|television|radio|news|press|magazine|weekly)$/;

/** Words of a name at most. */
const MAX_NAME = 5;

/** Returns an English paper: by the last word of its name, or by what stands before or behind it. */
function paperAt(text: string, words: readonly TextWord[], at: number): Span | undefined {
  const first = words[at];
  if (
    first === undefined ||
    /^an?$/.test(first.form) ||
    (first.form === "the" && mentionAt(text, words, at + 1) !== undefined)
  )
    return undefined;
  let to = at + 1;
  while (to < at + MAX_NAME && isJoined(text, words, to - 1)) to++;
  for (let inside = at + 1; inside < to; inside++)
    if (mentionAt(text, words, inside)?.isWeak === false) return undefined;
  const last = words[to - 1];
  if (last === undefined) return undefined;
  if (SERVICES.has(text.slice(first.start, last.end))) return undefined;
  const isStation = /^ (?:station|network|channel)\b(?: [A-Z])?/.exec(text.slice(last.end, last.end + 12))?.[0] ?? "";
  if (GENERIC.test(last.form) && /[A-Z]$/.test(isStation)) return undefined;
  const subject = JOURNAL_OF.exec(text.slice(last.end, last.end + MAX_SUBJECT))?.[0] ?? "";
  const isJournal = subject !== "" && text.slice(last.start, last.end) === "Journal";
  const isFollowed = BEHIND.test(text.slice(last.end, last.end + 60)) || isReport(text, first, last);
  const before = words[at - 1]?.form ?? "";
  const isBroadcaster = isBroadcasterNamed(text, first, last);
  const isBehind =
    ((EPITHETS.has(before) && !NO_EPITHETS.has(words[at - 2]?.form ?? "")) ||
      (before === "agency" && words[at - 2]?.form === "news")) &&
    !/[,.;:'\u2019]/.test(text.slice((words[at - 1]?.end ?? 0) - 2, first.start));
  if (to - at < 2 && !isBehind && !isFollowed && !isBroadcaster) return undefined;
  if (to - at < 2 && isFollowed && /^\s[A-Z]/.test(text.slice(words[to]?.end ?? text.length))) return undefined;
  const isAgency = /\bNews (?:Agency|Network|Service)$/.test(text.slice(first.start, last.end));
  const isNamedSo =
    PAPERS.has(text.slice(last.start, last.end)) || JOINED_PAPER.test(text.slice(first.start, first.end));
  if (
    GENERIC.test(last.form) &&
    /^ (?:shows?|series|sets?|stars?|hosts?|adverts?|ads?)\b/.test(text.slice(last.end, last.end + 10))
  )
    return undefined;
  const isPaper = isNamedSo || isAgency || isFollowed || isBehind || isBroadcaster;
  if (/^(?:US|UK|Hong Kong|Face)$/.test(text.slice(first.start, last.end).replace(/ TV$/, ""))) return undefined;
  const isGeneric = to - at < 2 || GENERIC.test(last.form);
  const named = words.slice(at, Math.max(at + 1, to - 1));
  const areNations = (each: readonly TextWord[]): boolean =>
    each.every(
      ({ start, end }) => NATIONS.test(text.slice(start, end)) || /(?:an|ese|ish)$/.test(text.slice(start, end)),
    );
  const isNation = areNations(words.slice(at, to)) || (isGeneric && areNations(named));
  if (isJournal) return { start: first.start, end: last.end + subject.length };
  if (!isPaper || isNation) return undefined;
  // `Spanish Canal Plus television`: where it is from is no part of its name.
  const own = isBroadcaster ? words.slice(at, to).find((word) => !areNations([word])) : undefined;
  return { start: (own ?? first).start, end: last.end };
}

/** Last words of names of those who report as authorities and not as papers. */
const AUTHORITIES =
  /(?:Department|Ministry|Office|Bureau|Bank|University|Police|Group|Organi[sz]ation|Observatory|Commission|Committee|Council|(?<!News )Agency|Center|Centre|Institute|Administration|Association|Service|Board|Fund|Foundation|Union|Company|Corp|Inc|Nations|Court|States|Government|Authority|Administration)$/;

/** Returns whether a sentence ends by saying that a name reported it: `…, Iraq TradeLink reported.` */
function isReport(text: string, first: TextWord, last: TextWord): boolean {
  return (
    /, (?:the )?$/.test(text.slice(Math.max(0, first.start - 6), first.start)) &&
    /^ report(?:ed|s)\s?[.;]/.test(text.slice(last.end, last.end + 12)) &&
    last !== first &&
    !AUTHORITIES.test(text.slice(first.start, last.end))
  );
}

const isCapital = (text: string, { start }: TextWord): boolean => /^(?:al-)?[A-Z]/.test(text.slice(start, start + 4));

/** Returns whether a word and the next one are parts of one name: both have capitals, and a space is between them. */
function isJoined(text: string, words: readonly TextWord[], at: number): boolean {
  const [one, next] = [words[at], words[at + 1]];
  if (one === undefined || next === undefined || !isCapital(text, one) || !/^[A-Z\d]/.test(text.charAt(next.start)))
    return false;
  if (/^(?:An?|Via|Per|By|From|On|In)$|['\u2019]s$/.test(text.slice(one.start, one.end))) return false;
  return [" ", "-", " & "].includes(text.slice(one.end, next.start));
}
