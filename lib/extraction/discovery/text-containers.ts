import { type HtmlDocument, type HtmlElement, isElement } from "../page/dom.ts";
import { plainText } from "../page/plain.ts";

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
export function textContainers(document: HtmlDocument): string[] {
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
