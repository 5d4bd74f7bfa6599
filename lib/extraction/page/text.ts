import { scriptText, withoutInvisible, withoutMarks } from "../../text/mod.ts";
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

const SILENT = new Set(["script", "style", "noscript", "template", "svg"]);
const INLINE =
  /^(?:a|abbr|b|bdi|bdo|cite|code|data|em|font|i|ins|kbd|label|mark|q|s|small|span|strong|sub|sup|time|u|var|wbr)$/;

/**
 * Returns the text of an element as a reader sees it: words do not grow together across `<br>` or block elements, nor a
 * number and its exponent.
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

/** Returns the words of a text, lower case: runs of letters, marks, digits. */
export function wordsOf(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
}

/** Dice coefficient of two word sets, 0 to 1; 0 when one is empty. */
export function overlap(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  if (a.size === 0 || b.size === 0) return 0;
  let shared = 0;
  for (const word of a) if (b.has(word)) shared++;
  return (2 * shared) / (a.size + b.size);
}

const MAX_LINE = 2000;

/**
 * Returns the first 2,000 characters of a text with white space folded; control and direction characters gone, and
 * those that nobody sees.
 */
export function oneLine(text: string | null | undefined): string {
  return withoutInvisible(withoutMarks((text ?? "").slice(0, MAX_LINE)))
    .replace(/\s+/g, " ")
    .trim();
}

const SAMPLE = 100_000;
/** Of 1,093 real pages the worst has 0.3 % such characters; random bytes, images and archives have 8 % and more. */
const MAX_BINARY_SHARE = 0.02;
const NO_TEXT = /(?![\s\u0085])\p{Cc}|[\p{Cn}\p{Co}\p{Cs}\ufffd]/gu;

/**
 * Returns false for what was bytes and no text: control characters, or ones that nobody has assigned, by the hundred.
 */
export function isTextual(html: string): boolean {
  const sample = html.slice(0, SAMPLE);
  return (sample.match(NO_TEXT)?.length ?? 0) <= sample.length * MAX_BINARY_SHARE;
}

/** The largest page that is read, in UTF-16 units. */
export const MAX_PAGE = 8_000_000;
