import { parseHTML } from "linkedom";
import { defuse } from "./defuse.ts";

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

/** True for an element node. */
export function isElement(node: HtmlNode): node is HtmlElement {
  return node.nodeType === ELEMENT_NODE;
}

/** The class names of an element; `getAttribute("class")` makes a list of them at each call. */
export function classOf(element: Pick<HtmlElement, "getAttributeNode">): string {
  return element.getAttributeNode("class")?.value ?? "";
}

/** True for a text node. */
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
