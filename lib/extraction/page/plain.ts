import { type HtmlNode, isElement, isText } from "./dom.ts";

const SILENT = new Set(["script", "style", "noscript", "template", "svg"]);
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|em|font|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|u|var|wbr)$/;

/** The text of an element as a reader sees it: words do not grow together across `<br>` or block elements. */
export function plainText(root: HtmlNode): string {
  let out = "";
  let node: HtmlNode = root;
  for (;;) {
    let child: HtmlNode | null = null;
    if (isText(node)) out += node.textContent ?? "";
    else if (isElement(node) && !SILENT.has(node.localName)) {
      if (!INLINE.test(node.localName)) out += " ";
      child = node.firstChild;
    }
    while (child === null) {
      if (node === root) return out;
      child = node.nextSibling;
      if (child === null) {
        const parent = node.parentNode;
        if (parent === null) return out;
        node = parent;
        if (isElement(node) && !INLINE.test(node.localName)) out += " ";
      }
    }
    node = child;
  }
}
