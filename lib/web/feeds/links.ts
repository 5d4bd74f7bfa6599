import { inherited, type XmlElement } from "./xml/read-xml.ts";

const PLAIN = /^https?:\/\/[\x21\x23-\x3b\x3d\x3f-\x5b\x5d\x5f\x61-\x7a\x7e]+$/i;

/**
 * An absolute http or https address out of a feed, null for anything else; relative ones are resolved against the base.
 * One that is absolute already comes back as it is written.
 */
export function webAddress(value: string | undefined, base: string | undefined): string | null {
  const trimmed = (value ?? "").trim();
  if (trimmed === "") return null;
  const url = URL.parse(trimmed, base !== undefined && URL.canParse(base) ? base : undefined);
  if (url === null || !/^https?:$/.test(url.protocol) || url.hostname === "") return null;
  return PLAIN.test(trimmed) ? trimmed : url.href;
}

/**
 * What relative addresses within an element are relative to: the `xml:base`s around it, outermost first, on the feed's
 * own.
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

/** The language of an element: its own `xml:lang` or the nearest around it; null for none or an empty one. */
export function languageOf(element: XmlElement): string | null {
  return inherited(element, "xml:lang")?.trim() || null;
}
