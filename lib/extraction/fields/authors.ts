import { findDates, isDateLine } from "../../text/dates/mod.ts";
import { at, type PageFacts } from "../body/facts.ts";
import {
  classOf,
  elementsOf,
  hasWord,
  type HtmlDocument,
  type HtmlElement,
  type HtmlNode,
  isElement,
  isText,
  oneLine,
  plainText,
  wordsOf,
} from "../page/dom.ts";
import { firstMeta, type LinkedData, type MetaTags } from "../page/metadata.ts";
import {
  hasLead,
  isAgency,
  isOnlyLead,
  isOrganisation,
  isPlacedList,
  isSection,
  namesIn,
  withoutLead,
  withoutPlaces,
} from "./names.ts";

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
/** Holds what names an author for machines before what a class only hints at. */
const BYLINES: readonly ((element: HtmlElement) => boolean)[] = [
  (element) => hasWord(element, "rel", "author") || hasWord(element, "itemprop", "author"),
  (element) => /byline|author|writer|reporter|journalist/i.test(classOf(element)),
  (element) => element.localName === "a" && PROFILE.test(element.getAttribute("href") ?? ""),
];
/** The address of all that a person wrote. */
const PROFILE =
  /\/(?:authors?|writers?|editors?|reporters?|staff|contributors?|journalists?|columnists?|kuttab|كاتب|الكاتب|كتاب)\/[^/?#]+\/?$/i;
const COMMENTS = /comment|disqus|repl(?:y|ies)\b|related|recommend|most-?read/i;
/** Names of classes within the article whose author is that of a picture or a saying. */
const WITHIN = /caption|pull-?quote|(?:photo|image|picture|media)[\w-]{0,20}credit/i;
const WITHIN_ELEMENTS = new Set(["figure", "figcaption", "blockquote"]);
/** The account that posted rather than the person who wrote: one word, or a role. */
const ACCOUNT = /^[\w.-]+$|\b(?:admin|administrator|webmaster)\b/i;
/** An account that is no name of a person at all: `shopwithselect`, `a.writer`. */
const LOGIN = /^[\p{Ll}\d._-]+$/u;
/** Holds what no name is, although "by" stands before it. */
const NO_NAME = /^(?:the|our|your|this|an?|that|it|using|clicking|default|email|phone|mail|post|date|topic|category)$/i;
/** Holds what a byline goes on with: "on", an update, its date. */
const BEYOND =
  /\n|\s*[;,]\s*(?:editing|edited|photo\S*|video) by\s|\s+(?:on|in|at)\s|\s*,?\s*(?:(?:last )?updated|published|posted)\b|\s*(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]*\.?\s+\d|\s+(?:نشر|نُشر|بتاريخ|منذ|آخر تحديث|يوم)(?=\s|:|$)|\d/;
/** The weekday of a date, or how long ago, that has grown together with the name. */
const GLUED_DATE =
  /\s*(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|ال(?:سبت|[أا]حد|[إا]ثنين|ثلاثاء|[أا]ربعاء|خميس|جمعة))[,،]?\s+(?=\p{L}+\s+\d|\d)|\s*منذ\s+(?=\d|ثاني|دقيق|ساع|يوم|أسبوع|شهر)/u;
const REST = new RegExp(`${BEYOND.source}|${GLUED_DATE.source}`, "iu");
const SEPARATED = /\s+[|•·–—⋅-]\s+/u;
const MAX_BYLINES = 12;
const MAX_BYLINE_WORDS = 14;
const MAX_BYLINE_CHARS = 150;

/** Says where to look for authors. */
interface AuthorSources {
  readonly document: HtmlDocument;
  readonly linked: LinkedData | null;
  readonly meta: MetaTags;
  readonly facts: PageFacts;
  /** Names of the site and the publisher: an organisation signs only what no person signs. */
  readonly siteNames: readonly string[];
}

/**
 * Returns the authors of an article, in the page's order, without "by", roles, links or e-mail addresses; at most 25.
 * Metadata count before what stands on the page, a person before an organisation, an agency or the site itself.
 */
export function findAuthors({ document, linked, meta, facts, siteNames }: AuthorSources): string[] {
  const site = new Set(siteNames.map(bare).filter((name) => name !== ""));
  const organisations = new Set((linked?.organisations ?? []).map(bare));
  const isPerson = (name: string) => !site.has(bare(name)) && !organisations.has(bare(name)) && !isOrganisation(name);
  const stated = namesIn(linked?.authors ?? []);
  const tagged = namesIn(META.map((name) => meta.get(name) ?? []).find((values) => values.length > 0) ?? []);
  const labelled = namesIn([writtenBy(meta)]);
  const people = [stated, tagged, labelled].map((names) => names.filter(isPerson)).filter((names) => names.length > 0);
  const named = people.find((names) => names.some((name) => !ACCOUNT.test(name)));
  const signed = signature(facts);
  const signers = signed.filter(isPerson);
  // Many content systems name one author in the metadata of an article that two signed.
  if (named !== undefined) return named.every((name) => signers.includes(name)) ? signers : named;
  const marked = bylines(document);
  const account = people[0] ?? [];
  const seen = [marked.filter(isPerson), account];
  if (!account.every((name) => LOGIN.test(name))) seen.reverse();
  const candidates = [signers, ...seen, beside(facts), told(facts)];
  for (const names of [...candidates, stated, tagged, labelled, signed, marked]) if (names.length > 0) return names;
  return namesIn(linked?.organisations ?? []);
}

/** Returns what a page tells those who show its link: `twitter:label1` "Written by", `twitter:data1` the name. */
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
      const [text = "", below = blocks[i + 1]?.text ?? ""] = (blocks[i]?.text ?? "")
        .replace(/^\(/, "")
        .replace(DATED, "")
        .split("\n");
      const byline = isOnlyLead(text) ? `${text} ${below}` : text;
      if (!hasLead(byline) || at(facts.sentences, i) > 1) continue;
      const names = signersIn(byline);
      if (names.length === 0) continue;
      // A second line "By B. Writer" below the first.
      const more = [blocks[i + 1]?.text ?? "", blocks[i + 2]?.text ?? ""].filter((line) => AGAIN.test(line));
      return namesIn([...names, ...more.flatMap(signersIn)]);
    }
  }
  const placed = blocks.findIndex(({ text }, i) => near(i) && text.length < MAX_BYLINE_CHARS && isPlacedList(text));
  return placed < 0 ? [] : namesIn([blocks[placed]?.text ?? ""]).filter(isPersonal);
}

