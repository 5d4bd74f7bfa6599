import { trimEnd } from "../../std/mod.ts";
import { foldedText, plainTextOf } from "./plain-text.ts";
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
