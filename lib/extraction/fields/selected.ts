import { cutBlocks } from "../body/blocks.ts";
import { joinBlocks } from "../body/body.ts";
import { withoutRepeats } from "../body/repeats.ts";
import type { MatchedSelectors, PageSelectors, SelectorName } from "../item.ts";
import { type HtmlDocument, type HtmlElement, oneLine, plainText, select } from "../page/dom.ts";
import { statedTitle } from "../page/metadata.ts";
import { headingText } from "./title.ts";
import { imageAddress } from "./image.ts";

/** Holds what a profile's selectors found; empty where they match nothing. */
export interface SelectedParts {
  readonly title: string;
  readonly content: string;
  readonly published: string;
  readonly authors: readonly string[];
  readonly image: string;
  /** Says which of the selectors found something. */
  readonly selectors: MatchedSelectors;
}

/**
 * Applies a profile's selectors: takes the elements to remove out of the document, then reads the others.
 * Addresses are relative to `base`. Throws ExtractError `bad-selector` for one that is not CSS.
 */
export function selectParts(document: HtmlDocument, selectors: PageSelectors, base = ""): SelectedParts {
  for (const selector of selectors.remove ?? []) for (const element of all(document, selector)) element.remove();
  const content = all(document, selectors.content).map((element) => {
    const tree = cutBlocks({ childNodes: [element] });
    return joinBlocks(withoutRepeats(tree.blocks, tree), tree);
  });
  const parts = {
    title: titleOf(all(document, selectors.title)[0], document),
    content: content.filter((text) => text !== "").join("\n\n"),
    published: attributeOrText(all(document, selectors.published_at)[0], ["datetime", "content"]),
    authors: all(document, selectors.author)
      .map(textOf)
      .filter((name) => name !== ""),
    image: imageOf(all(document, selectors.image)[0], base),
  };
  return { ...parts, selectors: matchedOf(selectors, parts) };
}

/** Returns a selector whose element has no text is of no more use than one without an element. */
function matchedOf(selectors: PageSelectors, parts: Omit<SelectedParts, "selectors">): MatchedSelectors {
  const results: [SelectorName, string | undefined][] = [
    ["title", parts.title],
    ["content", parts.content],
    ["published_at", parts.published],
    ["author", parts.authors[0]],
    ["image", parts.image],
  ];
  const names = results.filter(([name]) => selectors[name]?.trim());
  return {
    matched: names.flatMap(([name, result]) => (result ? [name] : [])),
    unmatched: names.flatMap(([name, result]) => (result ? [] : [name])),
  };
}

/**
 * Of the selectors for several designs of a source's pages, those of the page's own: the first whose text is there, or,
 * for those that name no text, the first any of whose parts is. Null when none fits. Throws ExtractError
 * `bad-selector`.
 */
export function fittingSelectors(document: HtmlDocument, versions: readonly PageSelectors[]): PageSelectors | null {
  const matches = (selector: string | undefined) => all(document, selector).length > 0;
  const fits = ({ title, content, published_at, author }: PageSelectors) =>
    content === undefined ? [title, published_at, author].some(matches) : matches(content);
  return versions.find(fits) ?? null;
}

function all(document: HtmlDocument, selector: string | undefined): HtmlElement[] {
  if (selector === undefined || selector.trim() === "") return [];
  const outermost: HtmlElement[] = [];
  for (const element of select(document, selector)) {
    // An element inside another match would be read twice; it comes after it in the order of the document.
    const last = outermost.at(-1);
    if (last === undefined || !contains(last, element)) outermost.push(element);
  }
  return outermost;
}

function contains(outer: HtmlElement, inner: HtmlElement): boolean {
  for (let node = inner.parentNode; node !== null; node = node.parentNode) if (node === outer) return true;
  return false;
}

function titleOf(element: HtmlElement | undefined, document: HtmlDocument): string {
  return element === undefined
    ? ""
    : oneLine(element.getAttribute("content") ?? headingText(element, [statedTitle(document)]));
}

function textOf(element: HtmlElement | undefined): string {
  return element === undefined ? "" : oneLine(element.getAttribute("content") ?? plainText(element));
}

function imageOf(element: HtmlElement | undefined, base: string): string {
  const image = element?.localName === "img" ? element : element?.querySelector("img");
  const loaded = image ? imageAddress(image, base) : null;
  return loaded ?? attributeOrText(element, ["src", "data-src", "content", "href"]);
}

function attributeOrText(element: HtmlElement | undefined, names: readonly string[]): string {
  for (const name of names) {
    const value = element?.getAttribute(name)?.trim();
    if (value !== undefined && value !== "") return value;
  }
  return textOf(element);
}
