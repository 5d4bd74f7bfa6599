import { parseHTML } from "linkedom";
import { scriptText, withoutInvisible, withoutMarks } from "../../text/mod.ts";
import { ExtractError } from "../item.ts";

const STRAY_BRACKET = /<(?![a-z/!?])/gi;
const STRAY_BRACKETS_KEPT = 1000;
const LONG_TAG = /<([a-z][a-z0-9]*)\s[^<>]{20000,}>/gi;
const ATTRIBUTES_KEPT = 500;

/**
 * Takes out of a page what makes the parser quadratic: stray `<` by the thousand become spaces, and a tag with more
 * than 500 attributes loses all of them. Other pages come back unchanged.
 */
export function defuse(html: string): string {
  let out = html;
  if ((out.match(STRAY_BRACKET)?.length ?? 0) > STRAY_BRACKETS_KEPT) out = out.replace(STRAY_BRACKET, " ");
  return out.replace(LONG_TAG, (tag, name: string) =>
    (tag.match(/\s[^\s=]+/g)?.length ?? 0) > ATTRIBUTES_KEPT ? `<${name}>` : tag,
  );
}

/** The part of a DOM node that extraction reads. */
export interface HtmlNode {
  readonly nodeType: number;
  readonly parentNode: HtmlNode | null;
  readonly firstChild: HtmlNode | null;
  readonly nextSibling: HtmlNode | null;
  readonly textContent: string | null;
}

/** The part of a DOM element that extraction reads. */
export interface HtmlElement extends HtmlNode {
  readonly localName: string;
  readonly firstElementChild: HtmlElement | null;
  readonly previousElementSibling: HtmlElement | null;
  getAttribute(name: string): string | null;
  getAttributeNode(name: string): { readonly value: string } | null;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
  remove(): void;
}

/** A parsed page. `documentElement` is null for a page without one element. */
export interface HtmlDocument {
  readonly childNodes: Iterable<HtmlNode>;
  readonly documentElement: HtmlElement | null;
  querySelector(selector: string): HtmlElement | null;
  querySelectorAll(selector: string): Iterable<HtmlElement>;
}

const ELEMENT_NODE = 1;
const TEXT_NODE = 3;

/** Returns true for an element node. */
export function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === ELEMENT_NODE;
}

/** Returns the class names of an element; `getAttribute("class")` makes a list of them at each call. */
export function classOf(element: Pick<HtmlElement, "getAttributeNode">): string {
  return element.getAttributeNode("class")?.value ?? "";
}

/** Returns true for a text node. */
export function isText(node: HtmlNode): boolean {
  return node.nodeType === TEXT_NODE;
}

/** Parses a page into a DOM. A fragment without `<html>` gets one, so that nothing of it is lost. */
export function parsePage(html: string): HtmlDocument {
  const safe = defuse(html);
  const whole = /<(?:html|body)[\s>]/i.test(safe) ? safe : `<html><body>${safe}</body></html>`;
  // linkedom's own types lean on those of a browser, which not every runtime has.
  const window: unknown = parseHTML(whole);
  return (window as { readonly document: HtmlDocument }).document;
}

interface Elements {
  readonly all: HtmlElement[];
  readonly byTag: Map<string, HtmlElement[]>;
}

const walked = new WeakMap<HtmlDocument, Elements>();

/**
 * Returns the elements of a page in its order, those of templates left out. The page is walked once: what is changed in
 * it later does not show.
 */
export function elementsOf(document: HtmlDocument): readonly HtmlElement[] {
  return walk(document).all;
}

/** Returns those with one tag. */
export function taggedIn(document: HtmlDocument, tag: string): readonly HtmlElement[] {
  return walk(document).byTag.get(tag) ?? [];
}

/** Returns true when an attribute has this among its words, as `[name~="word"]` of CSS. */
export function hasWord(element: HtmlElement, attribute: string, word: string): boolean {
  const value = element.getAttribute(attribute);
  return value !== null && (value === word || value.split(/\s+/).includes(word));
}

