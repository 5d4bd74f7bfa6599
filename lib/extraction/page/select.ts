import { ExtractError } from "../item.ts";
import type { HtmlDocument, HtmlElement } from "./dom.ts";

/** The elements that a selector of a profile matches, in the order of the page. Throws ExtractError `bad-selector`. */
export function select(document: HtmlDocument, selector: string): Iterable<HtmlElement> {
  try {
    return document.querySelectorAll(selector);
  } catch (cause) {
    throw new ExtractError("bad-selector", `not a CSS selector: ${selector}`, { cause });
  }
}
