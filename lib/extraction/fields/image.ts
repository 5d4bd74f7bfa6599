import { classOf, elementsOf, elementsUnder, type HtmlDocument, type HtmlElement, type HtmlNode } from "../page/dom.ts";
import { firstMeta, type LinkedData, type MetaTags } from "../page/metadata.ts";
import { absoluteUrl, linkTo } from "../page/addresses.ts";

const STATED = [
  "og:image:secure_url",
  "og:image",
  "og:image:url",
  "twitter:image",
  "twitter:image:src",
  "image",
  "thumbnailurl",
  "parsely-image-url",
];
/** Says where pages keep the address of an image that is loaded late, likeliest first. */
const SOURCES = ["data-src", "data-lazy-src", "data-original", "data-lazy", "data-orig-file", "data-large-file"];
const OTHER_SOURCES = ["data-url", "data-image", "data-img", "data-full", "data-hi-res-src", "data-original-src"];
const SETS = ["data-srcset", "data-lazy-srcset", "srcset"];
const BACKGROUNDS = ["data-bg", "data-background", "data-background-image", "data-bg-src"];
/** Names of files that only hold a place, and of those that belong to the site. */
const PLACEHOLDER =
  /(?:^|[/_.-])(?:placeholders?|blank|spacer|transparent|pixel|1x1|no-?image|no-?photo|lazy-?(?:load(?:er|ing)?)?|loading|loader|preload(?:er)?|spinner|dummy|gr[ae]y)(?:[_.-]?(?:\d|x(?=\d)|image|img|bg|default|large|small|thumb|news|square|wide)){0,20}\.(?:gif|png|jpe?g|svg|webp)$/i;
const FURNITURE =
  /\/(?:logos?|avatars?|icons?|emojis?|smilies|sprites?|badges?|buttons?)\/|(?:^|[/_.-])(?:logo|avatar|icon|favicon|emoji|sprite|gravatar)(?:[_.-]?(?:\d|x(?=\d)|white|black|dark|light|small|large|header|footer|main))*\.\w+$/i;
const FURNITURE_CLASS = /(?:^|[\s_-])(?:logo|avatar|icon|emoji|smiley|author|profile|gravatar|badge)(?:[\s_-]|$)/i;
/** An image of fewer pixels on a side is an icon or counts visits. */
const MIN_SIDE = 100;
const MAX_IMAGES = 300;
const MAX_SET = 20_000;

/**
 * Returns the address of the lead image: the one that the page states, else the first of the article that is shown,
 * also where it is loaded late. `body` is the element that holds the article's text where the page marks no article.
 * Placeholders, icons and counters are passed over; null for none.
 */
export function findImage(
  document: HtmlDocument,
  linked: LinkedData | null,
  meta: MetaTags,
  place: { readonly base: string; readonly body?: HtmlElement | null },
): string | null {
  const { base, body = null } = place;
  const stated = [
    ...STATED.map((name) => firstMeta(meta, [name])),
    linked?.image,
    linkTo(document, "image_src")?.getAttribute("href"),
  ];
  for (const candidate of stated) {
    const address = absoluteUrl(candidate, base);
    if (address !== null && !isPlaceholder(address)) return address;
  }
  const { figures, articles } = placesOf(document);
  return firstImage([...figures, ...articles, ...(body === null ? [] : [body])], base);
}

/** Returns the figures of articles, and what holds an article, where a page marks it: there stands its lead image. */
function placesOf(document: HtmlDocument): { readonly figures: HtmlElement[]; readonly articles: HtmlElement[] } {
  const figures: HtmlElement[] = [];
  const articles: HtmlElement[] = [];
  const holders = new Set<HtmlNode>();
  for (const element of elementsOf(document)) {
    const tag = element.localName;
    const isHolder = tag === "article" || tag === "main" || element.getAttribute("role") === "main";
    const isInside = element.parentNode !== null && holders.has(element.parentNode);
    if (isHolder || isInside) holders.add(element);
    if (isInside && tag === "figure") figures.push(element);
    if (isHolder || element.getAttribute("itemprop") === "articleBody") articles.push(element);
  }
  return { figures, articles };
}