function walk(document: HtmlDocument): Elements {
  const before = walked.get(document);
  if (before !== undefined) return before;
  const elements: Elements = { all: [], byTag: new Map() };
  for (const root of document.childNodes) walkUnder(root, elements);
  walked.set(document, elements);
  return elements;
}

function walkUnder(root: HtmlNode, { all, byTag }: Elements): void {
  let node = root;
  for (;;) {
    let next: HtmlNode | null = null;
    if (isElement(node)) {
      const tag = node.localName;
      const list = byTag.get(tag);
      if (list === undefined) byTag.set(tag, [node]);
      else list.push(node);
      all.push(node);
      if (tag !== "template") next = node.firstChild;
    }
    while (next === null) {
      if (node === root) return;
      next = node.nextSibling;
      if (next === null) {
        const parent = node.parentNode;
        if (parent === null) return;
        node = parent;
      }
    }
    node = next;
  }
}

/**
 * Yields the elements under one in their order, without those that are in `seen` and what is under them, and adds each
 * to it.
 */
export function* elementsUnder(root: HtmlElement, seen: Set<HtmlNode>): Iterable<HtmlElement> {
  let node: HtmlNode | null = root.firstChild;
  while (node !== null) {
    let inner: HtmlNode | null = null;
    if (isElement(node) && !seen.has(node)) {
      seen.add(node);
      yield node;
      inner = node.firstChild;
    }
    node = inner ?? following(node, root);
  }
}

/** Returns the node under `root` that follows one and all under it, null for the last. */
function following(node: HtmlNode, root: HtmlNode): HtmlNode | null {
  for (let at: HtmlNode | null = node; at !== null && at !== root; at = at.parentNode) {
    if (at.nextSibling !== null) return at.nextSibling;
  }
  return null;
}

const UNSEEN_STYLE = /(?:^|[;\s])(?:display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse))/i;
/**
 * Holds what themes call text for screen readers, which repeats or explains what is seen, and what opens over the text
 * while the pointer rests on a word.
 */
const UNSEEN_CLASS =
  /(?:^|\s)(?:sr-only|screen-?reader(?:-text|-only)?|visually-?hidden|vh|assistive-text|u-hidden-visually|element-invisible|tool-?tip-?(?:text|content|inner|body)|popover(?:-(?:content|body|inner))?|hover-?card(?:-(?:content|body|inner))?|rollover(?:-\w+)*-block)(?:\s|$)/;

/**
 * Returns true for an element that says of itself that readers do not see it: `hidden`, `aria-hidden`, its own style,
 * or its class; false for a panel that readers open by a control before it.
 */
export function isHidden(element: HtmlElement): boolean {
  return saysHidden(element) && !isPanel(element);
}

function saysHidden(element: HtmlElement): boolean {
  const style = element.getAttribute("style");
  if (style !== null && UNSEEN_STYLE.test(style)) return true;
  if (element.getAttribute("hidden") !== null || element.getAttribute("aria-hidden") === "true") return true;
  const names = classOf(element);
  return names !== "" && UNSEEN_CLASS.test(names);
}

/** A button, or one in a heading in a box. */
const CONTROL_DEPTH = 3;

/** The disclosure pattern of WAI-ARIA: a control with `aria-expanded`, then what it shows and hides. */
function isPanel(element: HtmlElement): boolean {
  let control = element.previousElementSibling;
  for (let depth = 0; control !== null && depth < CONTROL_DEPTH; depth++) {
    if (control.getAttribute("aria-expanded") !== null) return true;
    control = control.firstElementChild;
  }
  return false;
}

const MAX_ANCESTORS = 20;

/** Returns the element itself when it links, else the first link in it, else the link around it; null for none. */
export function linkOf(element: HtmlElement): HtmlElement | null {
  if (element.getAttribute("href") !== null) return element;
  const inner = element.querySelector("a[href]");
  if (inner !== null) return inner;
  let at = element.parentNode;
  for (let steps = 0; at !== null && steps < MAX_ANCESTORS; steps++, at = at.parentNode) {
    if (isElement(at) && at.localName === "a" && at.getAttribute("href") !== null) return at;
  }
  return null;
}

