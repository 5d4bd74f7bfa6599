import { scriptText } from "../../text/mod.ts";
import { type HtmlElement, type HtmlNode, isElement, isText } from "./dom.ts";

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
