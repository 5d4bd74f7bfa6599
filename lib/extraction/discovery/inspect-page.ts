import { ExtractError } from "../item.ts";
import { absoluteUrl, baseUrl, findNextPages, sameSite } from "../page/addresses.ts";
import {
  type HtmlDocument,
  type HtmlElement,
  isElement,
  linkOf,
  MAX_PAGE,
  oneLine,
  parsePage,
  plainText,
  select,
} from "../page/dom.ts";
import { firstMeta, readLinkedData, readMeta } from "../page/metadata.ts";

interface SelectorMatch {
  readonly selector: string;
  /** Elements. */
  readonly count: number;
  /** Characters of the text in the first fifty of them, those within one another counted once. */
  readonly chars: number;
  /** The text of the first, or what its attributes say where it has none; at most 200 characters. */
  readonly first: string;
}

const MAX_READ = 50;
const MAX_FIRST = 200;
const SPEAKING = ["datetime", "content", "src", "href", "alt"];

/** Tries selectors on a page. Throws ExtractError `bad-selector`. */
function matchSelectors(document: HtmlDocument, selectors: readonly string[]): SelectorMatch[] {
  return selectors.map((selector) => {
    const elements = [...select(document, selector)];
    const read = new Set(elements.slice(0, MAX_READ));
    const outermost = [...read].filter((element) => !isWithin(element, read));
    const chars = outermost.reduce((sum, element) => sum + textOf(element).length, 0);
    const [first] = elements;
    return { selector, count: elements.length, chars, first: first === undefined ? "" : wordsOf(first) };
  });
}

function isWithin(element: HtmlElement, others: ReadonlySet<unknown>): boolean {
  for (let at = element.parentNode; at !== null; at = at.parentNode) if (others.has(at)) return true;
  return false;
}

function textOf(element: HtmlElement): string {
  return plainText(element).replace(/\s+/g, " ").trim();
}

function wordsOf(element: HtmlElement): string {
  const attribute = SPEAKING.map((name) => element.getAttribute(name)?.trim() ?? "").find((value) => value !== "");
  return (oneLine(textOf(element)) || oneLine(attribute)).slice(0, MAX_FIRST);
}

/** Shorter ones say nothing. */
const MIN_CHARS = 15;
/** One that is so long holds a text by itself, between line breaks. */
const MIN_WHOLE = 200;
/** More of it in links, and it leads elsewhere. */
const MAX_LINKED = 0.5;
const MAX_ELEMENTS = 5000;
const BLOCKS = "p, li, td, dd, div, section, article, blockquote";
const MAX_ANCESTORS = 30;
const MAX_CONTAINERS = 3;
/** Levels above the element itself that may stand for it. */
const LEVELS = 3;
const ASIDE = /^(?:nav|footer|aside|form|header|figure)$/;
const ASIDE_NAME = /comment|related|sidebar|footer|menu|promo|newsletter|share/i;
/** A name that says what is in it comes before others. */
const TELLING = /article|story|post|entry|content|body|text|detail|news/i;

/**
 * CSS selectors of the elements whose blocks hold most of a page's running text, and of those around them that have a
 * name, the most text first. Only names that look as if somebody had chosen them are used, none that a tool made up.
 */
function textContainers(document: HtmlDocument): string[] {
  const weights = new Map<HtmlElement, number>();
  const weigh = (element: HtmlElement["parentNode"], chars: number) => {
    if (element !== null && isElement(element)) weights.set(element, (weights.get(element) ?? 0) + chars);
  };
  let seen = 0;
  for (const block of document.querySelectorAll(BLOCKS)) {
    if (++seen > MAX_ELEMENTS) break;
    if (block.querySelector(BLOCKS) !== null) continue;
    const chars = lengthOf(block);
    const linked = [...block.querySelectorAll("a")].reduce((sum, link) => sum + lengthOf(link), 0);
    if (chars < MIN_CHARS || linked > chars * MAX_LINKED || isAside(block)) continue;
    if (chars >= MIN_WHOLE && block.localName !== "p") weigh(block, chars);
    else weigh(block.parentNode, chars);
    weigh(block.parentNode?.parentNode ?? null, chars / 2);
  }
  const heaviest = [...weights].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_CONTAINERS);
  return [...new Set(heaviest.flatMap(([element]) => selectorsFor(element)))];
}

