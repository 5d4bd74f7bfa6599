import { type HtmlElement, isElement } from "./dom.ts";

const MAX_ANCESTORS = 20;

/** The element itself when it links, else the first link in it, else the link around it; null for none. */
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
