import { memoize } from "../../std/mod.ts";
import { normalForm } from "../../text/mod.ts";
import { isDateline, quotedAfterKind } from "./attribution.ts";
import { forms, KINDS } from "./cues.ts";
import agencies from "./national-agencies.json" with { type: "json" };
import { listedNear, type Mention, mentionAt, type TextWord, withoutClitics } from "./outlets.ts";

/** Returns an outlet that no list has and whose name begins at a word, told by how it is written. */
export function unlistedAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const first = words[at];
  if (first === undefined) return undefined;
  const span =
    siteAt(text, first) ??
    numberedAt(text, first) ??
    (isCapital(text, first) && !isJoined(text, words, at - 1)
      ? (stationAt(text, first) ?? datelineAt(text, first) ?? paperAt(text, words, at))
      : undefined);
  if (span !== undefined)
    return {
      ...mentionOf(words, at, span),
      isWeak: false,
      isListed: CALL_SIGN.test(text.slice(span.start, span.end)),
      name: nameOf(text, span),
    };
  const signed = first.form === "عن" ? signedAt(text, words, at) : undefined;
  if (signed !== undefined) return signed;
  const named = words[at + 1]?.form ?? "";
  const isBefore = isKind(first.form) || first.form === "ل";
  const quoted = isBefore && !NO_OUTLETS.has(named) ? quotedAfterKind(text, first.end) : undefined;
  if (quoted === undefined) return namedByNation(text, words, at);
  let from = at + 1;
  while ((words[from]?.start ?? quoted.start) < quoted.start) from++;
  if (mentionAt(text, words, from) !== undefined) return undefined;
  const mention = mentionOf(words, from, quoted);
  if (mention.to === mention.from) return undefined;
  const name = listedNear(text.slice(quoted.start, quoted.end)) ?? nameOf(text, quoted);
  return { ...mention, isWeak: true, name, clitic: first.form === "ل" ? "ل" : "" };
}

/** Kinds of outlets that an Arabic name may follow without quotes, where it is said of which country it is. */
const KINDS_OF_NATIONS = forms("صحيفة جريدة مجلة قناة شبكة وكالة محطة إذاعة تلفزيون");

/** Kinds whose names may have the article: an agency or network with one is of something else, as of space. */
const KINDS_WITH_ARTICLE = forms("صحيفة جريدة مجلة");

/** Words of a name before its country, the most. */
const MAX_BEFORE_NATION = 3;

/** Returns an outlet between what it is and of which country it is: `صحيفة هاآرتس الإسرائيلية`. */
function namedByNation(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const kind = withoutClitics(words[at]?.form ?? "").find(({ form }) => KINDS_OF_NATIONS.has(form))?.form;
  const from = words[at + 1]?.form === "انباء" ? at + 2 : at + 1;
  const [first, second] = [words[from], words[from + 1]];
  if (kind === undefined || first === undefined || second === undefined) return undefined;
  if (NO_OUTLETS.has(first.form) || mentionAt(text, words, from) !== undefined) return undefined;
  const hasArticle = first.form.startsWith("ال");
  if (hasArticle ? !KINDS_WITH_ARTICLE.has(kind) || NATIONS_AR.has(first.form) : /ي(?:ه|ا)?$/.test(first.form))
    return undefined;
  for (let to = from + 1; to <= from + MAX_BEFORE_NATION; to++) {
    const [before, nation] = [words[to - 1], words[to]];
    if (before === undefined || nation === undefined || text.slice(before.end, nation.start) !== " ") return undefined;
    if (!NATIONS_AR.has(nation.form)) {
      if (nation.form.startsWith("ال")) return undefined;
      continue;
    }
    const span = { start: first.start, end: before.end };
    const name = listedNear(text.slice(span.start, span.end)) ?? nameOf(text, span);
    return { ...mentionOf(words, from, span), isWeak: true, name };
  }
  return undefined;
}

/** Words of a paper's name in a line that says that a text is from there. */
const MAX_SIGNED = 4;

