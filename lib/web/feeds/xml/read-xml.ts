import { decodeHTMLStrict } from "entities/decode";
import { Parser } from "htmlparser2";
import { ownEntities } from "./entities.ts";
import { prefixOf } from "./namespaces.ts";

/** An element of a feed. */
export interface XmlElement {
  /**
   * Local name in lower case, with a well-known prefix when it is in a namespace of another purpose: `title`,
   * `dc:date`.
   */
  readonly name: string;
  /** Names in lower case with the prefix as written. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly (XmlElement | string)[];
  readonly parent: XmlElement | null;
  /** It has no end tag of its own; so have empty elements. */
  readonly isUnclosed: boolean;
}

interface Growing extends XmlElement {
  readonly children: (XmlElement | string)[];
  isUnclosed: boolean;
  /** The usual prefix of each prefix that is declared here or around. */
  readonly prefixes: Readonly<Record<string, string>>;
}

/** Bounds of {@link readXml}. */
export interface XmlLimits {
  /** Elements that are read; what comes after is left out. Default 200,000. */
  readonly maxElements?: number;
}

const MAX_DEPTH = 200;
/** The parser itself gets slow on elements nested deeper than this: the text ends there. */
const MAX_NESTING = 10_000;
const MAX_NAMESPACES = 50;
const PIECE = 65_536;

/**
 * Reads XML as it comes: unknown entities and prefixes, unclosed elements and bare ampersands are put up with. Returns
 * the root element, null for a text without one. Elements deeper than 200 levels are left out, and so is what follows
 * the most elements. Takes time in proportion to the text, whatever is in it.
 */
export function readXml(source: string, { maxElements = 200_000 }: XmlLimits = {}): XmlElement | null {
  let root: Growing | null = null;
  let current: Growing | null = null;
  let skipped = 0;
  let count = 0;
  let depth = 0;
  let inCdata = false;
  const entities = ownEntities(source);
  const decode = (text: string) => decodeHTMLStrict(entities === null ? text : entities(text));
  const parser = new Parser(
    {
      onopentag(raw, attributes) {
        if (skipped > 0 || depth >= MAX_DEPTH || ++count > maxElements || (root !== null && current === null)) {
          skipped++;
          return;
        }
        depth++;
        const element = grow(raw, attributes, current);
        current?.children.push(element);
        root ??= element;
        current = element;
      },
      ontext(text) {
        if (skipped === 0) current?.children.push(inCdata ? text : decode(text));
      },
      oncdatastart() {
        inCdata = true;
      },
      oncdataend() {
        inCdata = false;
      },
      onclosetag(_name, isImplied) {
        if (skipped > 0) skipped--;
        else if (current !== null) {
          current.isUnclosed = isImplied;
          depth--;
          current = current.parent as Growing | null;
        }
      },
    },
    { xmlMode: true, decodeEntities: false },
  );
  const text = closeCdata(source);
  let at = 0;
  while (at < text.length && count <= maxElements && skipped < MAX_NESTING) {
    // A piece ends behind a tag, so that no entity is cut in two.
    const end = text.indexOf(">", at + PIECE) + 1 || text.length;
    parser.write(text.slice(at, end));
    at = end;
  }
  parser.end();
  return root;
}

/** A CDATA section that never ends takes the rest of the text. */
function closeCdata(source: string): string {
  const open = source.lastIndexOf("<![CDATA[");
  return open >= 0 && source.indexOf("]]>", open) < 0 ? `${source}]]>` : source;
}

function grow(raw: string, attributes: Record<string, string>, parent: Growing | null): Growing {
  const own: Record<string, string> = {};
  let prefixes = parent?.prefixes ?? {};
  let declared = 0;
  for (const [key, value] of Object.entries(attributes)) {
    const name = key.toLowerCase();
    const decoded = decodeHTMLStrict(value);
    own[name] ??= decoded;
    if ((name !== "xmlns" && !name.startsWith("xmlns:")) || ++declared > MAX_NAMESPACES) continue;
    const prefix = name.slice(6);
    prefixes = { ...prefixes, [prefix]: prefixOf(decoded.trim(), prefix) };
  }
  const colon = raw.indexOf(":");
  const prefix = colon < 0 ? "" : raw.slice(0, colon).toLowerCase();
  const local = raw.slice(colon + 1).toLowerCase();
  const usual = Object.hasOwn(prefixes, prefix) ? prefixes[prefix] : prefixOf(undefined, prefix);
  const name = usual === "" ? local : `${usual}:${local}`;
  return { name, attributes: own, children: [], parent, isUnclosed: false, prefixes };
}

/** The child elements of that name. */
export function childrenOf(element: XmlElement, name: string): XmlElement[] {
  return element.children.filter((child) => typeof child !== "string" && child.name === name) as XmlElement[];
}

/** The first child element with one of the names, in the order of the names. */
export function firstChild(element: XmlElement, ...names: string[]): XmlElement | undefined {
  for (const name of names) {
    const child = childrenOf(element, name)[0];
    if (child !== undefined) return child;
  }
  return undefined;
}

/** All text under an element, as it stands. */
export function textUnder(element: XmlElement): string {
  let text = "";
  for (const child of element.children) text += typeof child === "string" ? child : textUnder(child);
  return text;
}

/** The value of an attribute on the element or its nearest ancestor. */
export function inherited(element: XmlElement, attribute: string): string | undefined {
  for (let at: XmlElement | null = element; at !== null; at = at.parent) {
    const value = at.attributes[attribute];
    if (value !== undefined) return value;
  }
  return undefined;
}