function lengthOf(element: HtmlElement): number {
  return plainText(element).replace(/\s+/g, " ").trim().length;
}

function isAside(element: HtmlElement): boolean {
  let at: HtmlElement["parentNode"] = element;
  for (let steps = 0; at !== null && steps < MAX_ANCESTORS; steps++, at = at.parentNode) {
    if (!isElement(at) || at.localName === "body") continue;
    const name = `${at.getAttribute("class") ?? ""} ${at.getAttribute("id") ?? ""}`;
    if (ASIDE.test(at.localName) || ASIDE_NAME.test(name)) return true;
  }
  return false;
}

/** Selectors by which an element, or one of the nearest around it, goes by name. */
function selectorsFor(element: HtmlElement): string[] {
  const selectors: string[] = [];
  let at: HtmlElement["parentNode"] = element;
  for (let level = 0; at !== null && level <= LEVELS; level++, at = at.parentNode) {
    if (isElement(at) && !/^(?:html|body)$/.test(at.localName)) selectors.push(...namesOf(at));
  }
  return selectors;
}

function namesOf(element: HtmlElement): string[] {
  if (element.getAttribute("itemprop") === "articleBody") return ['[itemprop="articleBody"]'];
  const id = element.getAttribute("id") ?? "";
  const classes = (element.getAttribute("class") ?? "").split(/\s+/).filter(isChosen);
  const telling = classes.filter((name) => TELLING.test(name));
  const names = (telling.length > 0 ? telling : classes).slice(0, 2).map((name) => `.${name}`);
  if (isChosen(id)) names.unshift(`#${id}`);
  return names.length > 0 || element.localName !== "article" ? names : ["article"];
}

/** Names of tools hold digits, or capitals in the midst of a word. */
function isChosen(name: string): boolean {
  return (
    /^[a-z][a-z_-]{2,40}$/i.test(name) &&
    !/[a-z][A-Z].*[a-z][A-Z].*[a-z][A-Z]/.test(name) &&
    !/^(?:css|jsx|sc)-/.test(name)
  );
}

/** A page to look into, for who writes a profile. */
export interface InspectInput {
  readonly html: string;
  /** The address that it came from; empty for none. */
  readonly url: string;
  /** CSS selectors to try on it. */
  readonly selectors?: readonly string[];
}

/** Holds what a page says of its site, and what is on it. Texts are on one line, empty for none. */
export interface PageInspection {
  readonly siteName: string;
  readonly title: string;
  /** As the page declares it: `ar`, `en-GB`, `ar_EG`. */
  readonly language: string;
  readonly locale: string;
  /** Addresses of feeds that it names, and their titles there; declared ones first. */
  readonly feeds: readonly NamedAddress[];
  /** Selectors of the elements that hold most of its running text, the likeliest first. */
  readonly containers: readonly string[];
  /** One for each of the selectors, in their order. */
  readonly matches: readonly SelectorMatch[];
}

/** An address and what it is called. */
export interface NamedAddress {
  readonly url: string;
  readonly title: string;
}

const MAX_FEEDS = 30;
const FEED_TYPE = /^application\/(?:rss|atom|rdf|feed)\+(?:xml|json)$|^application\/json$|^(?:text|application)\/xml$/i;
const FEED_ADDRESS = /(?:^|[/._=-])(?:rss|atom|feeds?)(?:$|[/._?=-]|\d)/i;

/**
 * Looks into a page: its site's name, language and feeds, where its text is, and what selectors match on it. Throws
 * ExtractError `too-large` or `bad-selector`. Runs as long as the page makes it: use a ReaderPool for pages from
 * outside.
 */
