import { childrenOf, type XmlElement } from "./xml/read-xml.ts";
import { type Enclosure, MAX_PARTS } from "./feed.ts";
import { webAddress } from "./links.ts";

/** The entry, and the groups of media in it: what says something of all of a group stands there. */
export function withMedia(item: XmlElement): XmlElement[] {
  const outer = [item, ...childrenOf(item, "media:group")].slice(0, MAX_PARTS);
  return [...outer, ...outer.flatMap((element) => childrenOf(element, "media:content")).slice(0, MAX_PARTS)];
}

/** The files that an entry brings along, each address once. */
export function enclosuresOf(item: XmlElement, base: string | undefined): Enclosure[] {
  const elements = [
    ...childrenOf(item, "enclosure"),
    ...childrenOf(item, "link").filter((link) => link.attributes.rel?.toLowerCase() === "enclosure"),
    ...withMedia(item).filter(({ name }) => name === "media:content"),
  ];
  const byUrl = new Map<string, Enclosure>();
  for (const { attributes } of elements.slice(0, MAX_PARTS)) {
    const url = webAddress(attributes.url ?? attributes.href, base);
    if (url === null || byUrl.has(url)) continue;
    const length = Number.parseInt(attributes.length ?? attributes.filesize ?? "", 10);
    const type = attributes.type?.trim() || null;
    byUrl.set(url, { url, type, length: Number.isNaN(length) || length < 0 ? null : length });
  }
  return [...byUrl.values()];
}

/** The address of the picture that stands for an entry. */
export function imageOf(item: XmlElement, base: string | undefined): string | null {
  const places = withMedia(item);
  const pictures = [
    ...places.filter(({ attributes }) => attributes.medium?.toLowerCase() === "image"),
    ...places.flatMap((place) => childrenOf(place, "media:thumbnail").slice(0, MAX_PARTS)),
    ...childrenOf(item, "itunes:image"),
  ];
  for (const { attributes } of pictures) {
    const address = webAddress(attributes.url ?? attributes.href, base);
    if (address !== null) return address;
  }
  return null;
}
