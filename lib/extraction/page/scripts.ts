import { scriptText } from "../../text/mod.ts";
import type { HtmlElement } from "./dom.ts";

const MAX_INNER = 40;

/**
 * The text of a `<sup>` or `<sub>` that holds a number, as `scriptText` writes it; a link to a footnote is `[3]`.
 * Undefined for another element.
 */
export function scriptOf(element: HtmlElement, before: string): string | undefined {
  const { localName } = element;
  if (localName !== "sup" && localName !== "sub") return undefined;
  const inner = (element.textContent ?? "").slice(0, MAX_INNER);
  const text = scriptText(localName, inner, before);
  return text !== undefined && element.querySelector("a") !== null ? `[${inner.trim()}]` : text;
}
