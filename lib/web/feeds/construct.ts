import { textUnder, type XmlElement } from "./xml/read-xml.ts";
import { foldedText, plainTextOf } from "./plain-text.ts";

/**
 * The plain text of a text construct: what Atom 1.0 calls by `type` and Atom 0.3 by `type` and `mode`, and what every
 * RSS element is in practice, escaped HTML.
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

/** The inside of an element as HTML again, prefixes off. */
function serialise(element: XmlElement): string {
  let html = "";
  for (const child of element.children) {
    if (typeof child === "string") html += child.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    else {
      const name = child.name.slice(child.name.indexOf(":") + 1).replace(/[^a-z0-9]/g, "") || "span";
      const end = child.isUnclosed && child.children.length > 0 ? "" : `</${name}>`;
      html += NEVER.test(name) ? " " : `<${name}>${serialise(child)}${end}`;
    }
  }
  return html;
}