/**
 * Returns the elements that a selector of a profile matches, in the order of the page. Throws ExtractError
 * `bad-selector`.
 */
export function select(document: HtmlDocument, selector: string): Iterable<HtmlElement> {
  try {
    return document.querySelectorAll(selector);
  } catch (cause) {
    throw new ExtractError("bad-selector", `not a CSS selector: ${selector}`, { cause });
  }
}

const MAX_INNER = 40;
/** A number and its link have fewer nodes; such elements may be nested by the thousand. */
const MAX_NODES = 40;

/**
 * Returns the text of a `<sup>` or `<sub>` that holds a number, as `scriptText` writes it behind the last characters
 * before it; a link to a footnote is `[3]`. Undefined for another element.
 */
export function scriptOf(element: HtmlElement, before: string): string | undefined {
  const { localName } = element;
  if (localName !== "sup" && localName !== "sub") return undefined;
  const inner = innerOf(element);
  const text = scriptText(localName, inner.text, before);
  return text !== undefined && inner.hasLink ? `[${inner.text.trim()}]` : text;
}

function innerOf(element: HtmlElement): { readonly text: string; readonly hasLink: boolean } {
  let text = "";
  let hasLink = false;
  let nodes = 0;
  const walk = (node: HtmlNode): boolean => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (++nodes > MAX_NODES) return false;
      if (isText(child)) text += (child.textContent ?? "").slice(0, MAX_INNER);
      else if (isElement(child)) {
        hasLink ||= child.localName === "a";
        if (!walk(child)) return false;
      }
    }
    return true;
  };
  return walk(element) ? { text: text.slice(0, MAX_INNER), hasLink } : { text: "", hasLink };
}

const SILENT = new Set(["script", "style", "noscript", "template", "svg"]);
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|em|font|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|u|var|wbr)$/;

/**
 * Returns the text of an element as a reader sees it: words do not grow together across `<br>` or block elements, nor a
 * number and its exponent.
 */
export function plainText(root: HtmlNode): string {
  let out = "";
  // The last characters of `out`: reading them off a text that grows would copy it each time.
  let tail = "";
  const add = (text: string) => {
    out += text;
    tail = (tail + text.slice(-2)).slice(-2);
  };
  let node: HtmlNode = root;
  for (;;) {
    let child: HtmlNode | null = null;
    if (isText(node)) add(node.textContent ?? "");
    else if (isElement(node) && !SILENT.has(node.localName)) {
      if (!INLINE.test(node.localName)) add(" ");
      const script = scriptOf(node, tail);
      if (script === undefined) child = node.firstChild;
      else add(script);
    }
    while (child === null) {
      if (node === root) return out;
      child = node.nextSibling;
      if (child === null) {
        const parent = node.parentNode;
        if (parent === null) return out;
        node = parent;
        if (isElement(node) && !INLINE.test(node.localName)) add(" ");
      }
    }
    node = child;
  }
}

/** Returns the words of a text, lower case: runs of letters, marks, digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Dice coefficient of two word sets, 0 to 1; 0 when one is empty. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / (a.size + b.size);
}

const MAX_LINE = 2000;

/**
 * Returns the first 2,000 characters of a text with white space folded; control and direction characters gone, and
 * those that nobody sees.
 */
export function oneLine(text: string | null | undefined): string {
  return withoutInvisible(withoutMarks((text ?? "").slice(0, MAX_LINE)))
    .replace(/\s+/g, " ")
    .trim();
}

const SAMPLE = 100_000;
/** Of 1,093 real pages the worst has 0.3 % such characters; random bytes, images and archives have 8 % and more. */
const MAX_BINARY_SHARE = 0.02;
const NO_TEXT = /(?![\s\u0085])\p{Cc}|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;

/**
 * Returns false for what was bytes and no text: control characters, or ones that nobody has assigned, by the hundred.
 */
export function isTextual(html: string): boolean {
  const sample = html.slice(0, SAMPLE);
  return (sample.match(NO_TEXT)?.length ?? 0) <= sample.length * MAX_BINARY_SHARE;
}

/** The largest page that is read, in UTF-16 units. */
export const MAX_PAGE = 8_000_000;
