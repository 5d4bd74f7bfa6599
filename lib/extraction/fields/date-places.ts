import { findDates } from "@isnad/lib/text/dates";
import type { PageFacts } from "../body/facts.ts";
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

/**
 * Says how a place on a page stands to the article's own date: `own` where the page marks it as such, `other` where it
 * belongs to something else (a post, a picture, a comment), `card` in a small box whose headline leads elsewhere,
 * `open` where nothing tells.
 */
export type DatePlace = "own" | "open" | "card" | "other";

/** Tells places on one page apart. */
export interface DatePlaces {
  /** Returns the place of an element, by itself and what is around it up to what holds the title as well. */
  of(element: HtmlElement): DatePlace;
  /** Returns the place of a date in a text block: by an inline element that shows this day, else by its container. */
  inBlock(block: number, ms: number): DatePlace;
}

const OTHER_TAGS = new Set(["blockquote", "figure", "figcaption", "nav", "iframe", "dialog"]);
/** Words of a class or id: embedded posts, comments, other stories, pictures, chronologies. */
const OTHER_NAME =
  /twitter|tweet|instagram|\binsta\b|telegram|tgme|facebook|\bfb\b|tiktok|whatsapp|youtube|bluesky|mastodon|reddit|oembed|(?<!\bw )\bembed(?:ded)?(?: (?:tweet|code|wrapper|container|responsive))?(?=,|$)|comment|disqus|\brepl(?:y|ies)\b|related|recommend|\b(?:read|see) ?(?:more|also|next)\b|\bmore ?(?:news|stor|posts|articles|from|on|in)|\bmost ?(?:read|popular|viewed)|popular|trending|latest|teaser|promo(?!ted)|carousel|slider|slick|swiper|ticker|marquee|caption|credit|gallery|lightbox|timeline|chronolog|\bissue\b|copyright|\b(?:story|news|link|article|post) ?cards?\b|\b(?:side|mini|small|old|other|next|prev|previous|similar|linked|background|archive) ?(?:card|item|box|story|stories|article|post|news|list)s?\b|\bquote|\bbio\b|birth|obituar|\bfact ?box|infobox/;
/** Beside the article: only what is marked there may be its date. */
const ASIDE = /\b(?:side ?bar|aside)(?: (?:item|widget|box|block|inner|content|area|left|right))?(?=,|$)/;
const PUBLISHED_NAME =
  /\b(?:dates?|date ?time|dateline|time|times|timestamp|published|publish|publication|pub|posted|meta|metadata|byline|created|tarikh|تاريخ|نشر)\b|\b(?:post|entry|article|news|story|pub|publish|published|content|page|item|full|blog|main|single|the)(?:date|time|meta)\b|\b(?:post|entry|article|news|story) ?(?:info|data|header)\b|\bdetails\b/;
const UPDATED_NAME = /updat|modif/;
/** Cheap to test before the others. */
const MAYBE_OWN = /dat|time|publ?|post|meta|byline|info|details|creat|tarikh|تاريخ|نشر/i;
const MAX_LEVELS = 40;
/** Says how far around a date an element still marks it, and how much it may hold. */
const BOX_LEVELS = 4;
const MARK_CHARS = 250;
/** A box of another story: a headline that links elsewhere, and little more. */
const BOX_CHARS = 500;
const BOX_NODES = 120;
const HEADLINE_WORDS = 3;
const LINK_WORDS = 4;

