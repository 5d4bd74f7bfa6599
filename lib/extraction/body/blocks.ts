import { withoutInvisible } from "../../text/mod.ts";
import { type HtmlElement, type HtmlNode, isElement, isHidden, isText, scriptOf } from "../page/dom.ts";

/** A block-level element of a page; `first` to `last` (exclusive) are the blocks under it. */
export interface Container {
  readonly element: HtmlElement | null;
  readonly tag: string;
  /** Index of the enclosing container, -1 for the outermost. */
  readonly parent: number;
  readonly depth: number;
  /** True when it or an element around it is marked as not shown. */
  readonly hidden: boolean;
  readonly first: number;
  last: number;
}

/** A run of text between two block boundaries, white space folded, `\n` for a `<br>`. */
export interface Block {
  readonly container: number;
  readonly text: string;
  /** The text without what is inside hidden inline elements. */
  readonly shown: string;
  /** Length of `text` and of what of it is inside `<a>`, in UTF-16 units. */
  readonly chars: number;
  readonly linkChars: number;
  readonly links: number;
  /** Share of the text inside `<b>`, `<strong>`, `<em>` or `<i>`. */
  readonly emphasis: number;
}

/** A page as the list of its text blocks in reading order, and the tree of containers that they stand in. */
export interface BlockTree {
  readonly containers: Container[];
  readonly blocks: Block[];
}

const SKIPPED = new Set(
  "script style noscript template svg math head iframe frame frameset object embed canvas audio video select datalist textarea input map applet progress meter link meta".split(
    " ",
  ),
);
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i ins kbd label mark q rp rt ruby s samp small span strike strong sub sup time tt u var wbr img nobr picture source".split(
    " ",
  ),
);
const EMPHASIS = new Set(["b", "strong", "em", "i"]);
const MAX_DEPTH = 400;
const MAX_BLOCKS = 20_000;
// A private-use character: no page has it in its text.
const BREAK = "\ue0b7";

/**
 * Cuts a page into text blocks. Elements deeper than 400 levels are read as
 * if they were inline, and nothing is read beyond 20,000 blocks.
 */
export function cutBlocks(page: { readonly childNodes: Iterable<HtmlNode> }): BlockTree {
  const containers: Container[] = [
    { element: null, tag: "#page", parent: -1, depth: 0, hidden: false, first: 0, last: 0 },
  ];
  const blocks: Block[] = [];
  let container = 0;
  let raw = "";
  let rawShown = "";
  // The last characters of `raw`: reading them off a text that grows would copy it each time.
  let tail = "";
  let hidden: HtmlElement | null = null;
  let rawLink = 0;
  let rawEmphasis = 0;
  let links = 0;
  let inLink = 0;
  let inEmphasis = 0;
  // True when nothing but white space stands after the last <br>.
  let afterBreak = false;

  const flush = () => {
    afterBreak = false;
    if (raw !== "") {
      const text = tidy(raw);
      if (text !== "") {
        const scale = text.length / raw.length;
        const linkChars = Math.min(text.length, Math.round(rawLink * scale));
        const shown = rawShown === raw ? text : tidy(rawShown);
        blocks.push({
          container,
          text,
          shown,
          chars: text.length,
          linkChars,
          links,
          emphasis: rawEmphasis / raw.length,
        });
      }
      raw = "";
      rawShown = "";
      tail = "";
    }
    rawLink = 0;
    rawEmphasis = 0;
    links = 0;
  };

  const add = (text: string) => {
    raw += text;
    tail = (tail + text.slice(-2)).slice(-2);
    if (hidden === null) rawShown += text;
  };

  const enter = (node: HtmlElement, tag: string): boolean => {
    if (SKIPPED.has(tag)) return false;
    const script = scriptOf(node, tail);
    if (script !== undefined) {
      add(script);
      return false;
    }
    if (tag === "br") {
      if (afterBreak) flush();
      else add(BREAK);
      afterBreak = true;
      return false;
    }
    const outer = containers[container];
    if (INLINE.has(tag) || (outer !== undefined && outer.depth >= MAX_DEPTH)) {
      if (tag === "a") {
        inLink++;
        links++;
      } else if (EMPHASIS.has(tag)) inEmphasis++;
      if (hidden === null && isHidden(node)) hidden = node;
      return true;
    }
    flush();
    containers.push({
      element: node,
      tag,
      parent: container,
      depth: (outer?.depth ?? -1) + 1,
      hidden: outer?.hidden === true || isHidden(node),
      first: blocks.length,
      last: blocks.length,
    });
    container = containers.length - 1;
    return true;
  };

  const leave = (node: HtmlElement) => {
    const current = containers[container];
    if (current?.element === node) {
      flush();
      current.last = blocks.length;
      container = current.parent;
      return;
    }
    if (hidden === node) hidden = null;
    const tag = node.localName;
    if (tag === "a") inLink = Math.max(0, inLink - 1);
    else if (EMPHASIS.has(tag)) inEmphasis = Math.max(0, inEmphasis - 1);
  };

  const walk = (root: HtmlNode) => {
    let node = root;
    for (;;) {
      let child: HtmlNode | null = null;
      if (isText(node)) {
        const data = node.textContent ?? "";
        if (raw !== "" || /\S/.test(data)) {
          add(data);
          afterBreak &&= !/\S/.test(data);
          if (inLink > 0) rawLink += data.length;
          if (inEmphasis > 0) rawEmphasis += data.length;
        }
      } else if (isElement(node) && enter(node, node.localName.toLowerCase())) {
        child = node.firstChild;
        if (child === null) leave(node);
      }
      if (blocks.length >= MAX_BLOCKS) return;
      while (child === null && node !== root) {
        child = node.nextSibling;
        if (child === null) {
          const parent = node.parentNode;
          if (parent === null) return;
          node = parent;
          if (isElement(node)) leave(node);
        }
      }
      if (child === null) return;
      node = child;
    }
  };
  for (const root of page.childNodes) walk(root);
  flush();
  const outermost = containers[0];
  if (outermost) outermost.last = blocks.length;
  return { containers, blocks };
}

/** Returns true when a container or one around it is one of these elements. */
export function isWithin({ containers }: BlockTree, container: number, tags: ReadonlySet<string>): boolean {
  for (let c = container; c >= 0; c = containers[c]?.parent ?? -1) if (tags.has(containers[c]?.tag ?? "")) return true;
  return false;
}

function tidy(raw: string): string {
  return withoutInvisible(raw)
    .replace(/\s+/g, " ")
    .replaceAll(/ ?\ue0b7 ?/g, "\n")
    .trim();
}