/** Looks at each element once, however places are nested. */
function firstImage(places: readonly HtmlElement[], base: string): string | null {
  const seen = new Set<HtmlNode>();
  const elements = places.map((place) => [...elementsUnder(place, seen)]);
  let images = 0;
  for (const image of elements.flat()) {
    if (image.localName !== "img" && image.localName !== "amp-img") continue;
    if (++images > MAX_IMAGES) return null;
    const address = imageAddress(image, base);
    if (address !== null && !isFurniture(image, address)) return address;
  }
  let backgrounds = 0;
  for (const element of elements.flat()) {
    if (!mayHaveBackground(element)) continue;
    if (++backgrounds > MAX_IMAGES) return null;
    const address = backgroundOf(element, base);
    if (address !== null) return address;
  }
  return null;
}

/** Returns the absolute address that an image is shown from once it is loaded; null for a placeholder alone. */
export function imageAddress(image: HtmlElement, base: string): string | null {
  const usable = (address: string | null | undefined) => {
    const absolute = absoluteUrl(address, base);
    return absolute === null || isPlaceholder(absolute) ? null : absolute;
  };
  for (const name of SOURCES) {
    const address = usable(image.getAttribute(name));
    if (address !== null) return address;
  }
  const own = usable(image.getAttribute("src"));
  if (own !== null) return own;
  const sources = picturesSources(image);
  for (const element of [image, ...sources]) {
    for (const name of SETS) {
      const address = usable(largestOf(element.getAttribute(name)));
      if (address !== null) return address;
    }
  }
  for (const name of OTHER_SOURCES) {
    const address = usable(image.getAttribute(name));
    if (address !== null) return address;
  }
  return null;
}

/** Returns the `<source>` elements beside an image in its `<picture>`. */
function picturesSources(image: HtmlElement): HtmlElement[] {
  const sources: HtmlElement[] = [];
  let sibling = image.previousElementSibling;
  while (sibling !== null && sources.length < MAX_IMAGES) {
    if (sibling.localName === "source") sources.unshift(sibling);
    sibling = sibling.previousElementSibling;
  }
  return sources;
}

/**
 * Returns the largest image of a `srcset`: by width or density, the first of equals. Addresses may have commas in them.
 */
function largestOf(set: string | null): string {
  if (set === null || set.length > MAX_SET) return "";
  let best = "";
  let most = -1;
  for (const candidate of set.split(/,\s+|,(?=https?:|\/)/)) {
    const [address = "", descriptor = "1x"] = candidate.trim().split(/\s+/);
    const size = Number.parseFloat(descriptor);
    if (address !== "" && size > most) {
      most = size;
      best = address.replace(/,$/, "");
    }
  }
  return best;
}

function isPlaceholder(address: string): boolean {
  return PLACEHOLDER.test(new URL(address).pathname.slice(-200));
}

function isFurniture(image: HtmlElement, address: string): boolean {
  const sides = ["width", "height"].map((name) => Number.parseFloat(image.getAttribute(name) ?? ""));
  if (sides.some((side) => side < MIN_SIDE)) return true;
  const path = new URL(address).pathname.slice(-200);
  return (
    FURNITURE_CLASS.test(classOf(image)) ||
    FURNITURE.test(path) ||
    /(?:^|\.)gravatar\.com$/.test(new URL(address).hostname)
  );
}

const STYLED = /^(?:figure|div|a|span)$/;

function mayHaveBackground(element: HtmlElement): boolean {
  return (
    BACKGROUNDS.some((name) => element.getAttribute(name) !== null) ||
    (STYLED.test(element.localName) && element.getAttribute("style") !== null) ||
    (element.localName === "video" && element.getAttribute("poster") !== null)
  );
}

/** Returns the picture that an element shows as its background, or a video's poster. */
function backgroundOf(element: HtmlElement, base: string): string | null {
  const style = /background(?:-image)?\s*:[^;]{0,40}url\(\s*['"]?([^'")]{1,2000})/i.exec(
    (element.getAttribute("style") ?? "").slice(0, 4000),
  );
  const written = [
    ...BACKGROUNDS.map((name) => element.getAttribute(name)),
    style?.[1],
    element.getAttribute("poster"),
  ];
  for (const candidate of written) {
    const address = absoluteUrl(candidate?.replace(/^url\(\s{0,9}['"]?|['"]?\s{0,9}\)$/g, ""), base);
    if (address !== null && !isPlaceholder(address) && !FURNITURE.test(address.slice(-200))) return address;
  }
  return null;
}