/** Reads the places of one page. `addresses` are its own: links to them lead nowhere else. */
export function datePlaces(document: HtmlDocument, facts: PageFacts, addresses: readonly string[]): DatePlaces {
  const shared = sharedWithTitle(facts);
  const own = new Set(addresses.map(pathOf));
  /** Holds what lies below the address of a page that is no section's is a part of it. */
  const under = [...own].filter((path) => path.split("/").length > 2).map((path) => `${path}/`);
  const base = addresses[0] ?? "";
  const cached = new Map<HtmlElement, DatePlace>();
  const days = new Map<HtmlElement, ReadonlySet<number>>();
  let marks: ReadonlyMap<HtmlElement, HtmlElement[]> | undefined;

  const of = (element: HtmlElement): DatePlace => {
    const before = cached.get(element);
    if (before !== undefined) return before;
    const place = placeOf(element, { shared, targetOf });
    cached.set(element, place);
    return place;
  };

  const daysOf = (mark: HtmlElement): ReadonlySet<number> => {
    const before = days.get(mark);
    if (before !== undefined) return before;
    const dates = findDates(oneLine(plainText(mark)));
    const shown = new Set(dates.flatMap(({ ms, otherwiseMs = ms }) => [dayOf(ms), dayOf(otherwiseMs)]));
    days.set(mark, shown);
    return shown;
  };

  const host = URL.parse(base)?.hostname;
  const targetOf: TargetOf = (href) => {
    const url = URL.parse(href.trim(), base);
    if (url === null || !/^https?:$/.test(url.protocol) || href.trim().startsWith("#")) return "here";
    const path = pathOf(url.href);
    if (own.has(path) || ARCHIVE.test(url.pathname) || under.some((page) => path.startsWith(page))) return "here";
    return url.hostname === host ? "site" : "web";
  };

  return {
    of,
    inBlock(block, ms) {
      const container = facts.containers[facts.blocks[block]?.container ?? -1];
      const element = container?.element;
      if (element == null) return "open";
      marks ??= marksByContainer(document, facts);
      const mark = marks.get(element)?.find((each) => daysOf(each).has(dayOf(ms)));
      return of(mark ?? element);
    },
  };
}

/** Archives of a day, and all that an author, a section or a tag has. */
const ARCHIVE =
  /\/(?:19|20)\d\d(?:\/\d\d?){0,2}\/?$|\/(?:authors?|writers?|tags?|category|categories|topics?|section|user|users|profile|people|staff|team|kuttab)\//i;

function dayOf(ms: number): number {
  return Math.floor(ms / 86_400_000);
}

function pathOf(address: string): string {
  const url = URL.parse(address);
  return url === null ? "" : `${url.hostname.replace(/^www\./, "")}${url.pathname.replace(/\/$/, "")}${url.search}`;
}

/** Returns the title's container and all around it: what holds the title says nothing of a date beside it. */
function sharedWithTitle(facts: PageFacts): ReadonlySet<HtmlNode> {
  const shared = new Set<HtmlNode>();
  const at = facts.titleAt >= 0 ? facts.titleAt : facts.headingAt;
  let node: HtmlNode | null = facts.containers[facts.blocks[at]?.container ?? -1]?.element ?? null;
  for (; node !== null; node = node.parentNode) shared.add(node);
  return shared;
}

/** Inline elements that mark dates, by the container that their text block belongs to. */
function marksByContainer(document: HtmlDocument, facts: PageFacts): Map<HtmlElement, HtmlElement[]> {
  const containers = new Set(facts.containers.flatMap(({ element }) => element ?? []));
  const marks = new Map<HtmlElement, HtmlElement[]>();
  for (const element of elementsOf(document)) {
    if (containers.has(element) || !(element.localName === "time" || element.localName === "a" || isMark(element)))
      continue;
    let node = element.parentNode;
    for (let i = 0; node !== null && !(isElement(node) && containers.has(node)); i++)
      node = i < 20 ? node.parentNode : null;
    if (node === null || !isElement(node)) continue;
    const list = marks.get(node);
    if (list === undefined) marks.set(node, [element]);
    else if (list.length < MAX_MARKS) list.push(element);
  }
  return marks;
}

const MAX_MARKS = 20;

/** Tells where a link leads: to this page or an archive of its, elsewhere on the site, or to another site. */
type TargetOf = (href: string) => "here" | "site" | "web";

interface Surroundings {
  readonly shared: ReadonlySet<HtmlNode>;
  readonly targetOf: TargetOf;
}

