import { withoutInvisible } from "../../text/mod.ts";
import { type HtmlDocument, taggedIn } from "./dom.ts";
import { oneLine } from "./text.ts";

/**
 * The `<meta>` elements of a page: lower-case `name`, `property`, `itemprop` or `http-equiv` to their contents in order
 * (`value` where somebody wrote that).
 */
export type MetaTags = ReadonlyMap<string, readonly string[]>;

const MAX_TAGS = 500;

/** Reads the `<meta>` elements of a page, empty ones left out. */
export function readMeta(document: HtmlDocument): MetaTags {
  const tags = new Map<string, string[]>();
  let seen = 0;
  for (const element of taggedIn(document, "meta")) {
    if (++seen > MAX_TAGS) break;
    const content = withoutInvisible(element.getAttribute("content") ?? element.getAttribute("value") ?? "")
      .replace(/\s+/g, " ")
      .trim();
    if (content === "") continue;
    for (const attribute of ["property", "name", "itemprop", "http-equiv"]) {
      for (const name of (element.getAttribute(attribute) ?? "").toLowerCase().split(/\s+/)) {
        if (name === "") continue;
        const list = tags.get(name);
        if (list === undefined) tags.set(name, [content]);
        else list.push(content);
      }
    }
  }
  return tags;
}

/** Returns the first content among the names, in the order of the names; empty when there is none. */
export function firstMeta(tags: MetaTags, names: readonly string[]): string {
  for (const name of names) {
    const value = tags.get(name)?.[0];
    if (value !== undefined) return value;
  }
  return "";
}

/** Returns the title that a page gives itself: `og:title`, else `<title>`. */
export function statedTitle(document: HtmlDocument): string {
  const property = taggedIn(document, "meta")
    .find((meta) => meta.getAttribute("property") === "og:title")
    ?.getAttribute("content");
  return oneLine(property) || oneLine(taggedIn(document, "title")[0]?.textContent);
}
