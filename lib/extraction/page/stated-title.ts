import type { HtmlDocument } from "./dom.ts";
import { taggedIn } from "./elements.ts";
import { oneLine } from "./words.ts";

/** The title that a page gives itself: `og:title`, else `<title>`. */
export function statedTitle(document: HtmlDocument): string {
  const property = taggedIn(document, "meta")
    .find((meta) => meta.getAttribute("property") === "og:title")
    ?.getAttribute("content");
  return oneLine(property) || oneLine(taggedIn(document, "title")[0]?.textContent);
}
