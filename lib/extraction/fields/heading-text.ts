import { classOf, type HtmlElement, type HtmlNode, isElement, isText } from "../page/dom.ts";
import { plainText } from "../page/plain.ts";
import { oneLine, wordsOf } from "../page/words.ts";

/** Elements in a heading that may hold a line of their own: a kicker, a subtitle. Others dress a part of a word. */
const APART = /^(?:a|label|q|small|span|strong|time)$/;
/** What is no part of a word, whatever its letters. */
const LINE = /^(?:label|small|time)$/;
const LINE_CLASS = /kicker|eyebrow|overline|topper|label|badge|categor|sub-?(?:title|head)|sur-?title|deck?\b/i;
const MAX_PARTS = 12;
const MAX_PART = 500;
const MAX_DEPTH = 5;
/** A part with less of a heading's letters than this is no title, though a page may call itself so. */
const MIN_SHARE = 0.5;
const MIN_WORDS = 2;

/**
 * The text of a heading. Where parts of it stand in elements of their own without a space between them, the page's own
 * titles say what belongs together: the parts that one of them has, else all with spaces between them, but not within a
 * word (`<span>P</span>ier`).
 */
export function headingText(heading: HtmlElement, stated: readonly string[]): string {
  const joined = oneLine(plainText(heading));
  const parts = partsOf(heading);
  if (parts.length < 2 || parts.length > MAX_PARTS) return joined;
  const apart = oneLine(parts.reduce((text, part) => `${text}${isApart(text, part) ? " " : ""}${part}`));
  if (apart === joined) return joined;
  const titles = stated.map(phrase);
  const has = (text: string) => titles.some((title) => title.includes(phrase(text)));
  const [letters, texts] = [apart.length, [apart, joined, ...runsOf(parts)]];
  const match = texts.find(
    (text) => wordsOf(text).length >= MIN_WORDS && text.length >= letters * MIN_SHARE && has(text),
  );
  return match ?? apart;
}

/** Words with a space before and behind each, so that one phrase is found in another only by whole words. */
function phrase(text: string): string {
  return ` ${wordsOf(text).join(" ")} `;
}

/** Neighbouring parts together, the longest first. */
function runsOf(parts: readonly string[]): string[] {
  const runs: string[] = [];
  for (let first = 0; first < parts.length; first++) {
    let run = "";
    for (const part of parts.slice(first)) {
      run += `${isApart(run, part) ? " " : ""}${part}`;
      runs.push(oneLine(run));
    }
  }
  return runs.sort((a, b) => b.length - a.length);
}

/** Whether two neighbouring parts are words of their own: by capitals, where the script has them. */
function isApart(before: string, behind: string): boolean {
  if (!/[\p{L}\p{M}\p{N}.:!?؟…»”"]$/u.test(before) || !/^[\p{L}\p{N}«“"(]/u.test(behind)) return false;
  if (/^\p{Ll}/u.test(behind)) return false;
  // An initial in a box of its own.
  if (/(?:^|\P{L})\p{Lu}$/u.test(before) && /^\p{Lu}/u.test(behind)) return false;
  return true;
}

/** The texts of a heading, cut where elements that may stand apart begin and end. */
function partsOf(heading: HtmlElement): string[] {
  const parts: string[] = [""];
  const add = (text: string) => parts.push((parts.pop() ?? "") + text);
  const walk = (node: HtmlNode, depth: number) => {
    for (let child = node.firstChild; child !== null; child = child.nextSibling) {
      if (isText(child)) add(child.textContent ?? "");
      else if (isElement(child)) {
        const isPart = APART.test(child.localName);
        const isLine = isPart && (LINE.test(child.localName) || LINE_CLASS.test(classOf(child)));
        if (isPart) parts.push("");
        if (isLine) add(" ");
        if (isPart && depth < MAX_DEPTH) walk(child, depth + 1);
        else add(plainText(child));
        if (isLine) add(" ");
        if (isPart) parts.push("");
      }
    }
  };
  walk(heading, 0);
  return parts.map((part) => part.replace(/\s+/g, " ").slice(0, MAX_PART)).filter((part) => part.trim() !== "");
}
