import { type HtmlDocument, type HtmlElement, isElement, isText } from "../extract/page/dom.ts";
import { plainText } from "../extract/page/plain.ts";

/** Shorter ones are captions and links. */
const MIN_PARAGRAPH = 40;
/** Of text between line breaks. */
const MIN_BARE = 200;
const MAX_ELEMENTS = 5000;
const MAX_ANCESTORS = 30;
const MAX_CONTAINERS = 3;
/** Levels above the element itself that may stand for it. */
const LEVELS = 3;
const ASIDE = /^(?:nav|footer|aside|form|header|figure)$/;
const ASIDE_NAME = /comment|related|sidebar|footer|menu|promo|newsletter|share/i;
/** A name that says what is in it comes before others. */
const TELLING = /article|story|post|entry|content|body|text|detail|news/i;

/**
 * CSS selectors of the elements whose paragraphs hold most of a page's running text, and of those around them that have a name,
 * the most text first. Only names that look as if somebody had chosen them are used, none that a tool made up.
 */
export function textContainers(document: HtmlDocument): string[] {
  const weights = new Map<HtmlElement, number>();
  let seen = 0;
  for (const element of document.querySelectorAll("p, div, section, td, article")) {
    if (++seen > MAX_ELEMENTS) break;
    const isParagraph = element.localName === "p";
    const holder = isParagraph ? element.parentNode : element;
    const chars = isParagraph ? lengthOf(plainText(element)) : bareLength(element);
    if (chars < (isParagraph ? MIN_PARAGRAPH : MIN_BARE) || holder === null || !isElement(holder)) continue;
    if (!isAside(element)) weights.set(holder, (weights.get(holder) ?? 0) + chars);
  }
  const heaviest = [...weights].toSorted((a, b) => b[1] - a[1]).slice(0, MAX_CONTAINERS);
  return [...new Set(heaviest.flatMap(([element]) => selectorsFor(element)))];
}

function lengthOf(text: string): number {
  return text.replace(/\s+/g, " ").trim().length;
}

function bareLength(element: HtmlElement): number {
  let chars = 0;
  for (let child = element.firstChild; child !== null; child = child.nextSibling) {
    if (isText(child)) chars += lengthOf(child.textContent ?? "");
  }
  return chars;
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