export function inspectPage({ html, url, selectors = [] }: InspectInput): PageInspection {
  if (html.length > MAX_PAGE) throw new ExtractError("too-large", `the page is longer than ${MAX_PAGE} characters`);
  const document = parsePage(html);
  const meta = readMeta(document);
  const publisher = readLinkedData(document)?.publisher ?? "";
  const title = document.querySelector("title");
  return {
    siteName: oneLine(firstMeta(meta, ["og:site_name", "application-name", "apple-mobile-web-app-title"]) || publisher),
    title: title === null ? "" : oneLine(plainText(title)),
    language: document.documentElement?.getAttribute("lang")?.trim() ?? "",
    locale: firstMeta(meta, ["og:locale", "content-language"]),
    feeds: feedsOf(document, url),
    containers: textContainers(document),
    matches: matchSelectors(document, selectors),
  };
}

function feedsOf(document: HtmlDocument, url: string): NamedAddress[] {
  const base = baseUrl(document, url);
  const feeds = new Map<string, string>();
  const add = (href: string | null, title: string) => {
    const address = absoluteUrl(href, base)?.replace(/#.*$/s, "");
    if (address !== undefined && !feeds.has(address) && feeds.size < MAX_FEEDS) feeds.set(address, title);
  };
  for (const link of document.querySelectorAll('link[rel~="alternate"][href]')) {
    if (FEED_TYPE.test(link.getAttribute("type")?.trim() ?? "")) {
      add(link.getAttribute("href"), oneLine(link.getAttribute("title")));
    }
  }
  for (const link of document.querySelectorAll("a[href]")) {
    const href = link.getAttribute("href") ?? "";
    const path = URL.parse(href, base)?.pathname ?? "";
    if (FEED_ADDRESS.test(path)) add(href, oneLine(plainText(link)));
  }
  return Array.from(feeds, ([address, title]) => ({ url: address, title }));
}

/** A page whose links lead to articles. */
export interface ListPageInput {
  readonly html: string;
  /** The address that it came from. */
  readonly url: string;
  /** CSS selector of the links, or of elements that each hold a link or stand in one. */
  readonly selector: string;
  /** CSS selector of the link to the next page of the list. Default: `rel=next`. */
  readonly next?: string;
  /** Takes links to other sites too. Default false. */
  readonly anySite?: boolean;
}

/** Holds what a list page leads to. */
export interface ListPage {
  readonly links: readonly ListedLink[];
  /** The next page of the list, on the same site; null for none. */
  readonly next: string | null;
}

/** A link of a list page. */
export interface ListedLink {
  /** Absolute, without a fragment. */
  readonly url: string;
  /** The longest text of the links to it, on one line; empty for one around an image. */
  readonly text: string;
}

const MAX_LINKS = 1000;

/**
 * Reads the links of a list page in the order of the page, each address once and never the page's own, and where the
 * list goes on. Throws ExtractError `too-large` or `bad-selector`. Runs as long as the page makes it: use a ReaderPool
 * for pages from outside.
 */
export function readListPage({ html, url, selector, next, anySite = false }: ListPageInput): ListPage {
  if (html.length > MAX_PAGE) throw new ExtractError("too-large", `the page is longer than ${MAX_PAGE} characters`);
  const document = parsePage(html);
  const base = baseUrl(document, url);
  const own = absoluteUrl(url, url)?.replace(/#.*$/s, "");
  const texts = new Map<string, string>();
  for (const element of select(document, selector)) {
    const link = linkOf(element);
    const address = absoluteUrl(link?.getAttribute("href"), base)?.replace(/#.*$/s, "");
    if (link === null || address === undefined || address === own) continue;
    if (!anySite && !sameSite(address, url)) continue;
    const earlier = texts.get(address);
    if (earlier === undefined && texts.size >= MAX_LINKS) break;
    const text = oneLine(plainText(link)) || oneLine(link.getAttribute("title"));
    texts.set(address, earlier !== undefined && earlier.length >= text.length ? earlier : text);
  }
  return {
    links: Array.from(texts, ([address, text]) => ({ url: address, text })),
    next: findNextPages(document, url, next)[0] ?? null,
  };
}
