import { Parser } from "htmlparser2";
import { trimEnd } from "../../std/mod.ts";
import { scriptText, withoutInvisible } from "../../text/mod.ts";
import { childrenOf, textUnder, type XmlElement } from "./xml.ts";

/**
 * Returns the plain text of a text construct: what Atom 1.0 calls by `type` and Atom 0.3 by `type` and `mode`, and what
 * every RSS element is in practice, escaped HTML.
 */
export function constructText(element: XmlElement | undefined, usual: "html" | "text" = "html"): string {
  if (element === undefined) return "";
  const type = (element.attributes.type ?? "").toLowerCase().trim();
  const mode = (element.attributes.mode ?? "").toLowerCase().trim();
  if (mode === "base64" || isBase64(type)) {
    const decoded = fromBase64(textUnder(element));
    if (decoded !== null) return plainTextOf(decoded);
  }
  if (isMarkup(element, type)) return plainTextOf(serialise(element));
  const text = textUnder(element);
  if (type === "html" || type === "text/html" || mode === "escaped" || (type === "" && usual === "html"))
    return plainTextOf(text);
  return foldedText(text);
}

function isMarkup(element: XmlElement, type: string): boolean {
  return type.includes("xhtml") || type.endsWith("xml") || element.children.some((child) => typeof child !== "string");
}

/** Atom 1.0: a media type that is neither text nor XML means base64. */
function isBase64(type: string): boolean {
  return type.includes("/") && !type.startsWith("text/") && !/[+/]xml$/.test(type);
}

/** Null for what is no base64 of UTF-8: a feed that misuses the type. */
function fromBase64(text: string): string | null {
  if (!/^[\w+/=\s-]*$/.test(text)) return null;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.from(text, "base64"));
  } catch {
    return null;
  }
}

const NEVER = /^(?:[?]?svg|[?]?math)$/;

/** Returns the inside of an element as HTML again, prefixes off. */
function serialise(element: XmlElement): string {
  let html = "";
  for (const child of element.children) {
    if (typeof child === "string") html += child.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    else {
      const name = child.name.slice(child.name.indexOf(":") + 1).replace(/[^a-z0-9]/g, "") || "span";
      // A parser of HTML takes `</br>` for one more line break.
      const isOpen = name === "br" || (child.isUnclosed && child.children.length > 0);
      const end = isOpen ? "" : `</${name}>`;
      html += NEVER.test(name) ? " " : `<${name}>${serialise(child)}${end}`;
    }
  }
  return html;
}

const MAX_NAME = 500;

/**
 * Returns the name of a person as RSS writes it: `me@example.com (A. Writer)`, `A. Writer <me@example.com>`, or a bare
 * name.
 */
export function personName(text: string): string {
  const plain = plainTextOf(text.slice(0, MAX_NAME).replace(/<([^<>\s@]+@[^<>\s]+)>/g, "($1)")).trim();
  const open = plain.indexOf("(");
  if (open > 0 && plain.endsWith(")")) {
    if (isAddress(plain.slice(0, open).trim())) return plain.slice(open + 1, -1).trim();
    const last = plain.lastIndexOf("(");
    if (isAddress(plain.slice(last + 1, -1).replace(/^mailto:/, ""))) return plain.slice(0, last).trim();
  }
  const end = plain.search(/[\s,][^\s,]*$/);
  return end > 0 && isAddress(plain.slice(end + 1)) ? trimEnd(plain.slice(0, end), /[\s,]/) : plain;
}

function isAddress(text: string): boolean {
  return text.length <= MAX_NAME && /^[^\s@]+@\S+$/.test(text);
}

/**
 * Returns the names of an element's authors, joined with a comma: Atom's nested elements, or RSS's and Dublin Core's
 * texts.
 */
export function authorsOf(element: XmlElement): string {
  const names: string[] = [];
  for (const tag of ["author", "dc:creator", "dc:author", "itunes:author"]) {
    for (const person of childrenOf(element, tag)) {
      const named = childrenOf(person, "name")[0] ?? childrenOf(person, "email")[0];
      const name = personName(textUnder(named ?? person));
      if (name !== "" && !names.includes(name)) names.push(name);
    }
    if (names.length > 0) break;
  }
  return names.join(", ");
}

const PLAIN = /^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i;

/**
 * Returns an absolute http or https address out of a feed, null for anything else; relative ones are resolved against
 * the base. One that is absolute already comes back as it is written.
 */
export function webAddress(value: string | undefined, base: string | undefined): string | null {
  const trimmed = (value ?? "").trim();
  if (trimmed === "") return null;
  const url = URL.parse(trimmed, base !== undefined && URL.canParse(base) ? base : undefined);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  return PLAIN.test(trimmed) ? trimmed : url.href;
}

/**
 * Returns what relative addresses within an element are relative to: the `xml:base`s around it, outermost first, on the
 * feed's own.
 */
export function baseOf(element: XmlElement, feedUrl: string | undefined): string | undefined {
  const chain: string[] = [];
  for (let at: XmlElement | null = element; at !== null; at = at.parent) {
    const value = at.attributes["xml:base"]?.trim();
    if (value !== undefined && value !== "") chain.unshift(value);
  }
  return chain.reduce<string | undefined>(
    (base, next) => webAddress(next, base) ?? base,
    webAddress(feedUrl, undefined) ?? undefined,
  );
}

