import type { HtmlDocument, HtmlElement } from "../page/dom.ts";
import { plainText } from "../page/plain.ts";
import { select } from "../page/select.ts";
import { oneLine } from "../page/words.ts";

/** What a selector matches on a page. */
export interface SelectorMatch {
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
export function matchSelectors(document: HtmlDocument, selectors: readonly string[]): SelectorMatch[] {
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