function placeOf(element: HtmlElement, { shared, targetOf }: Surroundings): DatePlace {
  let isOwn = false;
  let isAside = false;
  let isInCard = false;
  let isItem = false;
  let node: HtmlNode | null = element;
  for (let level = 0; node !== null && level < MAX_LEVELS && !shared.has(node); level++, node = node.parentNode) {
    if (!isElement(node) || node.localName === "body" || node.localName === "html") continue;
    if (OTHER_TAGS.has(node.localName)) return "other";
    const names = namesOf(node);
    if (names !== "" && OTHER_NAME.test(names) && !isMark(node)) return "other";
    if (node.localName === "a" && targetOf(node.getAttribute("href") ?? "") !== "here") isInCard = true;
    isAside ||= node.localName === "aside" || ASIDE.test(names);
    if (level >= BOX_LEVELS) continue;
    const { chars, leads } = glance(node, targetOf);
    isItem ||= node.localName === "li" && leads !== "nowhere";
    isOwn ||= chars < MARK_CHARS && isMark(node);
    isInCard ||= leads === "headline" || (leads === "link" && !isOwn);
  }
  if (isInCard) return "card";
  if (isAside) return isOwn && !isItem ? "open" : "other";
  return isOwn ? "own" : "open";
}

/** Classes and id in lower case, a comma between them, their words apart where case or a dash joins them. */
function namesOf(element: HtmlElement): string {
  const names = `${classOf(element)} ${element.getAttribute("id") ?? ""}`;
  if (names === " ") return "";
  return names
    .slice(0, 500)
    .trim()
    .replace(/\s+/g, ", ")
    .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, " ")
    .replace(/[-_:/]+/g, " ")
    .toLowerCase();
}

/** Returns true for an element that says of itself that it shows when the article was published. */
function isMark(element: HtmlElement): boolean {
  if (hasWord(element, "itemprop", "datePublished") || element.getAttribute("pubdate") !== null) return true;
  if (element.localName === "time") return !UPDATED_NAME.test(namesOf(element));
  const raw = classOf(element) || (element.getAttribute("id") ?? "");
  if (raw === "" || !MAYBE_OWN.test(`${raw} ${element.getAttribute("id") ?? ""}`)) return false;
  const names = namesOf(element);
  return PUBLISHED_NAME.test(names) && !UPDATED_NAME.test(names);
}

interface Glance {
  /** UTF-16 units of its text, infinite where it holds more than a small box does. */
  readonly chars: number;
  /** True when a headline, else a link of some words, else an item of a list leads elsewhere on the site. */
  readonly leads: "headline" | "link" | "item" | "nowhere";
}

/** Looks into an element, no further than a small box reaches. */
function glance(box: HtmlElement, targetOf: TargetOf): Glance {
  let chars = 0;
  let nodes = 0;
  let leads: Glance["leads"] = "nowhere";
  const walk = (
    parent: HtmlElement,
    around: string,
    link: { words: number; readonly isOfSite: boolean } | null,
  ): boolean => {
    for (let child = parent.firstChild; child !== null; child = child.nextSibling) {
      if (++nodes > BOX_NODES || chars > BOX_CHARS) return false;
      if (isText(child)) {
        const text = oneLine(child.textContent);
        chars += text.length;
        if (link === null) continue;
        link.words += wordsOf(text).length;
        if (around === "heading" && link.words >= HEADLINE_WORDS) leads = "headline";
        else if (link.words >= LINK_WORDS && leads !== "headline") leads = "link";
        else if (leads === "nowhere" && around === "item" && link.isOfSite && text !== "") leads = "item";
      } else if (isElement(child)) {
        const href = child.localName === "a" ? child.getAttribute("href") : null;
        const target = href === null ? "here" : targetOf(href);
        const inner = target === "here" ? link : { words: 0, isOfSite: target === "site" };
        const within = /^h[1-6]$/.test(child.localName) ? "heading" : child.localName === "li" ? "item" : around;
        if (!walk(child, within, inner)) return false;
      }
    }
    return true;
  };
  return walk(box, box.localName === "li" ? "item" : "", null)
    ? { chars, leads }
    : { chars: Number.POSITIVE_INFINITY, leads: "nowhere" };
}