const SILENT = new Set(
  "script style template noscript svg math head title select option datalist textarea canvas audio video".split(" "),
);
/** Silent elements whose inside is a program. */
const PROGRAM = new Set(["script", "style"]);
/** Elements whose inside the parser passes on as it stands, tags included. */
const RAW = new Set(["title", "textarea"]);
const INLINE = new Set(
  "a abbr acronym b bdi bdo big cite code data del dfn em font i img ins kbd label mark nobr q rp rt ruby s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const PARAGRAPH = new Set(
  "p div h1 h2 h3 h4 h5 h6 blockquote pre ul ol dl table section article figure figcaption header footer aside form hr".split(
    " ",
  ),
);
const LINE = new Set(["br", "li", "tr"]);
const TAG = /<\/?[a-z!?][^<>]*>/i;
const TAGS = new RegExp(TAG, "gi");
const ROUNDS = 3;
const MAX_TEXT = 2_000_000;
const BLOCK_TAG = /<\/?(?:p|div|h[1-6]|ul|ol|table|blockquote)\b/i;
const CODE = /[{}=;]|\w\(|\/[/*]/;
const CODE_WITHIN = 200;
/** Stands on both sides of an element's name that takes the place of its tag. */
const NAME_MARK = "\ufffe";
const BETWEEN_WORDS = /(?<=[\p{L}\p{N}])\ufffe(?=[\p{L}\p{N}])/gu;

/**
 * Returns the text of HTML: tags, comments and the insides of scripts, styles and embedded media are gone, entities
 * decoded once, paragraphs apart. What still looks like a tag afterwards, because it was escaped twice, goes too: at
 * most three times. An element without an end tag hides nothing: a text that speaks of `<select>` goes on after it,
 * with the name in its place.
 */
export function plainTextOf(html: string): string {
  let text = html.slice(0, MAX_TEXT);
  for (let round = 0; round === 0 || (round < ROUNDS && TAG.test(text)); round++) text = strip(text, round > 0);
  return text.replace(TAGS, "");
}

/** Folds the white space of a text that is no markup the same way; a tag in it goes all the same. */
export function foldedText(text: string): string {
  const folded = fold(text);
  return TAG.test(folded) ? plainTextOf(folded) : folded;
}

/** A silent element whose end has not come yet. */
interface Held {
  readonly name: string;
  text: string;
  hasAttributes: boolean;
  hasElements: boolean;
}

function strip(html: string, isEscaped: boolean): string {
  if (!/[<&]/.test(html)) return fold(html);
  const around: Held[] = [];
  let held: Held | undefined;
  let opened: Held | undefined;
  let out = "";
  let script = "";
  const append = (text: string) => {
    if (held === undefined) out += text;
    else held.text += text;
  };
  const parser = new Parser({
    onopentagname(name) {
      script = name === "sup" || name === "sub" ? name : "";
      opened = undefined;
      if (held !== undefined) held.hasElements = true;
      if (!SILENT.has(name)) return append(breakOf(name));
      if (held !== undefined) around.push(held);
      opened = { name, text: "", hasAttributes: false, hasElements: false };
      held = opened;
    },
    onattribute() {
      if (opened !== undefined) opened.hasAttributes = true;
    },
    ontext(text) {
      append((script && scriptText(script, text, out.slice(-2))) || withoutInvisible(text).replace(/\s+/g, " "));
      script = "";
    },
    onclosetag(name, isImplied) {
      const element = held?.name === name ? held : undefined;
      if (element !== undefined) held = around.pop();
      if (element === undefined || !isNamedOnly(element, isImplied, isEscaped)) {
        if (!LINE.has(name)) append(breakOf(name));
      } else append((element.hasAttributes ? " " : NAME_MARK + name + NAME_MARK) + element.text);
    },
  });
  parser.end(openEnds(html));
  return fold(out);
}

/**
 * Returns whether the text only speaks of the element, so that its inside is a part of the text: one that has no end
 * tag, or one that was escaped and has nothing inside but text.
 */
function isNamedOnly({ name, text, hasElements }: Held, isImplied: boolean, isEscaped: boolean): boolean {
  if (PROGRAM.has(name)) return (isImplied || isEscaped) && !CODE.test(text.slice(0, CODE_WITHIN));
  if (isImplied || (RAW.has(name) && BLOCK_TAG.test(text))) return true;
  return isEscaped && !hasElements && !TAG.test(text);
}

/** Makes text of a comment or tag that is opened and never closed, unless it looks like one that was cut off. */
function openEnds(html: string): string {
  const from = html.lastIndexOf("-->") + 1;
  const isOpen = html.indexOf("<!--", from) >= 0;
  const commented = isOpen ? html.slice(0, from) + html.slice(from).replace(/<!--(?!\[if\b)/g, " ") : html;
  const at = commented.lastIndexOf("<");
  const rest = commented.slice(at);
  const isText = /^<[a-z]/i.test(rest) && !/[>=]/.test(rest) && /\s\S+\s+\S/.test(rest);
  return isText ? `${commented.slice(0, at)}< ${commented.slice(at + 1)}` : commented;
}

function breakOf(name: string): string {
  if (LINE.has(name)) return "\n";
  if (PARAGRAPH.has(name)) return "\n\n";
  return INLINE.has(name) ? "" : " ";
}

function fold(text: string): string {
  const apart = text.includes(NAME_MARK) ? text.replace(BETWEEN_WORDS, " ") : text;
  return withoutInvisible(apart)
    .replace(/\ufffe|(?!\s)\p{Cc}/gu, "")
    .replace(/[^\S\n]+/g, " ")
    .replace(/ ?\n ?/g, "\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