/** Returns what a line of its own names behind `نقلاً عن`: all of it is a paper's name. */
function signedAt(text: string, words: readonly TextWord[], at: number): Mention | undefined {
  const first = words[at + 1];
  const before = words[at - 1];
  if (first === undefined || before?.form !== "نقلا" || mentionAt(text, words, at + 1) !== undefined) return undefined;
  if (!/(?:^|\n|\*) ?$/.test(text.slice(Math.max(0, before.start - 3), before.start))) return undefined;
  const rest = /^[^\n.:،*"]{3,40}(?=\n|\*|$)/.exec(text.slice(first.start, first.start + 41))?.[0].trimEnd();
  if (rest === undefined || rest.split(/\s+/).length > MAX_SIGNED) return undefined;
  const span = { start: first.start, end: first.start + rest.length };
  return { ...mentionOf(words, at + 1, span), isWeak: false, name: nameOf(text, span) };
}

/** Names that go on in a way that says nothing new: `سبأ نيوز`. */
const GENERIC_REST = /^(?:نيوز?|نت|أونلاين|اونلاين|تي في|للأنباء|الإخبارية|الإخباري)$/;

/** Returns the whole of a name in quotes of which only the beginning is listed: `"ذا ناشيونال إنكواير"`. */
export function longerInQuotes(text: string, words: readonly TextWord[], listed: Mention): Mention | undefined {
  if (!/[\p{Script=Arabic}] ?["\u201c\u00ab] ?$/u.test(text.slice(Math.max(0, listed.start - 4), listed.start)))
    return undefined;
  if (/["\u201c\u201d\u00ab\u00bb]/.test(text.slice(listed.start, listed.end))) return undefined;
  const rest = /^ ([^"\u201c\u201d\u00ab\u00bb\n.,،]{2,24}) ?["\u201d\u00bb]/.exec(
    text.slice(listed.end, listed.end + 32),
  )?.[1];
  if (rest === undefined) return undefined;
  if (GENERIC_REST.test(rest)) return listed;
  const span = { start: listed.start, end: listed.end + 1 + rest.length };
  return { ...mentionOf(words, listed.from, span), clitic: listed.clitic, isWeak: true, name: nameOf(text, span) };
}

/** Agencies, sites and networks that bring no news of their own. */
const NO_OUTLETS = new Set(
  "ناسا موديز فيتش ستاندرد تويتر توتير فيسبوك فايسبوك يوتيوب يويتوب رديت انستغرام إنستغرام ويكيبيديا ريديت لينكد ويبو أمازون غوغل الأونروا فيفا ويكيليكس سناب"
    .split(" ")
    .map(normalForm),
);

/** Adjectives of countries, as they stand behind the name of an outlet. */
const NATIONS_AR = new Set(
  [
    ...agencies.map(({ adjective }) => adjective),
    ..."الأميركية الأمريكية البريطانية الروسية الإسرائيلية الكندية الأسترالية البرازيلية الأيرلندية الكولومبية".split(
      " ",
    ),
    ..."السنغافورية الكتالونية الكردية الأوروبية العبرية التشيلية البيروفية الفنزويلية الكوبية التايوانية".split(" "),
    ..."التايلاندية البنغالية الكرواتية الألبانية المقدونية البوسنية الكينية الجورجية الإسكتلندية".split(" "),
  ].flatMap((adjective) => [normalForm(adjective), normalForm(adjective.replace(/ة$/, ""))]),
);

/** A place of a name, in UTF-16 units. */
type Span = { start: number; end: number };

function mentionOf(words: readonly TextWord[], from: number, span: Span): Omit<Mention, "name" | "isWeak"> {
  let to = from;
  while ((words[to]?.start ?? Number.POSITIVE_INFINITY) < span.end) to++;
  return { from, to, isListed: false, clitic: "", ...span };
}

/** Returns the name in a span; of a station without `-TV`, of a site with its ending in small letters. */
function nameOf(text: string, { start, end }: Span): string {
  const name = text.slice(start, end).replace(/\.\w{2,4}$/, (ending) => ending.toLowerCase());
  return CALL_SIGN.test(name) ? (name.split("-", 1)[0] ?? name) : name;
}

const isKind = memoize((word) => withoutClitics(word).some(({ form }) => KINDS.any.has(form.replace(/^ال/, ""))), {
  capacity: 50_000,
});

function siteAt(text: string, { start }: TextWord): Span | undefined {
  const site = /^[A-Za-z][\w-]{1,30}\.(?:com|org|net|info|co\.uk|fr|de|it|es|ru|tv|Com|Org|Net|Fr|COM|ORG|NET)\b/.exec(
    text.slice(start, start + 40),
  );
  return site === null ? undefined : { start, end: start + site[0].length };
}

/** Letters by which American stations are called, and what is written like them. */
const CALL_SIGN = /^[KW][A-Z]{2,3}(?:-(?:TV|FM|AM|\d{1,2}))?$/;
const NO_CALL_SIGN = /^(?:WADA|WWII|KPMG|WIPO|WIFI|WITH|WHEN|WHAT|WERE|WILL|KING|WEST)/;

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
  const name =
    /^(?:(?:Channel )?\d{1,2} (?:News(?: NOW)?|Action News|Eyewitness News)|(?:NewsChannel|News|Fox|Local) ?\d{1,2})\b/.exec(
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

/** Words before a site that is somebody's: `on her website Burton said`. */
const POSSESSIVES = new Set(["my", "your", "his", "her", "its", "our", "their"]);

/** Sites that bring no news of their own. */
const SERVICES = new Set(
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
  /^(?:The|North|South|State|A|An|This|That|Its|His|Her|One|American|British|German|French|Israeli|Italian|Spanish|Argentine|Argentinian|Argentinean|Russian|Turkish|Chinese|Japanese|Korean|Indian|Saudi|Iraqi|Iranian|Egyptian|Austrian|Swiss|Danish|Swedish|Dutch|Belgian|Canadian|Australian|Mexican|Brazilian|Pakistani|Lebanese|Syrian|Jordanian|Kuwaiti|English|Scottish|Irish|Welsh|Greek|Polish|Ukrainian|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Apple|Google|Reality|Cable|New York|London|Korea|India|China|Israel|Japan|Iran|Iraq|Syria|Turkey|Russia|Germany|France|Italy|Spain|Britain)$/;

/** Last words that with a nation are no name: `South Korean TV`. */
const GENERIC = /^(?:tv|television|radio|news|press|magazine|weekly)$/;

/** Words of a name at most. */
const MAX_NAME = 5;

/** Returns an English paper: by the last word of its name, or by what stands before or behind it. */
function paperAt(text: string, words: readonly TextWord[], at: number): Span | undefined {
  const first = words[at];
  if (first === undefined || (first.form === "the" && mentionAt(text, words, at + 1) !== undefined)) return undefined;
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
    ((EPITHETS.has(before) && !POSSESSIVES.has(words[at - 2]?.form ?? "")) ||
      (before === "agency" && words[at - 2]?.form === "news")) &&
    !/[,.;:'\u2019]/.test(text.slice((words[at - 1]?.end ?? 0) - 2, first.start));
  if (to - at < 2 && !isBehind && !isFollowed && !isBroadcaster) return undefined;
  if (to - at < 2 && isFollowed && /^\s[A-Z]/.test(text.slice(words[to]?.end ?? text.length))) return undefined;
  const isAgency = /\bNews Agency$/.test(text.slice(first.start, last.end));
  const isNamedSo =
    PAPERS.has(text.slice(last.start, last.end)) || JOINED_PAPER.test(text.slice(first.start, first.end));
  const isPaper = isNamedSo || isAgency || isFollowed || isBehind || isBroadcaster;
  if (/^(?:US|UK|Hong Kong|Face)$/.test(text.slice(first.start, last.end).replace(/ TV$/, ""))) return undefined;
  const isGeneric = to - at < 2 || GENERIC.test(last.form);
  const named = words.slice(at, Math.max(at + 1, to - 1));
  const areNations = (each: readonly TextWord[]): boolean =>
    each.every(({ start, end }) => NATIONS.test(text.slice(start, end)));
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

const isCapital = (text: string, { start }: TextWord): boolean => /^[A-Z]/.test(text.charAt(start));

/** Returns whether a word and the next one are parts of one name: both have capitals, and a space is between them. */
function isJoined(text: string, words: readonly TextWord[], at: number): boolean {
  const [one, next] = [words[at], words[at + 1]];
  if (one === undefined || next === undefined || !isCapital(text, one) || !/^[A-Z\d]/.test(text.charAt(next.start)))
    return false;
  if (/['\u2019]s$/.test(text.slice(one.start, one.end))) return false;
  return [" ", "-", " & "].includes(text.slice(one.end, next.start));
}