function signersIn(byline: string): string[] {
  if (byline.length > MAX_BYLINE_CHARS) return [];
  const text = beforeRest(byline);
  if (wordsIn(text) > MAX_BYLINE_WORDS) return [];
  return namesIn([text]).filter((name) => isPersonal(name) || isSigned(name));
}

const AGAIN = /^(?:by|and|بقلم|كتبت?)[\s:/]/i;

/** "August 12, 2025 By". */
const DATED = /^.{5,30}\b(?:19|20)\d\d\s{0,3}[|•·–—-]?\s{0,3}(?=by\s)/i;
const EXPLICIT =
  /^(?:(?:.{5,30}\b(?:19|20)\d\d\s*[|•·–—-]?\s*)?\(?(?:written|posted|story|words|interview|reporting) by|\S.{4,30}\b20\d\d by |(?:posted )?by:|بقلم|كتبه?:|كتبت:|إعداد:|الكاتبة?:)/i;

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
  let first: HtmlElement | null = null;
  const names: string[] = [];
  for (const element of elementsOf(document)) {
    if (!isByline(element)) continue;
    if (++seen > MAX_BYLINES) break;
    if (isElsewhere(element) || (first !== null && !isBeside(first, element))) continue;
    const here = namesOf(element);
    if (here.length === 0) continue;
    first ??= element;
    names.push(...here);
  }
  return namesIn(names);
}

function namesOf(element: HtmlElement): string[] {
  const text = oneLine(element.getAttribute("content") ?? plainText(element));
  if (wordsIn(text) > MAX_BYLINE_WORDS) return [];
  // "A. Writer" and "Staff Writer" in two elements side by side: the text of each counts before that of both.
  const pieces = [...textsIn(element)].map((piece) => namesIn([beforeRest(piece)]).filter(signs));
  const all = namesIn(pieces.flat());
  const whole = namesIn([beforeRest(text)]).filter(signs);
  const names = pieces.find((piece) => piece.length > 0) ?? whole;
  const isList = /\band\b|&|,|،|\sو/.test(text) || hasEqualChildren(element);
  return isList && all.length > names.length ? all : names;
}

function signs(name: string): boolean {
  return isPersonal(name) || isAgency(name);
}

