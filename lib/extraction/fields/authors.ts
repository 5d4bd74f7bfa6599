import { findDates, isDateLine } from "../../text/dates/mod.ts";
import { at, type PageFacts } from "../body/facts.ts";
import { classOf, type HtmlDocument, type HtmlElement, type HtmlNode, isElement, isText } from "../page/dom.ts";
import { elementsOf, hasWord } from "../page/elements.ts";
import type { LinkedData } from "../page/jsonld.ts";
import { firstMeta, type MetaTags } from "../page/meta.ts";
import { plainText } from "../page/plain.ts";
import { oneLine, wordsOf } from "../page/words.ts";
import { hasLead, isOnlyLead, isOrganisation, namesIn, withoutLead } from "./names.ts";

const META = [
  "author",
  "article:author",
  "byl",
  "dc.creator",
  "dcterms.creator",
  "parsely-author",
  "sailthru.author",
  "twitter:creator",
  "cxenseparse:author",
];
/** What names an author for machines before what a class only hints at. */
const BYLINES: readonly ((element: HtmlElement) => boolean)[] = [
  (element) => hasWord(element, "rel", "author") || hasWord(element, "itemprop", "author"),
  (element) => /byline|author|writer|reporter|journalist/i.test(classOf(element)),
  (element) => element.localName === "a" && PROFILE.test(element.getAttribute("href") ?? ""),
];
/** The address of all that a person wrote. */
const PROFILE = /\/(?:authors?|writers?|contributors?|journalists?|columnists?|kuttab|كاتب|الكاتب|كتاب)\/[^/?#]+\/?$/i;
const COMMENTS = /comment|disqus|repl(?:y|ies)\b|related|recommend|most-?read/i;
/** The account that posted rather than the person who wrote: one word, or a role. */
const ACCOUNT = /^[\w.-]+$|\b(?:admin|administrator|webmaster)\b/i;
/** An account that is no name of a person at all: `shopwithselect`, `a.writer`. */
const LOGIN = /^[\p{Ll}\d._-]+$/u;
/** What no name is, although "by" stands before it. */
const NO_NAME = /^(?:the|our|your|this|an?|that|it|using|clicking|default|email|phone|mail|post|date|topic|category)$/i;
/** What a byline goes on with: "on", an update, its date. */
const BEYOND =
  /\n|\s+(?:on|in|at)\s|\s*,?\s*(?:(?:last )?updated|published|posted)\b|\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d|\s+(?:نشر|نُشر|بتاريخ|منذ|آخر تحديث|يوم)(?=\s|:|$)|\d/;
/** The weekday of a date, or how long ago, that has grown together with the name. */
const GLUED_DATE =
  /\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|ال(?:سبت|[أا]حد|[إا]ثنين|ثلاثاء|[أا]ربعاء|خميس|جمعة))[,،]?\s+(?=\p{L}+\s+\d|\d)|\s*منذ\s+(?=\d|ثاني|دقيق|ساع|يوم|أسبوع|شهر)/u;
const REST = new RegExp(`${BEYOND.source}|${GLUED_DATE.source}`, "iu");
const SEPARATED = /\s+[|•·–—⋅-]\s+/u;
const MAX_BYLINES = 12;
const MAX_BYLINE_WORDS = 14;
const MAX_BYLINE_CHARS = 150;

/** Where to look for authors. */
export interface AuthorSources {
  readonly document: HtmlDocument;
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly facts: PageFacts;
  /** Names of the site and the publisher: an organisation signs only what no person signs. */
  readonly siteNames: readonly string[];
}

/**
 * The authors of an article, in the page's order, without "by", roles, links or e-mail addresses; at most 25. Metadata
 * count before what stands on the page, a person before an organisation, an agency or the site itself.
 */
