import { type HtmlNode, isElement, isText } from "./dom.ts";
import { scriptOf } from "./scripts.ts";

const SILENT = new Set(["script", "style", "noscript", "template", "svg"]);
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|em|font|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|u|var|wbr)$/;

/**
 * The text of an element as a reader sees it: words do not grow together across `<br>` or block
 * elements, nor a number and its exponent.
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