/**
 * Returns true for elements of one kind, next to each other in one box or each in a box of its own beside the other.
 */
function isBeside(first: HtmlElement, other: HtmlElement): boolean {
  if (kindOf(first) !== kindOf(other)) return false;
  const [parent, next] = [first.parentNode, other.parentNode];
  if (parent === next) return true;
  const areBoxes = parent !== null && next !== null && isElement(parent) && isElement(next);
  return areBoxes && parent.parentNode === next.parentNode && kindOf(parent) === kindOf(next);
}

function kindOf(element: HtmlElement): string {
  return `${element.localName} ${classOf(element)}`;
}

/** Returns true where nothing but elements of one kind stands in an element, a name in each. */
function hasEqualChildren(element: HtmlElement): boolean {
  const kinds = new Set<string>();
  let count = 0;
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (!isElement(child)) continue;
    count++;
    kinds.add(kindOf(child));
  }
  return count > 1 && kinds.size === 1;
}

function* textsIn(root: HtmlNode): Iterable<string> {
  for (let child = root.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) yield oneLine(child.textContent);
    else if (isElement(child)) yield* textsIn(child);
  }
}

/** Those who commented, authors of other articles, and those of a picture or a saying in this one. */
function isElsewhere(element: HtmlElement): boolean {
  for (let node: HtmlNode | null = element; node !== null; node = node.parentNode) {
    if (!isElement(node) || node.localName === "body") continue;
    if (WITHIN_ELEMENTS.has(node.localName) || WITHIN.test(classOf(node))) return true;
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

/** Returns a box headed "About the author": a name alone, or the one that the text below begins with. */
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

/** Returns a byline up to its date, or what else follows. */
function beforeRest(text: string): string {
  const byline = withoutLead(text.slice(0, 2 * MAX_BYLINE_CHARS)).replace(MORE_BY, ", ");
  const pieces = withoutPlaces(byline).split(SEPARATED);
  const own = pieces.find((piece) => namesIn([piece]).length > 0) ?? pieces[0] ?? "";
  const end = own.search(REST);
  const name = end > 0 ? own.slice(0, end) : own;
  const [writer = ""] = name.split(/\s+for\s+(?=\p{Lu}|the\s)/u, 1);
  return isPersonal(writer) && !isOrganisation(writer) ? writer : name;
}

const MORE_BY = /\s*[;,]?\s*(?:with )?additional reporting (?:was )?(?:contributed )?by\s+/iu;

/** Words of Arabic labels, sections and sentences, which no name has: there no capital tells names apart. */
const LABEL_WORD =
  /^(?:في|من|على|إلى|عن|مع|منذ|مد[ةه]|وقت|عدد|تاريخ|(?:ال)?(?:قراء[ةه]|مشاهدات?|مشاهد[ةه]|زيارات?|تعليقات?|نشر|تحديث|أخبار|اخبار|محلي[ةه]|دولي[ةه]|رئيسي[ةه]|تصنيف|مشارك[ةه]|دقائق|دقيق[ةه]|ساع[ةه])|بدأت?|نُشرت?|نشرت?|شارك|كلمات|زمن|حجم|الخط|عرض|الكل|المزيد|نسخ[ةه]|للطباع[ةه]|طباع[ةه]|قبل|ساعتين|يومين|دقيقتين|(?:ال)?(?:رياض[ةه]|اقتصاد|ثقاف[ةه]|فنون|منوعات|سياس[ةه]|تقارير|مقالات|صح[ةه]|تكنولوجيا|علوم|محليات|عاجل|حرب|أعمال)|وأعمال|وفنون|وثقاف[ةه]|وعلوم|كأس|العالم|الشرق|الأوسط|شمال|أفريقيا|أوروبا|آخر|أحدث|الأكثر|ذات|صل[ةه]|تابعونا?|المصدر|مصدر|صور[ةه]?|الصور[ةه]?|فيديو|بث|مباشر)$/;

/** Two to five words, each of which a name may have: capitals, or a script without them. */
function isPersonal(name: string): boolean {
  const words = name.split(" ");
  if (words.length < 2 || words.length > 5 || /\d/.test(name)) return false;
  if (words.some((word) => LABEL_WORD.test(word)) || isSection(name)) return false;
  if (
    /\b(?:by|about|share|follow|read|view|more|posts?|articles?|the|your|our|min|minutes?|comments?|caption|photo|listen|getty)\b/i.test(
      name,
    )
  )
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