export function findAuthors({ document, linked, meta, facts, siteNames }: AuthorSources): string[] {
  const site = new Set(siteNames.map(bare).filter((name) => name !== ""));
  const organisations = new Set((linked?.organisations ?? []).map(bare));
  const isPerson = (name: string) => !site.has(bare(name)) && !organisations.has(bare(name)) && !isOrganisation(name);
  const stated = namesIn(linked?.authors ?? []);
  const tagged = namesIn(META.map((name) => meta.get(name) ?? []).find((values) => values.length > 0) ?? []);
  const labelled = namesIn([writtenBy(meta)]);
  const people = [stated, tagged, labelled].map((names) => names.filter(isPerson)).filter((names) => names.length > 0);
  const sure = people.find((names) => names.some((name) => !ACCOUNT.test(name)));
  if (sure !== undefined) return sure;
  const signed = signature(facts);
  const marked = bylines(document);
  const account = people[0] ?? [];
  const seen = [marked.filter(isPerson), account];
  if (!account.every((name) => LOGIN.test(name))) seen.reverse();
  const candidates = [signed.filter(isPerson), ...seen, beside(facts), told(facts)];
  for (const names of [...candidates, stated, tagged, labelled, signed, marked]) if (names.length > 0) return names;
  return namesIn(linked?.organisations ?? []);
}

/** What a page tells those who show its link: `twitter:label1` "Written by", `twitter:data1` the name. */
function writtenBy(meta: MetaTags): string {
  const at = [1, 2, 3].find((i) => /written by|author|كتب|بواسطة|الكاتب/i.test(firstMeta(meta, [`twitter:label${i}`])));
  return at === undefined ? "" : firstMeta(meta, [`twitter:data${at}`]);
}

/** "By A. Writer" as a short block near the title, else "Written by A. Writer" anywhere. */
function signature(facts: PageFacts): string[] {
  const origin = Math.max(facts.headingAt, facts.titleAt, 0);
  const { blocks } = facts;
  const near = (i: number) => i >= origin - 4 && i < origin + 14;
  for (const isHere of [near, (i: number) => !near(i) && EXPLICIT.test(blocks[i]?.text ?? "")]) {
    for (let i = 0; i < blocks.length; i++) {
      if (!isHere(i)) continue;
      const [text = "", below = blocks[i + 1]?.text ?? ""] = (blocks[i]?.text ?? "").replace(DATED, "").split("\n");
      const byline = isOnlyLead(text) ? `${text} ${below}` : text;
      if (!hasLead(byline) || at(facts.sentences, i) > 1) continue;
      const own = beforeRest(byline);
      if (wordsIn(own) > MAX_BYLINE_WORDS || byline.length > MAX_BYLINE_CHARS) continue;
      const names = namesIn([own]).filter((name) => isPersonal(name) || isSigned(name));
      if (names.length > 0) return names;
    }
  }
  return [];
}

/** "August 12, 2025 By". */
const DATED = /^.{5,30}\b(?:19|20)\d\d\s{0,3}[|•·–—-]?\s{0,3}(?=by\s)/i;
const EXPLICIT =
  /^(?:(?:.{5,30}\b(?:19|20)\d\d\s*[|•·–—-]?\s*)?(?:written|posted|story|words|interview) by|\S.{4,30}\b20\d\d by |(?:posted )?by:|بقلم|كتبه?:|كتبت:|إعداد:|الكاتبة?:)/i;

/** After an explicit "by", one word or a team signs too. */
function isSigned(name: string): boolean {
  const words = name.split(" ");
  return words.length === 1 ? name.length > 2 && !NO_NAME.test(name) : words.length <= 5 && isOrganisation(name);
}

function bylines(document: HtmlDocument): string[] {
  for (const isByline of BYLINES) {
    const names = namesUnder(document, isByline);
    if (names.length > 0) return names;
  }
  return [];
}

function namesUnder(document: HtmlDocument, isByline: (element: HtmlElement) => boolean): string[] {
  let seen = 0;
  for (const element of elementsOf(document)) {
    if (!isByline(element)) continue;
    if (++seen > MAX_BYLINES) break;
    if (isElsewhere(element)) continue;
    const text = oneLine(element.getAttribute("content") ?? plainText(element));
    if (wordsIn(text) > MAX_BYLINE_WORDS) continue;
    // "A. Writer" and "Staff Writer" in two elements side by side: the text of each counts before that of both.
    const pieces = [...textsIn(element)].map((piece) => namesIn([beforeRest(piece)]).filter(isPersonal));
    const names = pieces.find((piece) => piece.length > 0) ?? namesIn([beforeRest(text)]).filter(isPersonal);
    const all = namesIn(pieces.flat());
    if (names.length > 0) return all.length > names.length && /\band\b|&|,|،|\sو/.test(text) ? all : names;
  }
  return [];
}

function* textsIn(root: HtmlNode): Iterable<string> {
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) yield oneLine(child.textContent);
    else if (isElement(child)) yield* textsIn(child);
  }
}

