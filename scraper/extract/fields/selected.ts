import { cutBlocks } from "../body/blocks.ts";
import { joinBlocks } from "../body/body.ts";
import { ExtractError, type PageSelectors } from "../item.ts";
import type { HtmlDocument, HtmlElement } from "../page/dom.ts";
import { plainText } from "../page/plain.ts";
import { oneLine } from "../page/words.ts";

/** What a profile's selectors found; empty where they match nothing. */
export interface SelectedParts {
  readonly title: string;
  readonly content: string;
  readonly published: string;
  readonly authors: readonly string[];
  readonly image: string;
}

/**
 * Applies a profile's selectors: takes the elements to remove out of the document, then reads the others.
 * Throws ExtractError `bad-selector` for one that is not CSS.
 */
export function selectParts(document: HtmlDocument, selectors: PageSelectors): SelectedParts {
  for (const selector of selectors.remove ?? []) for (const element of all(document, selector)) element.remove();
  const content = all(document, selectors.content).map((element) => {
    const tree = cutBlocks({ childNodes: [element] });
    return joinBlocks(tree.blocks, tree);
  });
  return {
    title: textOf(all(document, selectors.title)[0]),
    content: content.filter((text) => text !== "").join("\n\n"),
    published: attributeOrText(all(document, selectors.published_at)[0], ["datetime", "content"]),
    authors: all(document, selectors.author)
      .map(textOf)
      .filter((name) => name !== ""),
    image: attributeOrText(all(document, selectors.image)[0], ["src", "data-src", "content", "href"]),
  };
}

function all(document: HtmlDocument, selector: string | undefined): HtmlElement[] {
  if (selector === undefined || selector.trim() === "") return [];
  try {
    const found: HtmlElement[] = [];
    for (const element of document.querySelectorAll(selector)) {
      // An element inside another match would be read twice; it comes after it in the order of the document.
      const last = found.at(-1);
      if (last === undefined || !contains(last, element)) found.push(element);
    }
    return found;
  } catch (cause) {
    throw new ExtractError("bad-selector", `not a CSS selector: ${selector}`, { cause });
  }
}

function contains(outer: HtmlElement, inner: HtmlElement): boolean {
  for (let node = inner.parentNode; node !== null; node = node.parentNode) if (node === outer) return true;
  return false;
}

function textOf(element: HtmlElement | undefined): string {
  return element === undefined ? "" : oneLine(element.getAttribute("content") ?? plainText(element));
}

function attributeOrText(element: HtmlElement | undefined, names: readonly string[]): string {
  for (const name of names) {
    const value = element?.getAttribute(name)?.trim();
    if (value !== undefined && value !== "") return value;
  }
  return textOf(element);
}
