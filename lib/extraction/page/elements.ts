import { type HtmlDocument, type HtmlElement, type HtmlNode, isElement } from "./dom.ts";

interface Elements {
  readonly all: HtmlElement[];
  readonly byTag: Map<string, HtmlElement[]>;
}

const walked = new WeakMap<HtmlDocument, Elements>();

/**
 * The elements of a page in its order, those of templates left out. The page is walked once: what is changed in it
 * later does not show.
 */
export function elementsOf(document: HtmlDocument): readonly HtmlElement[] {
  return walk(document).all;
}

/** Those with one tag. */
export function taggedIn(document: HtmlDocument, tag: string): readonly HtmlElement[] {
  return walk(document).byTag.get(tag) ?? [];
}

/** True when an attribute has this among its words, as `[name~="word"]` of CSS. */
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