/** Those who commented, and authors of other articles. */
function isElsewhere(element: HtmlElement): boolean {
  for (let node: HtmlNode | null = element; node !== null; node = node.parentNode) {
    if (!isElement(node) || node.localName === "body") continue;
    if (COMMENTS.test(`${classOf(node)} ${node.getAttribute("id") ?? ""}`)) return true;
  }
  return false;
}

const LIFE = ["is", "has", "was", "writes", "covers", "works", "leads", "joined", "serves"];

/**
 * Just below the title: a name that shares a short block with the date, or one that the page tells more of elsewhere.
 */
function beside(facts: PageFacts): string[] {
  const origin = Math.max(facts.headingAt, facts.titleAt);
  if (origin < 0) return [];
  for (let i = origin + 1; i < origin + 5; i++) {
    const text = facts.blocks[i]?.text ?? "";
    if (wordsIn(text) > MAX_BYLINE_WORDS || isDateLine(text)) continue;
    if (isPersonal(text) && facts.blocks.some((block) => tellsOf(block.text, text))) return namesIn([text]);
    const [date] = findDates(text);
    if (date === undefined) continue;
    const rest = [text.slice(0, date.index), text.slice(date.index + date.length)];
    const names = namesIn(rest.flatMap((part) => part.split(SEPARATED)).map(beforeRest)).filter(isPersonal);
    if (names.length > 0) return names.slice(0, 1);
  }
  return [];
}

const BOX_HEADING = /^(?:about (?:the )?)?authors?:?$|^(?:عن|حول|نبذة عن) (?:ال)?(?:كاتب|مؤلف)ة?:?$/i;

/** A box headed "About the author": a name alone, or the one that the text below begins with. */
function told({ blocks }: PageFacts): string[] {
  const heading = blocks.findIndex(({ text }) => BOX_HEADING.test(text));
  const text = heading < 0 ? "" : (blocks[heading + 1]?.text ?? "");
  if (wordsIn(text) <= MAX_BYLINE_WORDS && isPersonal(text)) return namesIn([text]);
  const name = LIFE.map((verb) => text.split(` ${verb} `, 1)[0] ?? "").find((begin) => isPersonal(begin));
  return name === undefined ? [] : namesIn([name]);
}

function tellsOf(text: string, name: string): boolean {
  if (!text.includes(name) || !/\p{Lu}/u.test(name)) return false;
  return (
    LIFE.some((verb) => text.startsWith(`${name} ${verb} `)) || /\b(?:by|about) $/i.test(text.split(name, 1)[0] ?? "")
  );
}

/** A byline up to its date, or what else follows. */
function beforeRest(text: string): string {
  const pieces = withoutLead(text.slice(0, 2 * MAX_BYLINE_CHARS)).split(SEPARATED);
  const own = pieces.find((piece) => namesIn([piece]).length > 0) ?? pieces[0] ?? "";
  const end = own.search(REST);
  return end > 0 ? own.slice(0, end) : own;
}

/** Words of Arabic labels, sections and sentences, which no name has: there no capital tells names apart. */
const LABEL_WORD =
  /^(?:في|من|على|إلى|عن|مع|منذ|مد[ةه]|وقت|عدد|تاريخ|(?:ال)?(?:قراء[ةه]|مشاهدات?|مشاهد[ةه]|زيارات?|تعليقات?|نشر|تحديث|أخبار|اخبار|محلي[ةه]|دولي[ةه]|رئيسي[ةه]|تصنيف|مشارك[ةه]|دقائق|دقيق[ةه]|ساع[ةه])|بدأت?|نُشرت?|نشرت?|شارك|كلمات)$/;

/** Two to five words, each of which a name may have: capitals, or a script without them. */
function isPersonal(name: string): boolean {
  const words = name.split(" ");
  if (words.length < 2 || words.length > 5 || /\d/.test(name)) return false;
  if (words.some((word) => LABEL_WORD.test(word))) return false;
  if (/\b(?:by|about|share|follow|read|view|more|posts?|articles?|the|your|our|min|minutes?|comments?)\b/i.test(name))
    return false;
  return words.every(
    (word) => !/^\p{Ll}/u.test(word) || /^(?:de|van|von|der|den|al|bin|ibn|el|da|di|la|le|of)$/.test(word),
  );
}

function wordsIn(text: string): number {
  return text.split(" ").length;
}

function bare(name: string): string {
  return wordsOf(name).join("");
}
